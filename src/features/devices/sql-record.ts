import { DEVICE_ID_KINDS } from '../../kernel/device-id.ts';
import { writeAudited } from '../../platform/audit.ts';
import type { Ctx } from '../../platform/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { nextId, sql, trusted } from '../../platform/db/sql.ts';
import type { DeviceKey } from './device.ts';

/** What the record of a device holds, but for what the service says of it. */
export const asOwned = (row: string) =>
  trusted(`${row}.record || jsonb_strip_nulls(jsonb_build_object('kind', ${row}.kind,
    ${DEVICE_ID_KINDS.map((kind) => `'${kind}', ${row}.${kind}`).join(', ')}))`);

/** What the patch names is replaced, the rest stays. Call it in the transaction that has locked the device. */
export const updateRecord = (
  db: Db,
  { ecpdId, accountName, deviceId }: DeviceKey,
  patch: Readonly<Record<string, unknown>>,
  now: Date,
) =>
  db.exec(sql`
    update device d set record = d.record || ${JSON.stringify(patch)}::jsonb, last_updated = ${now},
      version = d.version + 1, version_id = ${nextId('d.version_id', now)}
    where d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and d.device_id = ${deviceId}`);

/** Before devices are deleted: the sensors that have one of them as their parent have none from now on. */
export const detachSensors = (ctx: Ctx, ecpdId: string, parentIds: readonly string[]) =>
  writeAudited(
    ctx,
    { actorKind: 'system', actor: 'deletion of the parent device', action: 'detachSensor' },
    sql`sensor as materialized (
        select * from device
        where ecpd_id = ${ecpdId} and record ? 'parentdeviceid'
          and record->>'parentdeviceid' = any(${plainArray(parentIds)}::text[])
        order by device_id for update),
      detached as (
        update device d set record = d.record - 'parentdeviceid', last_updated = ${ctx.now()}, version = d.version + 1,
          version_id = ${nextId('d.version_id', ctx.now())}
        from sensor s where d.ecpd_id = ${ecpdId} and d.device_id = s.device_id
        returning d.device_id, d.record, d.version)`,
    sql`select s.device_id::text as target, s.ecpd_id, s.account_name,
          s.record || jsonb_build_object('version', s.version::text) as before,
          d.record || jsonb_build_object('version', d.version::text) as after
        from sensor s join detached d on d.device_id = s.device_id`,
  );

/** Before devices are deleted: how each of them was. Who deletes them is told by the line of the request. */
export const auditDeleted = (ctx: Ctx, ecpdId: string, deviceIds: readonly string[]) =>
  writeAudited(
    ctx,
    { actorKind: 'system', actor: 'deletion of the device', action: 'deleteDeviceRecord' },
    sql`gone as (
      select * from device where ecpd_id = ${ecpdId} and device_id = any(${plainArray(deviceIds)}::uuid[]))`,
    sql`select g.device_id::text as target, g.ecpd_id, g.account_name,
          ${asOwned('g')} || jsonb_build_object('version', g.version::text) as before, null::jsonb as after
        from gone g`,
  );
