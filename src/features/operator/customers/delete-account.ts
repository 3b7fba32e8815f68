import { eraseStatesOf } from '../../../platform/context/audit.ts';
import { type Ctx, inTx, type Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import {
  closeAccount,
  deleteAccount,
  isClosed,
  listClosedAccounts,
  lockAccount,
} from '../../accounts/index.ts';
import { deleteMessagesOfAccount, deleteNextMessages } from '../../callbacks/index.ts';
import { deleteRequestsOfAccount } from '../../carrier-requests/index.ts';
import { deleteLinesOfAccount, deleteTracesOfAccount } from '../../devices/index.ts';
import { deleteEntriesOfAccount } from '../../location-reports/index.ts';
import { deleteHistoryOfAccount } from '../../locations/index.ts';
import { type LineNetwork, orderDeletion } from '../../network/index.ts';
import { deleteNotificationsOfAccount } from '../../notifications/index.ts';
import { deleteOrphanedTriggers } from '../../price-plan-triggers/index.ts';
import { deleteCallsOfAccount } from '../../request-log/index.ts';
import { announceAccessChange, deleteAccountOfUsers } from '../../sessions/index.ts';
import { refreshLevelsLater } from '../../trigger-evaluation/index.ts';
import {
  deleteRecordsOfAccount,
  deleteTransactionsOfAccount,
  deleteUsageOfAccount,
} from '../../usage/index.ts';

/** Time for a statement that deletes all rows of an account in a table. No feed, login or delivery needs these rows. */
const TIME_MS = 15 * 60_000;

/** Rows that feeds, logins or deliveries may need are deleted this many at a time. */
const AT_ONCE = {
  lines: 1_000,
  records: 10_000,
  messages: 1_000,
  notifications: 5_000,
  requests: 10,
};

/** Batch size: the changes of all devices may be millions of lines. */
const ERASED_AT_ONCE = 10_000;

export async function eraseStates(db: Db, tenant: Pick<Tenant, 'ecpdId'> & Partial<Tenant>): Promise<void> {
  let after: bigint | undefined = 0n;
  while (after !== undefined) after = await eraseStatesOf(db, tenant, { after, limit: ERASED_AT_ONCE });
}

/** One step of a deletion. It is repeated until it returns 0: nothing was left to delete. */
type Step = (tx: Ctx) => Promise<number>;

const whole =
  (deleteAll: (db: Db) => Promise<unknown>): Step =>
  async ({ db }) => {
    await deleteAll(db);
    return 0;
  };

const stepsOf = (tenant: Tenant, network: LineNetwork | undefined): readonly Step[] => [
  ({ db }) => deleteHistoryOfAccount(db, tenant),
  (tx) =>
    deleteLinesOfAccount(tx.db, tenant, AT_ONCE.lines, async (ids) => {
      if (network !== undefined) await orderDeletion(tx, tenant, network, ids);
    }),
  ({ db }) => deleteEntriesOfAccount(db, tenant, AT_ONCE.requests),
  ({ db }) => deleteRequestsOfAccount(db, tenant, AT_ONCE.requests),
  ({ db }) => deleteRecordsOfAccount(db, tenant, AT_ONCE.records),
  ({ db }) => deleteNextMessages(db, tenant, AT_ONCE.messages),
  ({ db }) => deleteNotificationsOfAccount(db, tenant, AT_ONCE.notifications),
  ...[
    deleteTracesOfAccount,
    deleteTransactionsOfAccount,
    deleteUsageOfAccount,
    eraseStates,
    deleteCallsOfAccount,
  ].map((deleteAll) => whole((db) => deleteAll(db, tenant))),
];

async function repeat(step: () => Promise<number>): Promise<void> {
  while ((await step()) > 0);
}

/** Ends the access to the account. Returns false if its deletion had begun before; `note` runs in the same transaction. */
const close = (outer: Ctx, tenant: Tenant, note?: (tx: Ctx) => Promise<unknown>): Promise<boolean> =>
  inTx(outer, async (tx) => {
    const isFirst = await closeAccount(tx.db, tenant, tx.now());
    if (isFirst) await note?.(tx);
    await deleteAccountOfUsers(tx.db, tenant);
    await announceAccessChange(tx.db, { what: 'everything' });
    return isFirst;
  });

/**
 * Deletes the account and everything that belongs to it: closes it, deletes its data in bounded steps that hold nothing for
 * long, and then the account with the little that was added meanwhile. After a crash, the same call or a job continues.
 */
export async function deleteWholeAccount(
  ctx: Ctx,
  tenant: Tenant,
  network: LineNetwork | undefined,
  note?: (tx: Ctx) => Promise<unknown>,
): Promise<void> {
  await close(ctx, tenant, note);
  const steps = stepsOf(tenant, network);
  const timed = (work: (tx: Ctx) => Promise<number>) =>
    inTx(ctx, async (tx) => {
      await tx.db.allowTime(TIME_MS);
      // Another call or the job may have ended the deletion, and the name may have been given anew.
      return (await isClosed(tx.db, tenant)) ? work(tx) : 0;
    });
  for (const step of steps) await repeat(() => timed(step));
  await timed(async (tx) => {
    const { db } = tx;
    await lockAccount(db, tenant);
    if (!(await isClosed(db, tenant))) return 0;
    for (const step of steps) await repeat(() => step(tx));
    await deleteMessagesOfAccount(db, tenant);
    await deleteAccountOfUsers(db, tenant);
    await deleteAccount(db, tenant);
    await deleteOrphanedTriggers(db, tenant.ecpdId);
    await refreshLevelsLater(tx, tenant.ecpdId);
    await announceAccessChange(db, { what: 'everything' });
    return 0;
  });
}

/** A deletion in progress is left alone for this long. */
const ABANDONED_MS = 30 * 60_000;
const ACCOUNTS_PAGE = 100;

/** Continues deletions that a crash or an error interrupted. */
export async function finishDeletions(
  ctx: Ctx,
  network: LineNetwork | undefined,
  signal: AbortSignal,
): Promise<void> {
  const before = new Date(ctx.now().getTime() - ABANDONED_MS);
  for (const tenant of await listClosedAccounts(ctx.db, before, ACCOUNTS_PAGE)) {
    signal.throwIfAborted();
    if (await isClosed(ctx.db, tenant)) await deleteWholeAccount(ctx, tenant, network);
  }
}
