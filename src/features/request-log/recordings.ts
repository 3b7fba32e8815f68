import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { inTx } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import type { NotificationFeed } from '../../platform/db/listen.ts';
import { requestLogFaults } from './errors.ts';
import { deleteRecording, listRecordings, RECORDING_CHANNEL, upsertRecording } from './sql-recording.ts';

export const MINUTES_MAX = 60;
const MINUTE_MS = 60_000;
/** Limit at a time, so that recording stays an exception. */
const RECORDINGS_MAX = 100;

/** The accounts whose calls are logged when not all calls are. Kept in the database, cached in each process. */
export interface Recordings {
  /** A cheap check, because nearly every call makes it. */
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
    void load().catch((error: unknown) => log.warn({ err: error }, 'could not read the recordings'));
  feed.on(RECORDING_CHANNEL, loadAgain);
  feed.onGap(loadAgain);
  await load();
  return {
    areAny: () => untilMs.size > 0,
    has: (accountName = '') => (untilMs.get(accountName) ?? 0) > realNow().getTime(),
  };
}

/** Returns when the recording ends. 0 minutes ends it now. */
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
