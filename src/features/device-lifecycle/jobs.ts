import { Type } from 'typebox';
import { isAccountName, isEcpdId } from '../../kernel/account-name.ts';
import type { Ctx, Tenant } from '../../platform/context.ts';
import { enqueueJobs } from '../../platform/jobs/enqueue.ts';
import { defineJob } from '../../platform/jobs/job.ts';
import { followSuspensions } from './follow-suspensions.ts';

/** Runs when a suspension of the account ends by itself or that is announced, at exactly that time. */
export const followJob = defineJob({
  kind: 'device-lifecycle.follow-suspensions',
  schema: Type.Object({ accountName: Type.String() }),
  attemptsMax: 20,
  commits: 'steps',
  async run(ctx, { accountName }, { ecpdId, signal }) {
    if (!isEcpdId(ecpdId) || !isAccountName(accountName)) throw new Error('the job names no account');
    await followSuspensions(ctx, { ecpdId, accountName }, signal);
    return undefined;
  },
});

/** Call it in the transaction that suspends. A time for which the account has a job needs no other. */
export function followAt(ctx: Ctx, { ecpdId, accountName }: Tenant, times: readonly Date[]): Promise<number> {
  const distinct = new Map(times.map((at) => [at.toISOString(), at]));
  const jobs = [...distinct].map(([text, dueAt]) => ({
    payload: { accountName },
    dueAt,
    key: `${accountName} ${text}`,
  }));
  return enqueueJobs(ctx, followJob, ecpdId, jobs);
}
