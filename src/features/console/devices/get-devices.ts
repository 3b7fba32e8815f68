import { addDays, cycleOf, dayFinder } from '../../../kernel/bill-cycle.ts';
import { toDeviceRefs } from '../../../kernel/device-id.ts';
import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import { type FaultKind, refuse } from '../../../platform/context/fault.ts';
import type { GeneralFaults } from '../../../platform/http/faults.ts';
import { findAccount } from '../../accounts/index.ts';
import { listRequestsOfDevice } from '../../carrier-requests/index.ts';
import { getConsentHistory } from '../../consents/index.ts';
import { listSuspensionsOfDevice } from '../../device-lifecycle/index.ts';
import { findDevice, listPlanChanges } from '../../devices/index.ts';
import { listUsageDays, sumUsageOfDevices } from '../../usage/index.ts';
import { consoleFaults } from '../errors.ts';
import { type DeviceSearch, findDevices } from './find-devices.ts';

const CHANGES_SHOWN = 50;
const USAGE_DAYS_SHOWN = 90;
/** A day can have several plans. */
const USAGE_ENTRIES_MAX = 1_000;

/** A page of lines, each with what it has used in the open billing month. */
export async function listFleet({ db, now }: Ctx, tenant: Tenant, asked: DeviceSearch, unknown: FaultKind) {
  const { timeZone, billCycleDay } = (await findAccount(db, tenant)) ?? refuse(unknown);
  const cycle = cycleOf('Monthly', dayFinder(timeZone).dayAt(now().getTime()), billCycleDay);
  // In a transaction for the sake of a connection of its own: a search by a part of the name looks at many devices.
  const { devices, next } = await db.tx((tx) => findDevices(tx, tenant, asked), { readOnly: true });
  const ids = devices.map(({ deviceId }) => deviceId);
  const used = await sumUsageOfDevices(db, tenant, cycle, ids);
  return {
    devices: devices.map((device) => ({
      ...device,
      ids: toDeviceRefs(device),
      usedBytes: Number(used.get(device.deviceId) ?? 0),
    })),
    ...(next !== undefined && { next }),
  };
}

/** What a device used, day by day where the account is. */
async function listDays({ db, now }: Ctx, tenant: Tenant, deviceId: string, unknown: FaultKind) {
  const { timeZone } = (await findAccount(db, tenant)) ?? refuse(unknown);
  const to = addDays(dayFinder(timeZone).dayAt(now().getTime()), 1);
  const span = { from: addDays(to, -USAGE_DAYS_SHOWN), to };
  const used = await listUsageDays(db, tenant, span, [deviceId], USAGE_ENTRIES_MAX);
  const bytesOf = Map.groupBy(used, ({ day }) => day);
  return Array.from({ length: USAGE_DAYS_SHOWN }, (_, n) => {
    const day = addDays(span.from, n);
    return { day, bytes: (bytesOf.get(day) ?? []).reduce((sum, { bytes }) => sum + Number(bytes), 0) };
  });
}

/** One device and its history. Where it is has a page of its own, which asks for consent. */
export async function getDevice(ctx: Ctx, tenant: Tenant, deviceId: string, faults: GeneralFaults) {
  const { db } = ctx;
  const device = await findDevice(db, { ...tenant, deviceId });
  if (device === undefined) return refuse(consoleFaults.noDevice);
  const { simulation, record, labels, ...rest } = device;
  const text = (name: string) => (typeof record[name] === 'string' ? (record[name] as string) : null);
  return {
    ...rest,
    deviceId: deviceId.toLowerCase(),
    labels: [...labels],
    ids: toDeviceRefs(device),
    online: simulation.online ?? true,
    name: text('name'),
    description: text('description'),
    manufacturer: text('manufacturer'),
    model: text('productmodel'),
    software: text('softwareversion'),
    plans: await listPlanChanges(db, tenant, deviceId, CHANGES_SHOWN),
    requests: await listRequestsOfDevice(db, tenant, deviceId, CHANGES_SHOWN),
    suspensions: await listSuspensionsOfDevice(db, tenant, deviceId, CHANGES_SHOWN),
    days: await listDays(ctx, tenant, deviceId, faults.accountUnknownInPath),
    consents: await getConsentHistory(ctx, { ...tenant, deviceId }, {}, faults.invalid),
  };
}
