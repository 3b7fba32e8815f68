import { Type } from 'typebox';
import type { Ctx } from '../../platform/context/context.ts';
import { enqueueJobs } from '../../platform/jobs/enqueue.ts';
import { defineJob, tenantOf } from '../../platform/jobs/job.ts';
import { definePurge } from '../../platform/jobs/purge.ts';
import { listAccounts } from '../accounts/index.ts';
import { type CheckedNetwork, checkAccount } from './check-lines.ts';
import { SilentElements } from './silent-elements.ts';
import { deleteClosed } from './sql-order.ts';
import {
  addPageResult,
  beginCheck,
  type CheckedAccount,
  deleteChecks,
  endCheck,
  insertChecks,
} from './sql-progress.ts';
import { CHECK } from './start-check.ts';

const DAY_MS = 86_400_000;
const ACCOUNTS_PER_PAGE = 500;
const KEPT_DAYS = 30;

const CHECK_ACCOUNT = {
  kind: 'network.check-account',
  schema: Type.Object({
    accountName: Type.String(),
    repair: Type.Boolean(),
    // Absent if no client polls the check.
    checkId: Type.Optional(Type.String()),
  }),
  attemptsMax: 5,
} as const;

interface Check {
  readonly checkId?: string;
  readonly repair: boolean;
}

/** One job per account: a slow or failing account does not affect the others. */
async function checkAccounts(
  ctx: Ctx,
  ecpdId: string,
  { checkId, repair }: Check,
  accountNames: string[],
): Promise<void> {
  if (checkId !== undefined)
    await insertChecks(ctx.db, ecpdId, { checkId, repair, accountNames, now: ctx.now() });
  const jobs = accountNames.map((accountName) => ({
    payload: { accountName, repair, ...(checkId !== undefined && { checkId }) },
    key: [accountName, repair, checkId].join(' ').trim(),
  }));
  await enqueueJobs(ctx, CHECK_ACCOUNT, ecpdId, jobs);
}

async function checkAll(ctx: Ctx, check: Check, signal: AbortSignal): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    signal.throwIfAborted();
    const page: Awaited<ReturnType<typeof listAccounts>> = await listAccounts(ctx.db, {
      after,
      ecpdId: undefined,
      limit: ACCOUNTS_PER_PAGE,
    });
    for (const [ecpdId, accounts] of Map.groupBy(page, (account) => account.ecpdId))
      await checkAccounts(
        ctx,
        ecpdId,
        check,
        accounts.map(({ accountName }) => accountName),
      );
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
    await checkAll(ctx, { repair: false }, signal);
    return undefined;
  },
});

const reportedCheck = (
  ecpdId: string,
  { accountName, checkId }: { readonly accountName: string; readonly checkId?: string },
): CheckedAccount | undefined =>
  checkId === undefined ? undefined : { ...tenantOf(ecpdId, accountName), checkId };

function accountJob({ network, elements }: CheckedNetwork) {
  const silentElements = new SilentElements();
  return defineJob({
    ...CHECK_ACCOUNT,
    commits: 'steps',
    waitsOutside: true,
    async run(ctx, payload, { ecpdId, signal }) {
      const { accountName, repair } = payload;
      const reported = reportedCheck(ecpdId, payload);
      if (reported !== undefined) await beginCheck(ctx.db, reported);
      await checkAccount(ctx, tenantOf(ecpdId, accountName), {
        ...{ network, elements, repair, signal, silent: silentElements.begin(payload.checkId ?? 'nightly') },
        onPage: async (result) => reported && addPageResult(ctx.db, reported, result),
      });
      if (reported !== undefined) await endCheck(ctx.db, reported, { failed: false, now: ctx.now() });
      return undefined;
    },
    async onGivenUp(ctx, payload, { ecpdId }) {
      const reported = reportedCheck(ecpdId, payload);
      if (reported !== undefined) await endCheck(ctx.db, reported, { failed: true, now: ctx.now() });
    },
  });
}

/** Compares lines with their elements on request and every night, and deletes old closed orders and checks. */
export const networkJobs = ({ network, elements }: CheckedNetwork) => [
  defineJob({
    ...CHECK,
    commits: 'steps',
    async run(ctx, { accountName, repair }, { ecpdId, jobId: checkId, signal }) {
      if (accountName === undefined) await checkAll(ctx, { checkId, repair }, signal);
      else await checkAccounts(ctx, ecpdId, { checkId, repair }, [accountName]);
      return undefined;
    },
  }),
  accountJob({ network, elements }),
  // Without an element that can be read, there is no nightly check.
  ...(elements.some(({ element }) => element.read !== undefined) ? [checkNightly] : []),
  definePurge({
    kind: 'network.purge',
    batch: 5_000,
    retentions: [deleteClosed, deleteChecks].map((deleteBefore) => ({
      keptMs: KEPT_DAYS * DAY_MS,
      deleteBefore,
    })),
  }),
];
