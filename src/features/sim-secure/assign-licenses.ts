import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { licenseChanged } from '../callback-payloads/index.ts';
import {
  createRequest,
  defineOperation,
  type LockedDevice,
  type Outcome,
  parseDevices,
  toDeviceFault,
  type WorkedRequest,
  type WorkJob,
} from '../carrier-requests/index.ts';
import { licenseDeviceFaults, licenseFaults } from './errors.ts';
import { isLicenseSku, isLifetimeSku } from './license-skus.ts';
import { type AssignBody, StoredAssignment } from './schemas.ts';
import {
  countAssigned,
  deleteAssignments,
  findSku,
  insertAssignments,
  listAssigned,
  lockLicense,
} from './sql.ts';

const DEVICES_MAX = 100;

type Handle = (
  ctx: Ctx,
  tenant: Tenant,
  request: WorkedRequest<StoredAssignment>,
  devices: readonly LockedDevice[],
) => Promise<ReadonlyMap<string, Outcome>>;

/** A device that already has the licence keeps it: repeated requests take one licence. */
const assign: Handle = async (ctx, tenant, { body: { skuNumber } }, devices) => {
  const { db } = ctx;
  const license = { ...tenant, skuNumber };
  const purchased = (await lockLicense(db, license)) ?? 0;
  const ids = devices.map(({ deviceId }) => deviceId);
  const had = await listAssigned(db, license, ids);
  let left = purchased - (await countAssigned(db, license));
  const assigned: string[] = [];
  const outcomes = devices.map(({ deviceId, state, answered }): [string, Outcome] => {
    const payload = licenseChanged(answered, { skuNumber, action: 'assign' });
    if (state !== 'active') return [deviceId, { fault: toDeviceFault(licenseDeviceFaults.notActive) }];
    if (had.has(deviceId)) return [deviceId, { payload }];
    if (left <= 0) return [deviceId, { fault: toDeviceFault(licenseDeviceFaults.noneLeft) }];
    left--;
    assigned.push(deviceId);
    return [deviceId, { payload }];
  });
  await insertAssignments(db, license, assigned, ctx.now());
  return new Map(outcomes);
};

/** A device in any state can return its licence, because others may need it. */
const unassign: Handle = async ({ db }, tenant, { body: { skuNumber } }, devices) => {
  const license = { ...tenant, skuNumber };
  await lockLicense(db, license);
  const ids = devices.map(({ deviceId }) => deviceId);
  const had = await listAssigned(db, license, ids);
  const isLifetime = isLifetimeSku(skuNumber);
  if (!isLifetime) await deleteAssignments(db, license, [...had]);
  return new Map(
    devices.map(({ deviceId, answered }): [string, Outcome] => {
      if (!had.has(deviceId)) return [deviceId, { fault: toDeviceFault(licenseDeviceFaults.notAssigned) }];
      if (isLifetime) return [deviceId, { fault: toDeviceFault(licenseDeviceFaults.lifetime) }];
      return [deviceId, { payload: licenseChanged(answered, { skuNumber, action: 'unassign' }) }];
    }),
  );
};

export const assignLicenses = defineOperation({
  name: 'license-assign',
  body: StoredAssignment,
  handle: assign,
});

export const unassignLicenses = defineOperation({
  name: 'license-unassign',
  body: StoredAssignment,
  handle: unassign,
});

/** Accepts a request to assign licences to devices or to take them back. */
export async function requestLicenses(
  ctx: Ctx,
  tenant: Tenant,
  { body, ...asked }: { body: AssignBody; operation: typeof assignLicenses; createdBy: string },
  workJob: WorkJob,
): Promise<{ readonly requestId: string }> {
  if (body.devices.length > DEVICES_MAX) refuse(licenseFaults.tooManyDevices);
  const selection = parseDevices(body.devices);
  const skuNumber =
    (await findSku(ctx.db, tenant, body.skuNumber)) ??
    refuse(isLicenseSku(body.skuNumber) ? licenseFaults.skuNotFound : licenseFaults.badSku);
  return createRequest(ctx, tenant, { ...asked, body: { skuNumber }, selection }, workJob);
}
