import { isAccountName, isEcpdId } from '../../../kernel/account-name.ts';
import { cycleOf } from '../../../kernel/bill-cycle.ts';
import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import { findAccount } from '../../accounts/index.ts';
import { suspendDevices } from '../../device-lifecycle/index.ts';
import { areActionsPaused } from '../../firings/index.ts';
import { changePlansByItself } from '../../plan-change/index.ts';
import { daysIn } from '../../usage/index.ts';
import { type ActingDeps, SKIPPED } from './action.ts';
import { movedInChain } from './chain.ts';
import {
  findNext,
  lockLaneRows,
  setRunning,
  skipAction,
  skipWaiting,
  type WaitingAction,
} from './sql-action.ts';
import { leaveOut } from './sql-asked.ts';
import { listStillOnPlans } from './sql-lines.ts';

function tenantOf(ecpdId: string, accountName: string): Tenant {
  if (!isEcpdId(ecpdId) || !isAccountName(accountName)) throw new Error('the action names no account');
  return { ecpdId, accountName };
}

/** In the order of their names. Nobody else adds, starts or ends actions of these accounts until the transaction ends. */
export async function lockLanes(
  { db }: Ctx,
  ecpdId: string,
  accountNames: readonly string[],
): Promise<readonly Tenant[]> {
  if (accountNames.length === 0) return [];
  const locked = await lockLaneRows(db, ecpdId, accountNames);
  return locked.map(({ accountName }) => tenantOf(ecpdId, accountName));
}

async function startOfNextCycle({ db, now }: Ctx, tenant: Tenant): Promise<Date> {
  const account = await findAccount(db, tenant);
  const { dayAt, startOf } = daysIn(account?.timeZone ?? 'UTC');
  return new Date(startOf(cycleOf('Monthly', dayAt(now().getTime()), account?.billCycleDay ?? 1).to));
}

/** Answers the ids of the requests that carry it out. */
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
      duration === 'NextBillCycle' ? { untilDate: await startOfNextCycle(tx, tenant) } : { days: duration };
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

/**
 * Starts the account's next action, unless one is under way: it sees what the one before has done. Its lane is locked.
 */
export async function startNext(tx: Ctx, tenant: Tenant, deps: ActingDeps): Promise<void> {
  const { db } = tx;
  for (;;) {
    const next = await findNext(db, tenant);
    if (next === undefined) return;
    // Also what was decided before the pause and has not begun.
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
