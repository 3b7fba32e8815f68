import { writeAudit } from '../../platform/context/audit.ts';
import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { enqueueJobs } from '../../platform/jobs/enqueue.ts';
import { withdrawFromEarlier } from './carry-consents.ts';
import { type ListedDevice, parseDeviceList, repeated, requireRegistered, sentFor } from './check-request.ts';
import { type ConsentLevel, DENIED, DEVICES_MAX, parseLevel } from './consent.ts';
import { hasNumber } from './device-ref.ts';
import { consentFaults, deviceListFaults } from './errors.ts';
import { enqueueConsentsGiven, reportAccountConsent, reportDeviceConsents } from './jobs.ts';
import { type FoundDevice, lockDevices } from './sql-device.ts';
import { holdAccount } from './sql-exclusion-list.ts';
import { lockLevel, setDeviceLevels, setLevelForAll } from './sql-level.ts';

/** Clearing a million levels of single devices takes longer than the usual time limit of a statement. */
const CLEARING_MS = 5 * 60_000;

const requireLevel = (given: unknown, field: string): ConsentLevel =>
  parseLevel(given) ?? refuse(consentFaults.invalidLevel, { reason: `${field} is 0, 1, 2 or 3` });

/** The level is in force when this returns; reports follow. Returns their transaction id. */
export const setAccountConsent = (
  outer: Ctx,
  tenant: Tenant,
  given: { readonly allDeviceConsent: unknown; readonly deviceList: unknown },
  username: string,
): Promise<string> =>
  inTx(outer, async (ctx) => {
    await requireRegistered(ctx, tenant);
    const level = requireLevel(given.allDeviceConsent, 'allDeviceConsent');
    const { deviceList = [] } = given;
    if (!Array.isArray(deviceList) || deviceList.length > 0)
      refuse(deviceListFaults.conflictingList, { reason: 'single devices are set with POST' });
    await ctx.db.allowTime(CLEARING_MS);
    await holdAccount(ctx.db, tenant);
    const before = await lockLevel(ctx, tenant);
    const changed = await setLevelForAll(ctx.db, tenant, level, { at: before.at, actor: username });
    if (changed > 0 && level !== DENIED) await enqueueConsentsGiven(ctx, tenant);
    if (changed > 0) await withdrawFromEarlier(ctx.db, tenant.ecpdId, [tenant.accountName]);
    const transactionID = ctx.newId();
    const { accountName } = tenant;
    await enqueueJobs(ctx, reportAccountConsent, tenant.ecpdId, [
      { payload: { transactionID, accountName, level, reported: false } },
    ]);
    await writeAudit(ctx, {
      action: 'setAccountConsent',
      ...tenant,
      ...(before.level !== undefined && { before: { allDeviceConsent: before.level } }),
      after: { allDeviceConsent: level, transactionID },
    });
    return transactionID;
  });

interface WantedLevel {
  readonly id: string;
  readonly kind: string;
  readonly mdn?: string;
  readonly consent?: unknown;
}

/** Returns the wanted devices with their keys, or refuses the first error. */
function requireValid<D extends ListedDevice>(
  wanted: readonly D[],
  found: readonly FoundDevice[],
  list: readonly WantedLevel[],
): readonly (D & { readonly deviceId: string })[] {
  const byPlace = new Map(found.map((device) => [device.nth, device]));
  const missing = wanted.filter((_, nth) => !byPlace.has(nth));
  if (missing.length > 0) refuse(deviceListFaults.deviceNotFound, { named: missing.map(sentFor) });
  const devices = wanted.map((device, nth) => ({ ...device, ...byPlace.get(nth)! }));
  const others = devices.filter((device) => !hasNumber(device, list[device.nth]!.mdn));
  if (others.length > 0) refuse(deviceListFaults.ownershipFailed, { named: others.map(sentFor) });
  const again = repeated(devices, ({ deviceId }) => deviceId);
  if (again.length > 0) refuse(deviceListFaults.duplicateDevices, { named: again.map(sentFor) });
  return devices;
}

/** Sets all levels of the list or none. Returns the transaction id of the reports. */
export const setDeviceConsents = (
  outer: Ctx,
  tenant: Tenant,
  list: readonly WantedLevel[],
  username: string,
): Promise<string> =>
  inTx(outer, async (ctx) => {
    await requireRegistered(ctx, tenant);
    const wanted = parseDeviceList(list, DEVICES_MAX).map((device, n) => ({
      ...device,
      level: requireLevel(list[n]!.consent, 'consent'),
    }));
    await holdAccount(ctx.db, tenant);
    const before = await lockLevel(ctx, tenant);
    const found = await lockDevices(ctx.db, tenant, wanted);
    const devices = requireValid(wanted, found, list);
    const changed = await setDeviceLevels(ctx.db, tenant, devices, { at: before.at, actor: username });
    if (changed > 0 && devices.some(({ level }) => level !== DENIED)) await enqueueConsentsGiven(ctx, tenant);
    const ids = devices.map(({ deviceId }) => deviceId);
    if (changed > 0) await withdrawFromEarlier(ctx.db, tenant.ecpdId, [tenant.accountName], ids);
    const transactionID = ctx.newId();
    await enqueueJobs(ctx, reportDeviceConsents, tenant.ecpdId, [
      {
        payload: {
          transactionID,
          accountName: tenant.accountName,
          level: before.level ?? DENIED,
          devices: devices.map(({ deviceId, kind, value, level }) => ({ deviceId, kind, id: value, level })),
        },
      },
    ]);
    await writeAudit(ctx, {
      action: 'setDeviceConsents',
      ...tenant,
      after: { devices: devices.length, transactionID },
    });
    return transactionID;
  });
