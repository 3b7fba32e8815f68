import { dayFinder, monthOf } from '../../kernel/bill-cycle.ts';
import { calendarOf } from '../../kernel/calendar.ts';
import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { findAccount } from '../accounts/index.ts';
import { planChanged } from '../callback-payloads/index.ts';
import {
  type CarrierOperation,
  defineOperation,
  type LockedDevice,
  type Outcome,
  toDeviceFault,
  type WorkedRequest,
  wordOf,
} from '../carrier-requests/index.ts';
import {
  countPlanChanges,
  listArrivals,
  type PlaceOfUse,
  setPlans,
  upsertPlacesOfUse,
} from '../devices/index.ts';
import { findPlanRules, listServiceableZips, needsQualification } from '../plans/index.ts';
import { countMovable, type MovedLine, type MoveWatcher, moveUsage, prepareMove } from '../usage/index.ts';
import { planChangeFaults } from './errors.ts';
import { evaluateDevice, type Verdict } from './evaluate-device.ts';
import { PLAN_CHANGE, type StoredChange } from './schemas.ts';
import { takePlaces } from './sql.ts';

/** Places of use by device; empty if the request came without addresses. */
async function placesOf(
  { db }: Ctx,
  tenant: Tenant,
  { requestId, body }: WorkedRequest<StoredChange>,
  devices: readonly LockedDevice[],
): Promise<ReadonlyMap<string, PlaceOfUse>> {
  if (!body.hasPlaces) return new Map();
  const deviceIds = new Map(
    devices.flatMap(({ deviceId, answered }) =>
      answered.deviceIds.slice(0, 1).map((first) => [wordOf(first), deviceId] as const),
    ),
  );
  const taken = await takePlaces(db, tenant, requestId, [...deviceIds.keys()]);
  return new Map(taken.map(({ namedBy, place }) => [deviceIds.get(namedBy)!, place]));
}

async function evaluateAll(
  ctx: Ctx,
  tenant: Tenant,
  change: StoredChange,
  devices: readonly LockedDevice[],
  places: ReadonlyMap<string, PlaceOfUse>,
): Promise<ReadonlyMap<string, Verdict>> {
  const plan = await findPlanRules(ctx.db, change.servicePlan);
  if (plan === undefined)
    return new Map(devices.map(({ deviceId }) => [deviceId, { fault: planChangeFaults.planNotFound }]));
  const zips = needsQualification(plan) ? [...places.values()].map(({ address }) => address.zip) : [];
  const serviceableZips = zips.length > 0 ? await listServiceableZips(ctx.db, zips) : new Set<string>();
  const ids = devices.map(({ deviceId }) => deviceId);
  // A calendar month in the account's time zone.
  const { dayAt, startOf } = dayFinder((await findAccount(ctx.db, tenant))?.timeZone ?? 'UTC');
  const startOfMonth = new Date(startOf(monthOf(dayAt(ctx.now().getTime()))));
  const counts = await countPlanChanges(ctx.db, tenant, ids, startOfMonth);
  return new Map(
    devices.map((device) => {
      const { deviceId } = device;
      const place = places.get(deviceId);
      const changesThisMonth = counts.get(deviceId) ?? 0;
      return [deviceId, evaluateDevice(device, { change, plan, place, serviceableZips, changesThisMonth })];
    }),
  );
}

/**
 * Is notified of changed plans, and of counters that usage was moved to. A later feature implements it, and `app`
 * passes it in.
 */
interface PlanChangeWatcher extends MoveWatcher {
  /** Called in the transaction that has changed the plans, before the usage is moved. */
  readonly noteChanged: (
    ctx: Ctx,
    tenant: Tenant,
    changed: { readonly requestId: string; readonly deviceIds: readonly string[] },
  ) => Promise<void>;
}

