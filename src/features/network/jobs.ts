import { Type } from 'typebox';
import type { Ctx } from '../../platform/context/context.ts';
import { enqueueJobs } from '../../platform/jobs/enqueue.ts';
import { defineJob, tenantOf } from '../../platform/jobs/job.ts';
import { definePurge } from '../../platform/jobs/purge.ts';
import { listAccounts } from '../accounts/index.ts';
import { type CheckedNetwork, checkAccount } from './check-lines.ts';
import { deleteClosed } from './sql-order.ts';
import { CHECK } from './start-check.ts';

const DAY_MS = 86_400_000;
const ACCOUNTS_PER_PAGE = 500;
const KEPT_DAYS = 30;

const CHECK_ACCOUNT = {
  kind: 'network.check-account',
  schema: Type.Object({ accountName: Type.String(), repair: Type.Boolean() }),
  attemptsMax: 5,
} as const;

/** A job for each account: one that takes long, or fails, leaves the others alone. */
async function checkAll(ctx: Ctx, repair: boolean, signal: AbortSignal): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    signal.throwIfAborted();
    const page: Awaited<ReturnType<typeof listAccounts>> = await listAccounts(ctx.db, {
      after,
      ecpdId: undefined,
      limit: ACCOUNTS_PER_PAGE,
    });
    for (const [ecpdId, accounts] of Map.groupBy(page, (account) => account.ecpdId)) {
      const jobs = accounts.map(({ accountName }) => ({
        payload: { accountName, repair },
        key: `${accountName} ${repair}`,
      }));
      await enqueueJobs(ctx, CHECK_ACCOUNT, ecpdId, jobs);
    }
    after = page.length < ACCOUNTS_PER_PAGE ? undefined : page.at(-1)?.accountName;
  }
}

const checkNightly = defineJob({
  kind: 'network.check-nightly',
  schema: Type.Object({}),
  attemptsMax: 5,
  commits: 'steps',
  everyMs: DAY_MS,
  async run(ctx, _payload, { signal }) {
    await checkAll(ctx, false, signal);
    return undefined;
  },
});

/** Compares lines with their elements when it is asked for, and every night; and forgets orders that have ended. */
export const networkJobs = ({ network, elements }: CheckedNetwork) => [
  defineJob({
    ...CHECK,
    commits: 'steps',
    async run(ctx, { accountName, repair }, { ecpdId, signal }) {
      if (accountName === undefined) await checkAll(ctx, repair, signal);
      else
        await enqueueJobs(ctx, CHECK_ACCOUNT, ecpdId, [
          { payload: { accountName, repair }, key: `${accountName} ${repair}` },
        ]);
      return undefined;
    },
  }),
  defineJob({
    ...CHECK_ACCOUNT,
    commits: 'steps',
    waitsOutside: true,
    async run(ctx, { accountName, repair }, { ecpdId, signal }) {
      await checkAccount(ctx, tenantOf(ecpdId, accountName), { network, elements, repair, signal });
      return undefined;
    },
  }),
  // One that cannot say how its lines are is not asked every night.
  ...(elements.some(({ element }) => element.read !== undefined) ? [checkNightly] : []),
  definePurge({
    kind: 'network.purge',
    batch: 5_000,
    retentions: [{ keptMs: KEPT_DAYS * DAY_MS, deleteBefore: deleteClosed }],
  }),
];
