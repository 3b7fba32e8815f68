import { Type } from 'typebox';
import type { EcpdId } from '../../../kernel/account-name.ts';
import { writeAudit } from '../../../platform/context/audit.ts';
import { type Ctx, inTx, type Tenant } from '../../../platform/context/context.ts';
import { refuse } from '../../../platform/context/fault.ts';
import { enqueueJobs } from '../../../platform/jobs/enqueue.ts';
import { listJobs } from '../../../platform/jobs/sql-list.ts';
import { deleteProfile, findCustomer, listAccounts, lockProfile } from '../../accounts/index.ts';
import { countListenersOf } from '../../callbacks/index.ts';
import { countDevicesOfProfile } from '../../devices/index.ts';
import { deletePositionNews } from '../../locations/index.ts';
import type { LineNetwork } from '../../network/index.ts';
import { countNotificationGroups } from '../../notifications/index.ts';
import { countGroupsOf } from '../../plans/index.ts';
import { countTriggersOf } from '../../price-plan-triggers/index.ts';
import { countUsersOf } from '../../sessions/index.ts';
import { deleteBatches } from '../../usage/index.ts';
import { countUsageTriggersOf } from '../../usage-triggers/index.ts';
import { operatorFaults } from '../errors.ts';
import { deleteWholeAccount, eraseStates } from './delete-account.ts';

/** The definition by which the job is enqueued. */
export const DELETE_CUSTOMER = {
  kind: 'operator.delete-customer',
  schema: Type.Object({ by: Type.String() }),
  attemptsMax: 5,
} as const;

const ERASE_MS = 15 * 60_000;

const JOBS_SEEN = 10;

/** The deletion in progress or the last one that failed; undefined if there is none or the last one is done. */
async function findDeletion({ db }: Ctx, ecpdId: string) {
  const jobs = await listJobs(db, { kind: DELETE_CUSTOMER.kind, ecpdId, limit: JOBS_SEEN });
  const job = jobs.find(({ state }) => state === 'waiting' || state === 'running') ?? jobs[0];
  if (job === undefined || job.state === 'done') return undefined;
  const { id: jobId, state, lastError } = job;
  return { jobId, state: state as 'waiting' | 'running' | 'failed', lastError };
}

/** A customer with the number of its records of each kind, all of which a deletion deletes. */
export async function readCustomer(ctx: Ctx, ecpdId: string) {
  const { db } = ctx;
  const customer = (await findCustomer(db, ecpdId)) ?? refuse(operatorFaults.noCustomer);
  const pricePlanTriggers = await countTriggersOf(db, ecpdId);
  return {
    ...customer,
    devices: await countDevicesOfProfile(db, ecpdId),
    users: await countUsersOf(db, ecpdId),
    listeners: await countListenersOf(db, ecpdId),
    triggers: pricePlanTriggers + (await countUsageTriggersOf(db, ecpdId)),
    ratePlanGroups: await countGroupsOf(db, ecpdId),
    notificationGroups: await countNotificationGroups(db, ecpdId),
    deletion: (await findDeletion(ctx, ecpdId)) ?? null,
  };
}

/** Returns the id of the job. If one is already waiting or running, returns that one. */
export const startDeletion = (outer: Ctx, ecpdId: string): Promise<string> =>
  inTx(
    outer,
    async (ctx) => {
      if ((await findCustomer(ctx.db, ecpdId)) === undefined) refuse(operatorFaults.noCustomer);
      await enqueueJobs(ctx, DELETE_CUSTOMER, ecpdId, [{ payload: { by: ctx.actor.name }, key: 'only' }]);
      return (await findDeletion(ctx, ecpdId))!.jobId;
    },
    ecpdId,
  );

const deleteOneAccount = (ctx: Ctx, { ecpdId, accountName }: Tenant, network: LineNetwork | undefined) =>
  deleteWholeAccount(ctx, { ecpdId, accountName }, network, (tx) =>
    writeAudit(tx, { action: 'deleteAccount', target: accountName, ecpdId, accountName }),
  );

/** False if the customer has a new account. */
const deleteEmptied = (outer: Ctx, ecpdId: string): Promise<boolean> =>
  inTx(
    outer,
    async (ctx) => {
      const { db } = ctx;
      await db.allowTime(ERASE_MS);
      if (!(await lockProfile(db, ecpdId))) return true;
      const { accountCount } = (await findCustomer(db, ecpdId))!;
      if (accountCount > 0) return false;
      await eraseStates(db, { ecpdId: ecpdId as EcpdId });
      await writeAudit(ctx, { action: 'deleteCustomer', target: ecpdId, ecpdId });
      await deletePositionNews(db, ecpdId);
      await deleteBatches(db, ecpdId);
      await deleteProfile(db, ecpdId);
      return true;
    },
    ecpdId,
  );

/** Deletes account by account, then the customer's own records. Safe to repeat. */
export async function deleteCustomer(
  ctx: Ctx,
  ecpdId: string,
  network: LineNetwork | undefined,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const [account] = await listAccounts(ctx.db, { after: '', ecpdId, limit: 1 });
    if (account !== undefined) await deleteOneAccount(ctx, account, network);
    else if (await deleteEmptied(ctx, ecpdId)) return;
  }
}
