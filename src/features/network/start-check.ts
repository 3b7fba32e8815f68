import { Type } from 'typebox';
import { type Ctx, inTx } from '../../platform/context/context.ts';
import { enqueueJobs } from '../../platform/jobs/enqueue.ts';
import { NO_PROFILE } from '../../platform/jobs/job.ts';
import { insertChecks } from './sql-progress.ts';

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
export async function startCheck(outer: Ctx, { account, repair }: Asked): Promise<string> {
  const jobId = outer.newId();
  const ecpdId = account?.ecpdId ?? NO_PROFILE;
  const payload = { repair, ...(account !== undefined && { accountName: account.accountName }) };
  await inTx(
    outer,
    async (ctx) => {
      // From now on it can be asked how far it is: a job is found by its profile alone.
      if (account !== undefined)
        await insertChecks(ctx.db, ecpdId, {
          ...{ checkId: jobId, repair, accountNames: [account.accountName], now: ctx.now() },
        });
      await enqueueJobs({ ...ctx, newId: () => jobId }, CHECK, ecpdId, [{ payload }]);
    },
    ecpdId,
  );
  return jobId;
}
