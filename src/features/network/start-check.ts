import { Type } from 'typebox';
import type { Ctx } from '../../platform/context/context.ts';
import { enqueueJobs } from '../../platform/jobs/enqueue.ts';
import { NO_PROFILE } from '../../platform/jobs/job.ts';

/** What a job of this kind is asked for with. */
export const CHECK = {
  kind: 'network.check',
  schema: Type.Object({ accountName: Type.Optional(Type.String()), repair: Type.Boolean() }),
  attemptsMax: 5,
} as const;

interface Asked {
  readonly account?: { readonly ecpdId: string; readonly accountName: string } | undefined;
  readonly repair: boolean;
}

/** Has the lines of one account, or of all, compared with their elements. Answers the id of the job. */
export async function startCheck(ctx: Ctx, { account, repair }: Asked): Promise<string> {
  const jobId = ctx.newId();
  const payload = { repair, ...(account !== undefined && { accountName: account.accountName }) };
  await enqueueJobs({ ...ctx, newId: () => jobId }, CHECK, account?.ecpdId ?? NO_PROFILE, [{ payload }]);
  return jobId;
}
