import { Type } from 'typebox';
import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { enqueueJobs } from '../../platform/jobs/enqueue.ts';
import { tenantOf } from '../../platform/jobs/job.ts';
import { listRequestedDevices, type SettledLines } from '../carrier-requests/index.ts';
import { isExpired, suspendDevices } from '../device-lifecycle/index.ts';
import { areActionsPaused } from '../firings/index.ts';
import { changePlansByItself } from '../plan-change/index.ts';
import { type ActingDeps, type NewAction, SKIPPED } from './action.ts';
import type { Chain } from './chain.ts';
import { movedInChain } from './chain.ts';
import { findOpenMonth } from './resolve-pool.ts';
import {
  countLines,
  endActions,
  findActionOf,
  insertActions,
  lockLaneRows,
  noteReason,
  setRunning,
} from './sql-action.ts';
import { type Failure, leaveOut, markFailures } from './sql-firing-action.ts';
import { listStillOnPlans } from './sql-lines.ts';
import { type Among, deleteLines, type FreeAction, listFree, queueLines, setStarted } from './sql-queue.ts';

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
  { act, triggerId }: FreeAction,
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

/** So many actions start in one transaction; a job starts the others. */
const ACTIONS_AT_ONCE = 20;
const ACTIONS_PER_JOB = 500;

/** What callers need to enqueue the job that starts actions, and reports those that were dropped. */
export const CONTINUE = {
  kind: 'price-plan-triggers.continue-actions',
  schema: Type.Object({ accountName: Type.String(), actionIds: Type.Array(Type.String()) }),
  attemptsMax: 20,
} as const;

export async function continueLater(
  tx: Ctx,
  { ecpdId, accountName }: Tenant,
  actionIds: readonly string[],
  perJob = ACTIONS_PER_JOB,
): Promise<void> {
  const jobs = Array.from({ length: Math.ceil(actionIds.length / perJob) }, (_, n) => ({
    payload: { accountName, actionIds: actionIds.slice(n * perJob, (n + 1) * perJob) },
  }));
  if (jobs.length > 0) await enqueueJobs(tx, CONTINUE, ecpdId, jobs);
}

/** Starts the free lines of an action, and returns those that there was nothing to do for: they are free for the next action. */
async function startOne(
  tx: Ctx,
  tenant: Tenant,
  free: FreeAction,
  { isPaused, ...deps }: ActingDeps & { readonly isPaused: boolean },
): Promise<readonly string[]> {
  const { db } = tx;
  const { actionId, act, chainId } = free;
  const leftOut: string[] = [];
  let open = free.deviceIds;
  const leave = async (reason: string, isLeft: (deviceId: string) => boolean) => {
    const deviceIds = open.filter(isLeft);
    if (deviceIds.length === 0) return;
    await leaveOut(db, tenant.ecpdId, actionId, { deviceIds, state: 'skipped', reason });
    await deleteLines(db, tenant, actionId, deviceIds);
    leftOut.push(...deviceIds);
    open = open.filter((deviceId) => !isLeft(deviceId));
  };
  // This includes actions that were decided before the pause and have not started.
  if (isPaused) {
    await noteReason(db, tenant.ecpdId, actionId, SKIPPED.paused);
    await leave(SKIPPED.paused, () => true);
  }
  const moved = await movedInChain(tx, tenant.ecpdId, act.kind === 'changePlan' ? chainId : null);
  await leave(SKIPPED.moved, (deviceId) => moved.has(deviceId));
  const still = new Set(await listStillOnPlans(db, tenant, open, act.params.planCodes));
  await leave(SKIPPED.left, (deviceId) => !still.has(deviceId));
  const requestIds = open.length === 0 ? [] : await carryOut(tx, tenant, free, open, deps);
  const started = await listRequestedDevices(db, tenant, requestIds);
  for (const { requestId, deviceIds } of started)
    await setStarted(db, tenant, actionId, { requestId, deviceIds });
  // A line that was deleted in the meantime is in no request.
  const requested = new Set(started.flatMap(({ deviceIds }) => deviceIds));
  await leave(SKIPPED.left, (deviceId) => !requested.has(deviceId));
  if (requestIds.length > 0) await setRunning(db, tenant, actionId, requestIds);
  return leftOut;
}

/**
 * Starts what is free among these lines or actions, so that each action sees the result of the one before it on the same
 * line, and waits for no other line. Needs the lane's lock.
 */
export async function startFree(tx: Ctx, tenant: Tenant, among: Among, deps: ActingDeps): Promise<void> {
  const { db } = tx;
  let found = await listFree(db, tenant, among);
  if (found.length === 0) return;
  const isPaused = await areActionsPaused(tx);
  for (let places = ACTIONS_AT_ONCE; found.length > 0; ) {
    const now = found.slice(0, places);
    places -= now.length;
    await continueLater(
      tx,
      tenant,
      found.slice(now.length).map(({ actionId }) => actionId),
    );
    const freed: string[] = [];
    for (const each of now) freed.push(...(await startOne(tx, tenant, each, { ...deps, isPaused })));
    const ids = now.map(({ actionId }) => actionId);
    await endActions(db, tenant, ids, { noLine: SKIPPED.noLine, now: tx.now() });
    found = freed.length === 0 ? [] : await listFree(db, tenant, { deviceIds: freed });
  }
}

/**
 * Inserts the planned actions in the transaction in which the triggers fired, after people were notified: like firings,
 * actions commit with the usage that caused them. Requests carry them out later, each line in its own order.
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
  const actionIds = waiting.map(({ actionId }) => actionId);
  await queueLines(ctx.db, ecpdId, actionIds);
  if (actionIds.length > 0) for (const lane of lanes) await startFree(ctx, lane, { actionIds }, deps);
}

const failureOf = ({ deviceId, fault }: SettledLines['lines'][number]): readonly Failure[] =>
  fault === undefined
    ? []
    : [{ deviceId, state: isExpired(fault) ? 'expired' : 'failed', reason: fault.faultstring }];

/**
 * Called in the transaction that settles lines of a request. Stores what became of them in its action, if it has one, and
 * starts the actions that waited for these lines.
 */
export async function settleLines(
  tx: Ctx,
  tenant: Tenant,
  { requestId, lines }: SettledLines,
  deps: ActingDeps,
): Promise<void> {
  const { db } = tx;
  const action = await findActionOf(db, tenant, requestId);
  if (action === undefined) return;
  const { actionId } = action;
  await lockLanes(tx, tenant.ecpdId, [tenant.accountName]);
  const deviceIds = lines.map(({ deviceId }) => deviceId);
  const failures = lines.flatMap(failureOf);
  await deleteLines(db, tenant, actionId, deviceIds);
  await markFailures(db, tenant, actionId, failures);
  await countLines(db, tenant, actionId, { succeeded: lines.length - failures.length, failures });
  await endActions(db, tenant, [actionId], { noLine: SKIPPED.noLine, now: tx.now() });
  await startFree(tx, tenant, { deviceIds }, deps);
}
