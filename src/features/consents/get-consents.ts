import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { type DeviceKey, findDeviceKey } from '../devices/index.ts';
import { requireRegistered } from './check-request.ts';
import { DEVICES_MAX, EXCLUSIONS_MAX } from './consent.ts';
import { parseLocationDevice, parseLocationId, parseLocationKind } from './device-ref.ts';
import { deviceListFaults } from './errors.ts';
import { findDevicesByAnyId } from './sql-device.ts';
import { findExclusionPage } from './sql-exclusion-list.ts';
import { type DeviceLevel, findDeviceLevel, findLevel, listDeviceLevels } from './sql-level.ts';
import { toTextTimestamp, toWireDevice } from './wire.ts';

/** The account's device with the identifier, of the given kind or of any kind of the location area. */
export async function findOwnDevice(
  { db }: Ctx,
  tenant: Tenant,
  { id, kind }: { readonly id: string; readonly kind?: string | undefined },
): Promise<DeviceKey> {
  if (kind === undefined) {
    const identifier = parseLocationId(id) ?? refuse(deviceListFaults.badDeviceId);
    const [found] = await findDevicesByAnyId(db, tenant, [identifier]);
    return {
      ...tenant,
      deviceId: found?.deviceId ?? refuse(deviceListFaults.deviceNotFound, { named: [id] }),
    };
  }
  const known = parseLocationKind(kind) ?? refuse(deviceListFaults.invalidDeviceKind);
  const key = await findDeviceKey(db, parseLocationDevice(known, id) ?? refuse(deviceListFaults.badDeviceId));
  const isOwn = key?.ecpdId === tenant.ecpdId && key.accountName === tenant.accountName;
  return isOwn ? key : refuse(deviceListFaults.deviceNotFound, { named: [id] });
}

const toWire = (row: DeviceLevel) => {
  const device = toWireDevice(row);
  return device === undefined || row.level === null ? [] : [{ ...device, consent: row.level }];
};

/** With a device, the level that applies to it; without one, the devices that have their own level. */
export async function getLevels(
  ctx: Ctx,
  tenant: Tenant,
  { deviceId, after }: { readonly deviceId?: string | undefined; readonly after?: string | undefined },
) {
  const { accountName } = tenant;
  const level = await findLevel(ctx.db, tenant);
  const levels = { accountName, ...(level !== undefined && { allDeviceConsent: level }) };
  if (deviceId !== undefined) {
    const device = await findOwnDevice(ctx, tenant, { id: deviceId });
    const row = await findDeviceLevel(ctx.db, tenant, device.deviceId);
    return { ...levels, deviceList: row === undefined ? [] : toWire(row), hasMoreData: false };
  }
  const last = after === undefined ? undefined : await findOwnDevice(ctx, tenant, { id: after });
  const rows = await listDeviceLevels(ctx.db, tenant, { after: last?.deviceId, limit: DEVICES_MAX + 1 });
  return {
    ...levels,
    deviceList: rows.slice(0, DEVICES_MAX).flatMap(toWire),
    hasMoreData: rows.length > DEVICES_MAX,
  };
}

/** For an account that never had a list, answers an empty one. */
export async function getExclusions(ctx: Ctx, tenant: Tenant, startIndex: number) {
  await requireRegistered(ctx, tenant);
  const page = await findExclusionPage(ctx.db, tenant, { startIndex, limit: EXCLUSIONS_MAX });
  const { identifiers = [], totalCount = 0 } = page ?? {};
  return {
    accountName: tenant.accountName,
    allDevice: page?.allDevice ?? false,
    exclusion: identifiers,
    hasMoreData: startIndex + identifiers.length < totalCount,
    totalCount,
    updateTime: page === undefined ? '' : toTextTimestamp(page.updatedAt),
  };
}
