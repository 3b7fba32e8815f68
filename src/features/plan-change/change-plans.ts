import { dayFinder, monthOf } from '../../kernel/bill-cycle.ts';
import type { Ctx, Tenant } from '../../platform/context.ts';
import { findAccount } from '../accounts/index.ts';
import { planChanged } from '../callbacks/index.ts';
import {
  defineOperation,
  type LockedDevice,
  type Outcome,
  toDeviceFault,
  type WorkedRequest,
  wordOf,
} from '../carrier-requests/index.ts';
import { countPlanChanges, type PlaceOfUse, setPlans, upsertPlacesOfUse } from '../devices/index.ts';
import { findPlanRules, listServiceableZips, needsQualification } from '../plans/index.ts';
import { planChangeFaults } from './errors.ts';
import { judgeDevice, type Verdict } from './judge-device.ts';
import { StoredChange } from './schemas.ts';
import { takePlaces } from './sql.ts';

/** The first moment of the calendar month where the account is. */
async function startOfMonth({ db, now }: Ctx, tenant: Tenant): Promise<Date> {
  const { dayAt, startOf } = dayFinder((await findAccount(db, tenant))?.timeZone ?? 'UTC');
  return new Date(startOf(monthOf(dayAt(now().getTime()))));
}

/** By device; empty where the request came without addresses. */
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

async function judgeAll(
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
  const counts = await countPlanChanges(ctx.db, tenant, ids, await startOfMonth(ctx, tenant));
  return new Map(
    devices.map((device) => {
      const place = places.get(device.deviceId);
      const changesThisMonth = counts.get(device.deviceId) ?? 0;
      return [
        device.deviceId,
        judgeDevice(device, { change, plan, place, serviceableZips, changesThisMonth }),
      ];
    }),
  );
}

/** Judges and changes a set of locked devices; what they were changed to before is counted under the same locks. */
async function handle(
  ctx: Ctx,
  tenant: Tenant,
  request: WorkedRequest<StoredChange>,
  devices: readonly LockedDevice[],
): Promise<ReadonlyMap<string, Outcome>> {
  const { servicePlan: planCode, since } = request.body;
  const effectiveAt = since === undefined ? ctx.now() : new Date(since);
  const places = await placesOf(ctx, tenant, request, devices);
  const verdicts = await judgeAll(ctx, tenant, request.body, devices, places);
  const changed = devices.filter(({ deviceId }) => verdicts.get(deviceId) === 'change');
  await setPlans(
    ctx,
    tenant,
    changed.map(({ deviceId }) => ({ deviceId, planCode, since: effectiveAt })),
    { cause: 'change', changedBy: request.createdBy },
  );
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
      const at = verdict === 'change' ? effectiveAt : (device.planSince ?? effectiveAt);
      return [device.deviceId, { payload: planChanged(device.answered, { effectiveAt: at }) }];
    }),
  );
}

export const planChange = defineOperation({
  name: 'plan-change',
  body: StoredChange,
  toldKinds: ['imei', 'imsi', 'msisdn', 'iccid', 'mdn', 'min'],
  handle,
});
