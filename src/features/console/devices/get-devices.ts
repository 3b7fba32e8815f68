import { addDays } from '../../../kernel/bill-cycle.ts';
import { type Boundaries, calendarOf, dateOf } from '../../../kernel/calendar.ts';
import { toDeviceRefs } from '../../../kernel/device-id.ts';
import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import { type FaultKind, refuse } from '../../../platform/context/fault.ts';
import type { GeneralFaults } from '../../../platform/http/faults.ts';
import { findAccount } from '../../accounts/index.ts';
import { getConsentHistory } from '../../consents/index.ts';
import { isLineConnected, listSessions } from '../../data-sessions/index.ts';
import { listSuspensionsOfDevice } from '../../device-lifecycle/index.ts';
import { findDevice } from '../../devices/index.ts';
import { listLicensesOfDevices } from '../../sim-secure/index.ts';
import { listUsageDays, sumUsageOfDevices } from '../../usage/index.ts';
import { consoleFaults } from '../errors.ts';
import { listPlanFacts } from '../overview/sql-usage.ts';
import type { DeviceFilter } from './device-filter.ts';
import { countDevices, type DeviceSearch, findDevices } from './find-devices.ts';

const CHANGES_SHOWN = 50;
const SESSIONS_SHOWN = 20;
const USAGE_DAYS_SHOWN = 90;
/** A day can have several plans. */
const USAGE_ENTRIES_MAX = 1_000;

/** A device has at most one licence of each of the four kinds. */
const LICENSES_MAX = 100;

const openCycleOf = async ({ db, now }: Ctx, tenant: Tenant, unknown: FaultKind) => {
  const account = (await findAccount(db, tenant)) ?? refuse(unknown);
  const { cycleAt, daysOf } = calendarOf(account);
  return { account, cycle: daysOf(cycleAt('Monthly', now().getTime())) };
};

/** A page of lines, each with its usage in the open billing month. */
export async function listFleet(ctx: Ctx, tenant: Tenant, asked: DeviceSearch, unknown: FaultKind) {
  const { db } = ctx;
  const { cycle } = await openCycleOf(ctx, tenant, unknown);
  // A transaction has a connection of its own: a search by a part of the name scans many devices.
  const { devices, next } = await db.tx((tx) => findDevices(tx, tenant, asked), { readOnly: true });
  const ids = devices.map(({ deviceId }) => deviceId);
  const used = await sumUsageOfDevices(db, tenant, cycle, ids);
  return {
    devices: devices.map(({ place, ...device }) => ({
      ...device,
      ids: toDeviceRefs(device),
      usedBytes: Number(used.get(device.deviceId) ?? 0),
    })),
    ...(next !== undefined && { next }),
  };
}

export const countFleet = (
  { db }: Ctx,
  tenant: Tenant,
  asked: DeviceFilter & { search?: string | undefined },
) => db.tx((tx) => countDevices(tx, tenant, { search: undefined, ...asked }), { readOnly: true });

/** The daily usage of a device, in the time zone of the account. */
async function listDays({ db, now }: Ctx, tenant: Tenant, deviceId: string, account: Boundaries) {
  const { datesOf, dayAt } = calendarOf(account);
  const to = addDays(dateOf(dayAt(now().getTime())), 1);
  const span = datesOf({ from: addDays(to, -USAGE_DAYS_SHOWN), to });
  const used = await listUsageDays(db, tenant, span, [deviceId], USAGE_ENTRIES_MAX);
  const bytesOf = Map.groupBy(used, ({ day }) => dateOf(day));
  return Array.from({ length: USAGE_DAYS_SHOWN }, (_, n) => {
    const day = addDays(span.from, n);
    return { day, bytes: (bytesOf.get(day) ?? []).reduce((sum, { bytes }) => sum + Number(bytes), 0) };
  });
}

/** Its usage in the open billing month, with the allowance of its plan for a line. */
async function getUse(ctx: Ctx, tenant: Tenant, deviceId: string, plan: string | null, unknown: FaultKind) {
  const { account, cycle } = await openCycleOf(ctx, tenant, unknown);
  const used = await sumUsageOfDevices(ctx.db, tenant, cycle, [deviceId]);
  const [facts] = plan === null ? [] : await listPlanFacts(ctx.db, [plan]);
  return {
    days: await listDays(ctx, tenant, deviceId, account),
    cycle: {
      from: cycle.from,
      to: cycle.to,
      usedBytes: Number(used.get(deviceId) ?? 0),
      allowanceBytes: facts?.allowanceBytes ?? null,
    },
    planName: facts?.name ?? null,
  };
}

/** One device. Its positions have a route that checks consent, and its history is read in pages. */
export async function getDevice(ctx: Ctx, tenant: Tenant, given: string, faults: GeneralFaults) {
  const { db } = ctx;
  const deviceId = given.toLowerCase();
  const device = await findDevice(db, { ...tenant, deviceId });
  if (device === undefined) return refuse(consoleFaults.noDevice);
  const { simulation: _, record, labels, ...rest } = device;
  const text = (name: string) => (typeof record[name] === 'string' ? (record[name] as string) : null);
  const licenses = await listLicensesOfDevices(db, tenant, [deviceId], LICENSES_MAX);
  return {
    ...rest,
    deviceId,
    labels: [...labels],
    ids: toDeviceRefs(device),
    online: await isLineConnected(db, { ...tenant, deviceId }),
    sessions: [...(await listSessions(db, { ...tenant, deviceId }, SESSIONS_SHOWN))],
    name: text('name'),
    description: text('description'),
    manufacturer: text('manufacturer'),
    model: text('productmodel'),
    software: text('softwareversion'),
    suspensions: await listSuspensionsOfDevice(db, tenant, deviceId, CHANGES_SHOWN),
    ...(await getUse(ctx, tenant, deviceId, device.servicePlan, faults.accountUnknownInPath)),
    consents: await getConsentHistory(ctx, { ...tenant, deviceId }, {}, faults.invalid),
    licenses: [...(licenses?.get(deviceId) ?? [])],
  };
}
