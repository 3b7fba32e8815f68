import { type Ctx, inTx, type Tenant } from '../../../platform/context/context.ts';
import { updateRecord } from '../../devices/index.ts';
import { readLicenses } from '../querying/assigned-licenses.ts';
import { findOneDevice } from '../querying/find-device.ts';
import { toWireRecord, type WireRecord } from '../querying/wire.ts';
import { auditChange } from './audit-change.ts';
import { idOf, lockOwnRecord } from './lock-own-record.ts';
import { pick, requireModest } from './read-fields.ts';
import { DeviceFields, type UpdateDeviceBody } from './schemas.ts';

const OWN_FIELDS = Object.keys(DeviceFields.properties).filter((name) => name !== 'versionid');

/** What owners say of a device, gateway or sensor: what is absent stays; customdata is replaced whole. */
export const updateDevice = (outer: Ctx, tenant: Tenant, body: UpdateDeviceBody): Promise<WireRecord> =>
  inTx(outer, async (ctx) => {
    const { device, versionid } = body;
    requireModest(device.customdata, 'device.customdata');
    const resource = body.id === undefined ? body.resourceidentifier : { id: idOf(body.id, 'id') };
    const { id, kind } = await findOneDevice(ctx.db, tenant, resource);
    const named = { id, cause: 'id' };
    const present = await lockOwnRecord(ctx, tenant, kind, named, versionid, device.versionid);
    const at = ctx.now();
    await updateRecord(ctx.db, { ...tenant, deviceId: id }, pick(device, OWN_FIELDS), at);
    const written = await lockOwnRecord(ctx, tenant, kind, named);
    const [before, after] = [present, written].map((one) => toWireRecord(one, tenant.accountName));
    await auditChange(ctx, tenant, 'updateDeviceRecord', { at, before: before!, after: after! });
    const complete = await readLicenses(ctx.db, tenant, [written], 'id');
    return complete(after!, written);
  });
