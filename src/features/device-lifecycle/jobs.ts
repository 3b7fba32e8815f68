import { Type } from 'typebox';
import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { enqueueJobs } from '../../platform/jobs/enqueue.ts';
import { defineJob, tenantOf } from '../../platform/jobs/job.ts';
import { deleteInBatches } from '../../platform/jobs/purge.ts';
import type { ClosedOrder, LineNetwork } from '../network/index.ts';
import { endAndAnnounce } from './end-suspensions.ts';
import { deleteEndedSuspensions, listOverdueAccounts, type OverdueAccount } from './sql-suspension.ts';
import { thirteenMonthsBefore } from './suspension.ts';

const ACCOUNTS_PER_PAGE = 500;
const ENDED_PER_BATCH = 1_000;
const HOUR_MS = 3_600_000;

/** What callers need to enqueue the job. */
const END_AND_ANNOUNCE = {
  kind: 'device-lifecycle.follow-suspensions',
  schema: Type.Object({ accountName: Type.String() }),
  attemptsMax: 20,
} as const;

/** Runs exactly when a suspension of the account ends automatically, or when its end is announced. */
export const dueSuspensionsJob = (network: LineNetwork | undefined) =>
  defineJob({
    ...END_AND_ANNOUNCE,
    commits: 'steps',
    async run(ctx, { accountName }, { ecpdId, signal }) {
      await endAndAnnounce(ctx, tenantOf(ecpdId, accountName), signal, network);
      return undefined;
    },
  });

/** Call it in the transaction that has closed orders of lines whose suspension is over. It schedules another check of them. */
export async function resumeLater(tx: Ctx, ecpdId: string, closed: readonly ClosedOrder[]): Promise<void> {
  const accountNames = new Set(
    closed.filter(({ cause }) => cause === 'resume').map(({ accountName }) => accountName),
  );
  const jobs = [...accountNames].map((accountName) => ({ payload: { accountName } }));
  if (jobs.length > 0) await enqueueJobs(tx, END_AND_ANNOUNCE, ecpdId, jobs);
}

/** Call it in the transaction that suspends. It adds no second job for the same account and time. */
export function scheduleAt(
  ctx: Ctx,
  { ecpdId, accountName }: Tenant,
  times: readonly Date[],
): Promise<number> {
  const distinct = new Map(times.map((at) => [at.toISOString(), at]));
  const jobs = [...distinct].map(([text, dueAt]) => ({
    payload: { accountName },
    dueAt,
    key: `${accountName} ${text}`,
  }));
  return enqueueJobs(ctx, END_AND_ANNOUNCE, ecpdId, jobs);
}

/**
 * Finds suspensions without a job, because they are older than these jobs or their job was given up. An account that
 * already has such a job gets no other.
 */
export const scheduleOverdue = defineJob({
  kind: 'device-lifecycle.follow-overdue',
  schema: Type.Object({}),
  attemptsMax: 5,
  commits: 'steps',
  everyMs: HOUR_MS,
  async run(ctx, _payload, { signal }) {
    for (let after: OverdueAccount | undefined; !signal.aborted; ) {
      const page = await listOverdueAccounts(ctx.db, ctx.now(), { after, limit: ACCOUNTS_PER_PAGE });
      for (const [ecpdId, accounts] of Map.groupBy(page, (account) => account.ecpdId)) {
        const jobs = accounts.map(({ accountName }) => ({
          payload: { accountName },
          key: `${accountName} overdue`,
        }));
        await enqueueJobs(ctx, END_AND_ANNOUNCE, ecpdId, jobs);
      }
      if (page.length < ACCOUNTS_PER_PAGE) return undefined;
      after = page.at(-1);
    }
    return undefined;
  },
});

export const purgeSuspensions = defineJob({
  kind: 'device-lifecycle.purge',
  schema: Type.Object({}),
  attemptsMax: 5,
  commits: 'steps',
  everyMs: HOUR_MS,
  async run({ db, now }, _payload, { signal }) {
    const endedBefore = thirteenMonthsBefore(now());
    await deleteInBatches(signal, () => deleteEndedSuspensions(db, endedBefore, ENDED_PER_BATCH));
    return undefined;
  },
});