/** Puts lines on the plan, and moves their usage if the change is backdated. Returns when each change takes effect. */
async function changeLines(
  ctx: Ctx,
  tenant: Tenant,
  { requestId, body, createdBy }: WorkedRequest<StoredChange>,
  deviceIds: readonly string[],
  watcher: PlanChangeWatcher,
): Promise<ReadonlyMap<string, Date>> {
  const { servicePlan: planCode } = body;
  const now = ctx.now();
  const lines = body.backDate
    ? await effectiveSince(ctx, tenant, body, deviceIds)
    : deviceIds.map((deviceId) => ({ deviceId, since: now }));
  await setPlans(
    ctx,
    tenant,
    lines.map((line) => ({ ...line, planCode })),
    { cause: 'change', changedBy: createdBy },
  );
  await watcher.noteChanged(ctx, tenant, { requestId, deviceIds });
  if (body.backDate) await moveUsage(ctx, tenant, { requestId, planCode, lines }, watcher);
  return new Map(lines.map(({ deviceId, since }) => [deviceId, since]));
}

/** Evaluates and changes a set of locked devices. Their earlier changes are counted under the same locks. */
const handleWith =
  (watcher: PlanChangeWatcher): CarrierOperation<typeof StoredChange>['handle'] =>
  async (ctx, tenant, request, devices) => {
    const places = await placesOf(ctx, tenant, request, devices);
    const verdicts = await evaluateAll(ctx, tenant, request.body, devices, places);
    const changed = devices.filter(({ deviceId }) => verdicts.get(deviceId) === 'change');
    const deviceIds = changed.map(({ deviceId }) => deviceId);
    const since = await changeLines(ctx, tenant, request, deviceIds, watcher);
    const used = devices.flatMap(({ deviceId }) => {
      const place = places.get(deviceId);
      const verdict = verdicts.get(deviceId);
      return place !== undefined && (verdict === 'change' || verdict === 'has it already')
        ? [{ deviceId, place }]
        : [];
    });
    if (used.length > 0) await upsertPlacesOfUse(ctx.db, tenant, used, ctx.now());
    return new Map(
      devices.map((device): [string, Outcome] => {
        const verdict = verdicts.get(device.deviceId)!;
        if (verdict === 'skip') return [device.deviceId, { skipped: true }];
        if (typeof verdict === 'object') return [device.deviceId, { fault: toDeviceFault(verdict.fault) }];
        const effectiveAt = since.get(device.deviceId) ?? device.planSince ?? ctx.now();
        return [device.deviceId, { payload: planChanged(device.answered, { effectiveAt }) }];
      }),
    );
  };

export const planChange = (watcher: PlanChangeWatcher) =>
  defineOperation({
    ...PLAN_CHANGE,
    changesLines: {},
    callbackKinds: ['imei', 'imsi', 'msisdn', 'iccid', 'mdn', 'min'],
    prepare: async (ctx, tenant, { backDate }) => {
      if (backDate) await prepareMove(ctx, tenant.ecpdId, [tenant.accountName]);
    },
    countFitting: async (ctx, tenant, body, deviceIds) =>
      body.backDate
        ? countMovable(ctx, tenant, {
            planCode: body.servicePlan,
            lines: await effectiveSince(ctx, tenant, body, deviceIds),
          })
        : deviceIds.length,
    handle: handleWith(watcher),
  });

/**
 * When a backdated change takes effect for each line: at the start of the account's open bill cycle, because a closed
 * one stays as it is, or when the line came to the account, if that was later.
 */
async function effectiveSince(
  ctx: Ctx,
  tenant: Tenant,
  { notBefore }: StoredChange,
  deviceIds: readonly string[],
): Promise<readonly MovedLine[]> {
  const account = await findAccount(ctx.db, tenant);
  const calendar = calendarOf(account ?? { timeZone: 'UTC', billCycleDay: 1, boundaries: null });
  const { fromMs } = calendar.cycleAt('Monthly', ctx.now().getTime());
  const start = Math.max(fromMs, notBefore === undefined ? 0 : Date.parse(notBefore));
  const arrivals = await listArrivals(ctx.db, tenant, deviceIds);
  return deviceIds.map((deviceId) => {
    const arrivedAt = arrivals.get(deviceId)?.getTime() ?? 0;
    return { deviceId, since: new Date(Math.max(start, arrivedAt)) };
  });
}
