import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { inTx } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import type { NotificationFeed } from '../../platform/db/listen.ts';
import { requestLogFaults } from './errors.ts';
import { deleteRecording, listRecordings, RECORDING_CHANNEL, upsertRecording } from './sql-recording.ts';

export const MINUTES_MAX = 60;
const MINUTE_MS = 60_000;
/** At a time, so that an open log stays an exception. */
const RECORDINGS_MAX = 100;

/** Whose calls are logged where not all are: known in each process, and kept in the database. */
export interface Recordings {
  /** Whether there are any: what nearly every call asks. */
  areAny(): boolean;
  has(accountName: string | undefined): boolean;
}

export async function openRecordings(
  { db, log }: Ctx,
  feed: NotificationFeed,
  realNow: () => Date,
): Promise<Recordings> {
  let untilMs = new Map<string, number>();
  const load = async () => {
    const rows = await listRecordings(db, realNow(), RECORDINGS_MAX);
    untilMs = new Map(rows.map(({ accountName, until }) => [accountName, until.getTime()]));
  };
  const loadAgain = () =>
    void load().catch((error: unknown) => log.warn({ err: error }, 'recordings were not read'));
  feed.on(RECORDING_CHANNEL, loadAgain);
  feed.onGap(loadAgain);
  await load();
  return {
    areAny: () => untilMs.size > 0,
    has: (accountName = '') => (untilMs.get(accountName) ?? 0) > realNow().getTime(),
  };
}

/** Answers until when; with no minutes it ends now. */
export const recordAccount = (
  outer: Ctx,
  tenant: Tenant,
  minutes: number,
  realNow: () => Date,
): Promise<Date> =>
  inTx(
    outer,
    async ({ db }) => {
      const now = realNow();
      const until = new Date(now.getTime() + minutes * MINUTE_MS);
      if (minutes === 0) await deleteRecording(db, tenant);
      else if ((await listRecordings(db, now, RECORDINGS_MAX)).length >= RECORDINGS_MAX)
        refuse(requestLogFaults.tooMany);
      else await upsertRecording(db, tenant, until);
      return until;
    },
    tenant.ecpdId,
  );
