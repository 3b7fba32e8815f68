import { toDeviceRefs } from '../../kernel/device-id.ts';
import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import { tenantOf } from '../../platform/jobs/job.ts';
import { failed } from '../callback-payloads/index.ts';
import { postCallbacks } from '../callbacks/index.ts';
import { lockAccountOfDevices, toDeviceFault } from '../carrier-requests/index.ts';
import { type LastVersions, listLastVersions, parseRule } from '../price-plan-triggers/index.ts';
import { type ActingDeps, DROPPED, FAILED, SKIPPED } from './action.ts';
import { lineFaults } from './errors.ts';
import { continueLater, lockLanes, startFree } from './lane.ts';
import {
  countLines,
  dropOpen,
  endActions,
  findLinesLeft,
  type LinesLeft,
  listOpenActions,
  removeFirst,
} from './sql-action.ts';
import { leaveOut, markFailures } from './sql-firing-action.ts';
import { listIdentifiers } from './sql-lines.ts';
import { deleteLines, listNext } from './sql-queue.ts';

const TRIGGERS_AT_ONCE = 100;
const LINES_AT_ONCE = 1_000;

type Body = LastVersions['body'];
const ruleOf = ({ pricePlanTrigger }: Body) => parseRule(pricePlanTrigger).value;

/** Whether the rule suspends in all accounts that it watches: then a change of these accounts does not edit its action. */
function isEverywhere(rule: ReturnType<typeof ruleOf>): boolean {
  if (rule?.kind !== 'payAsYouGo' || rule.action.type !== 'suspend') return false;
  return rule.action.fromAccounts.join() === rule.accountNames.join();
}

function isEdited(before: Body, after: Body): boolean {
  const rules = [ruleOf(before), ruleOf(after)];
  const withoutAccounts = rules.every(isEverywhere);
  const [was, is] = rules.map((rule) =>
    JSON.stringify({ ...rule?.action, ...(withoutAccounts && { fromAccounts: [] }) }),
  );
  return was !== is;
}

function reasonToDrop({ isThere, active, body, before }: LastVersions): string | undefined {
  if (!isThere) return DROPPED.deleted;
  if (!active) return DROPPED.off;
  return before !== null && isEdited(before, body) ? DROPPED.edited : undefined;
}

/**
 * Call it in the transaction that wrote or deleted triggers. What their actions have not started does not start any more,
 * from the commit on; a job reports it.
 */
export async function dropActions(tx: Ctx, ecpdId: string, triggerIds: readonly string[]): Promise<void> {
  const { db } = tx;
  const open = await listOpenActions(db, ecpdId, triggerIds);
  if (open.length === 0) return;
  await lockLanes(tx, ecpdId, [...new Set(open.flatMap(({ accountNames }) => accountNames))]);
  const dropped: { readonly actionId: string; readonly accountName: string }[] = [];
  for (let n = 0; n < open.length; n += TRIGGERS_AT_ONCE) {
    const ids = open.slice(n, n + TRIGGERS_AT_ONCE).map(({ triggerId }) => triggerId);
    for (const versions of await listLastVersions(db, ecpdId, ids)) {
      const { triggerId } = versions;
      const reason = reasonToDrop(versions);
      if (reason !== undefined)
        dropped.push(...(await dropOpen(db, ecpdId, { triggerId, reason, now: tx.now() })));
    }
  }
  for (const [accountName, own] of Map.groupBy(dropped, (action) => action.accountName))
    await continueLater(
      tx,
      tenantOf(ecpdId, accountName),
      own.map(({ actionId }) => actionId),
    );
}

/** Takes lines of an action out of their queues, and ends it with the last of them. */
async function removeLines(tx: Ctx, tenant: Tenant, { actionId, deviceIds }: LinesLeft): Promise<void> {
  const { db } = tx;
  await removeFirst(db, tenant.ecpdId, actionId, deviceIds.length);
  await deleteLines(db, tenant, actionId, deviceIds);
  await endActions(db, tenant, [actionId], { noLine: SKIPPED.noLine, now: tx.now() });
}

/** Reports the next lines of dropped actions, and starts what waited for them. Returns whether there may be more. */
export const reportDropped = (
  outer: Ctx,
  tenant: Tenant,
  actionIds: readonly string[],
  deps: ActingDeps,
): Promise<boolean> =>
  inTx(outer, async (ctx) => {
    const { db } = ctx;
    const { ecpdId, accountName } = tenant;
    await lockAccountOfDevices(db, tenant);
    const [lane] = await lockLanes(ctx, ecpdId, [accountName]);
    if (lane === undefined) return false;
    const left = await findLinesLeft(db, ecpdId, actionIds, { which: 'dropped', limit: LINES_AT_ONCE });
    if (left === undefined) return false;
    const { actionId, deviceIds } = left;
    const reason = left.reason ?? FAILED;
    const fault = toDeviceFault(lineFaults.dropped, reason);
    const callbacks = (await listIdentifiers(db, tenant, deviceIds)).map((ids) => ({
      accountName,
      serviceName: 'CarrierService' as const,
      requestId: actionId,
      payload: failed({ requestId: actionId, deviceIds: toDeviceRefs(ids) }, fault),
    }));
    await postCallbacks(ctx, ecpdId, callbacks);
    await leaveOut(db, ecpdId, actionId, { deviceIds, state: 'dropped', reason });
    await removeLines(ctx, tenant, left);
    await startFree(ctx, tenant, { deviceIds }, deps);
    return true;
  });

/**
 * Every attempt to report or to start the next lines of an action failed: they end so, because others wait behind them. Reports
 * nothing and starts nothing, because one of these failed. Returns whether there may be more.
 */
const giveUpLines = (outer: Ctx, tenant: Tenant, actionId: string): Promise<boolean> =>
  inTx(outer, async (tx) => {
    const { db } = tx;
    const { ecpdId, accountName } = tenant;
    await lockLanes(tx, ecpdId, [accountName]);
    const left = await findLinesLeft(db, ecpdId, [actionId], { which: 'all', limit: LINES_AT_ONCE });
    if (left === undefined) return false;
    const { deviceIds, dropped, reason } = left;
    if (dropped)
      await leaveOut(db, ecpdId, actionId, { deviceIds, state: 'dropped', reason: reason ?? FAILED });
    else {
      const failures = deviceIds.map((deviceId) => ({ deviceId, state: 'failed', reason: FAILED }) as const);
      await markFailures(db, tenant, actionId, failures);
      await countLines(db, tenant, actionId, { succeeded: 0, failures });
    }
    await removeLines(tx, tenant, left);
    await continueLater(tx, tenant, await listNext(db, tenant, deviceIds));
    return true;
  });

/** Any of several actions may be why all of them failed, so each gets attempts of its own. */
export async function giveUpActions(ctx: Ctx, tenant: Tenant, actionIds: readonly string[]): Promise<void> {
  const [only, ...others] = actionIds;
  if (only === undefined) return;
  if (others.length === 0) while (await giveUpLines(ctx, tenant, only));
  else await inTx(ctx, (tx) => continueLater(tx, tenant, actionIds, 1));
}
