import { writeAudit } from '../../../platform/context/audit.ts';
import { type Ctx, inTx, type Tenant } from '../../../platform/context/context.ts';
import { updateRecord } from '../../devices/index.ts';
import { findOneDevice } from '../querying/find-device.ts';
import { documentOf } from '../querying/wire.ts';
import { lockOwnRecord } from './own-record.ts';
import { requireModest } from './parse-fields.ts';
import type { ConfigurationResult, SetConfigurationBody } from './schemas.ts';

/**
 * Stores the configuration of a device in `fields` of its record: named members are replaced, the others stay.
 * Returns a successful action with the whole configuration. The audit log holds only the named members:
 * configurations change often, and the record may be large.
 */
export const setConfiguration = (
  outer: Ctx,
  tenant: Tenant,
  { resourceidentifier, versionid, configuration }: SetConfigurationBody,
): Promise<ConfigurationResult> =>
  inTx(outer, async (ctx) => {
    const { id: deviceId, kind } = await findOneDevice(ctx.db, tenant, resourceidentifier);
    const named = { kind, id: deviceId, cause: 'resourceidentifier' };
    const present = await lockOwnRecord(ctx, tenant, named, versionid);
    const { fields: had } = documentOf(present);
    const fields = { ...(had as object | undefined), ...configuration };
    requireModest(fields, 'configuration');
    const now = ctx.now();
    await updateRecord(ctx.db, { ...tenant, deviceId }, { fields }, now);
    const { foreignId, version, versionId } = await lockOwnRecord(ctx, tenant, named);
    await writeAudit(ctx, {
      ...{ action: 'setDeviceConfiguration', target: deviceId, at: now },
      ...tenant,
      before: { fields: had, version: present.version },
      after: { fields, version },
    });
    const transactionid = ctx.newId();
    return {
      id: transactionid,
      transactionid,
      deviceid: deviceId,
      fields,
      foreignid: foreignId,
      createdon: now.toISOString(),
      lastupdated: now.toISOString(),
      state: 'success',
      version,
      versionid: versionId,
    };
  });
