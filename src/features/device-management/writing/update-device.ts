import { type Ctx, inTx, type Tenant } from '../../../platform/context/context.ts';
import { updateRecord } from '../../devices/index.ts';
import { findLicenses } from '../querying/assigned-licenses.ts';
import { findOneDevice } from '../querying/find-device.ts';
import type { WireRecord } from '../querying/wire.ts';
import { changeOwn, idOf } from './own-record.ts';
import { pick, requireModest } from './parse-fields.ts';
import { DeviceFields, type UpdateDeviceBody } from './schemas.ts';

/** Changes the owner's fields of a device, gateway or sensor; absent ones stay, customdata is replaced as a whole. */
export const updateDevice = (outer: Ctx, tenant: Tenant, body: UpdateDeviceBody): Promise<WireRecord> =>
  inTx(outer, async (ctx) => {
    const { device, versionid } = body;
    requireModest(device.customdata, 'device.customdata');
    const resource = body.id === undefined ? body.resourceidentifier : { id: idOf(body.id, 'id') };
    const { id, kind } = await findOneDevice(ctx.db, tenant, resource);
    const named = { kind, id, cause: 'id', seen: [versionid, device.versionid] };
    const { stored, wire } = await changeOwn(ctx, tenant, 'updateDeviceRecord', named, (_, at) =>
      updateRecord(ctx.db, { ...tenant, deviceId: id }, pick(device, DeviceFields), at),
    );
    const complete = await findLicenses(ctx.db, tenant, [stored], 'id');
    return complete(wire, stored);
  });
