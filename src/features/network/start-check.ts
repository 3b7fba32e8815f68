import { Type } from 'typebox';
import { type Ctx, inTx } from '../../platform/context/context.ts';
import { enqueueJobs } from '../../platform/jobs/enqueue.ts';
import { NO_PROFILE } from '../../platform/jobs/job.ts';
import { insertChecks } from './sql-progress.ts';

/** The parameters of a job of this kind. */
export const CHECK = {
  kind: 'network.check',
  schema: Type.Object({ accountName: Type.Optional(Type.String()), repair: Type.Boolean() }),
  attemptsMax: 5,
} as const;

interface Asked {
  readonly account?: { readonly ecpdId: string; readonly accountName: string } | undefined;
  readonly repair: boolean;
}

/** Starts a comparison of the lines of one account, or of all, with their elements. Returns the id of the job. */
export async function startCheck(outer: Ctx, { account, repair }: Asked): Promise<string> {
  const jobId = outer.newId();
  const ecpdId = account?.ecpdId ?? NO_PROFILE;
  const payload = { repair, ...(account !== undefined && { accountName: account.accountName }) };
  await inTx(
    outer,
    async (ctx) => {
      // From now on its progress can be queried: a job is found only with its profile.
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
