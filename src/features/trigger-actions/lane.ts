import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { tenantOf } from '../../platform/jobs/job.ts';
import { type EndedRequest, listFailures } from '../carrier-requests/index.ts';
import { suspendDevices } from '../device-lifecycle/index.ts';
import { areActionsPaused } from '../firings/index.ts';
import { changePlansByItself } from '../plan-change/index.ts';
import { type ActingDeps, type NewAction, SKIPPED } from './action.ts';
import type { Chain } from './chain.ts';
import { movedInChain } from './chain.ts';
import { findOpenMonth } from './resolve-pool.ts';
import {
  countRequest,
  findActionOf,
  findNext,
  insertActions,
  lockLaneRows,
  setRunning,
  skipAction,
  skipWaiting,
  type WaitingAction,
} from './sql-action.ts';
import { leaveOut, markFailures } from './sql-firing-action.ts';
import { listStillOnPlans } from './sql-lines.ts';

/** Locks lanes by account name. Until the transaction ends, nothing else adds, starts or ends their actions. */
export async function lockLanes(
  { db }: Ctx,
  ecpdId: string,
  accountNames: readonly string[],
): Promise<readonly Tenant[]> {
  if (accountNames.length === 0) return [];
  const locked = await lockLaneRows(db, ecpdId, accountNames);
  return locked.map(({ accountName }) => tenantOf(ecpdId, accountName));
}

/** Returns the ids of the requests that carry out the action. */
async function carryOut(
  tx: Ctx,
  tenant: Tenant,
  { act, triggerId }: WaitingAction,
  deviceIds: readonly string[],
  { workJob }: ActingDeps,
): Promise<readonly string[]> {
  const requestedBy = `trigger ${triggerId}`;
  if (act.kind === 'suspend') {
    const { duration, withBilling } = act.params;
    const end =
      duration === 'NextBillCycle' ? { untilDate: (await findOpenMonth(tx, tenant)).to } : { days: duration };
    return suspendDevices(tx, tenant, deviceIds, { ...end, withBilling, requestedBy }, workJob);
  }
  const { planCodes, toPlan: servicePlan, effective: effectiveAt, notBefore } = act.params;
  const [fromPlan, ...others] = planCodes;
  const requestIds: string[] = [];
  for (let n = 0; n < deviceIds.length; n += workJob.devicesMax) {
    const requestId = await changePlansByItself(
      tx,
      tenant,
      {
        deviceIds: deviceIds.slice(n, n + workJob.devicesMax),
        servicePlan,
        ...(fromPlan !== undefined && others.length === 0 && { fromPlan }),
        effectiveAt,
        ...(notBefore !== undefined && { notBefore }),
        requestedBy,
      },
      workJob,
    );
    if (requestId !== undefined) requestIds.push(requestId);
  }
  return requestIds;
}

/** Starts the account's next action unless one is running, so that each sees the previous result. Needs the lane's lock. */
export async function startNext(tx: Ctx, tenant: Tenant, deps: ActingDeps): Promise<void> {
  const { db } = tx;
  for (;;) {
    const next = await findNext(db, tenant);
    if (next === undefined) return;
    // This includes actions that were decided before the pause and have not started.
    if (await areActionsPaused(tx)) return skipWaiting(db, tenant, SKIPPED.paused, tx.now());
    const { actionId, act, chainId } = next;
    const moved = await movedInChain(tx, tenant.ecpdId, act.kind === 'changePlan' ? chainId : null);
    const again = next.deviceIds.filter((deviceId) => moved.has(deviceId));
    if (again.length > 0) await leaveOut(db, tenant, actionId, again, SKIPPED.moved);
    const deviceIds = next.deviceIds.filter((deviceId) => !moved.has(deviceId));
    const still = await listStillOnPlans(db, tenant, deviceIds, act.params.planCodes);
    const present = new Set(still);
    const gone = deviceIds.filter((deviceId) => !present.has(deviceId));
    if (gone.length > 0) await leaveOut(db, tenant, actionId, gone, SKIPPED.left);
    const requestIds = still.length === 0 ? [] : await carryOut(tx, tenant, next, still, deps);
    if (requestIds.length > 0) return setRunning(db, tenant, actionId, requestIds);
    await skipAction(db, tenant, actionId, SKIPPED.noLine, tx.now());
  }
}

/**
 * Inserts the planned actions in the transaction in which the triggers fired, after people were notified: like firings,
 * actions commit with the usage that caused them. Requests carry them out later, one after the other in each account.
 */
export async function startActions(
  ctx: Ctx,
  ecpdId: string,
  actions: readonly NewAction[],
  { chain, ...deps }: ActingDeps & { readonly chain: Chain | undefined },
): Promise<void> {
  if (actions.length === 0) return;
  const waiting = actions.filter(({ state }) => state === 'waiting');
  const accountNames = waiting.map(({ accountName }) => accountName);
  // The request that moved the usage ends in its account's lane: lock that lane now, to keep the order of names.
  if (chain !== undefined) accountNames.push(chain.accountName);
  const lanes = await lockLanes(ctx, ecpdId, [...new Set(accountNames)]);
  await insertActions(ctx.db, ecpdId, actions, ctx.now());
  for (const lane of lanes) await startNext(ctx, lane, deps);
}

/** Called in the transaction that ends a request. Stores the outcome of its action, if it has one, and starts the next. */
export async function endAction(
  tx: Ctx,
  tenant: Tenant,
  { requestId, succeeded, failed }: EndedRequest,
  deps: ActingDeps,
): Promise<void> {
  const { db } = tx;
  const action = await findActionOf(db, tenant, requestId);
  if (action === undefined) return;
  await lockLanes(tx, tenant.ecpdId, [tenant.accountName]);
  const failures = failed === 0 ? [] : await listFailures(db, tenant, requestId);
  await markFailures(db, tenant, action.actionId, failures);
  const counts = { succeeded, failed, reason: failures[0]?.reason, now: tx.now() };
  if (await countRequest(db, tenant, action.actionId, counts)) await startNext(tx, tenant, deps);
}
