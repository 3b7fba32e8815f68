import { asThemselves, DEVICE_ID_KINDS } from '../../kernel/device-id.ts';
import { writeAudited } from '../../platform/context/audit.ts';
import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { arrayText } from '../../platform/db/array-text.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { nextId, type Query, sql, trusted } from '../../platform/db/sql.ts';
import type { DeviceKey } from './device.ts';
import type { PlaceOfUse } from './place/schemas.ts';
import { lineChanges } from './sql-history.ts';

/** The audited columns of a device, by their names in the audit log. */
const AUDITED = {
  kind: 'kind',
  ...asThemselves(DEVICE_ID_KINDS),
  lineState: 'state',
  servicePlan: 'service_plan',
  planSince: 'plan_since',
  ipAddress: 'ip_address',
  nodeUuid: 'node_uuid',
  iot: 'iot',
  activatedBySku: 'activated_by_sku',
  otaUpdated: 'ota_updated',
  labels: 'labels',
  foreignid: 'foreign_id',
};

type Audited = Readonly<Record<string, string>>;

const asObject = (members: readonly (readonly [name: string, value: string])[]): string =>
  `jsonb_strip_nulls(jsonb_build_object(${members.map(([name, value]) => `'${name}', ${value}`).join(', ')}))`;

/**
 * Everything stored about a device except its version, dates and simulated behaviour: its position must not outlive it
 * in a log.
 */
export const asKept = (row: string) =>
  trusted(
    `${row}.record || ${asObject(Object.entries(AUDITED).map(([name, column]) => [name, `${row}.${column}`]))}`,
  );

/** The columns for `asChanged` under separate names, so that the returning clause builds no objects. */
const columnsAs = (row: string, prefix: string, audited: Audited) =>
  trusted(
    Object.entries({ ...audited, version: 'version::text' })
      .map(([name, column]) => `${row}.${column} as "${prefix}${name}"`)
      .join(', '),
  );

const asChanged = (row: string, prefix: string, audited: Audited) =>
  trusted(asObject([...Object.keys(audited), 'version'].map((name) => [name, `${row}."${prefix}${name}"`])));

interface DeviceChange {
  readonly action: string;
  /** What the change may touch, by name in the audit log. An entry has only these, however large the record is. */
  readonly audited: Audited;
  /** Defines `c`, with a `device_id` per row; `d` is that device. */
  readonly from: Query;
  readonly set: (at: Date) => Query;
  /** Further writes in the same statement: `written` has the `device_id`, `service_plan` and `plan_since` of each device. */
  readonly also?: (at: Date) => Query;
}

/** Changes devices that the caller has locked, and records them before and after, in one statement with one time. */
export const changeDevices = (
  ctx: Ctx,
  { ecpdId, accountName }: Tenant,
  { action, audited, from, set, also }: DeviceChange,
) =>
  writeAudited(
    ctx,
    ecpdId,
    action,
    (at) => sql`written as (
      update device d set ${set(at)}, last_updated = ${at}, version = d.version + 1,
        version_id = ${nextId('d.version_id', at)}
      from ${from}
      join device o on o.ecpd_id = ${ecpdId} and o.device_id = c.device_id
      where d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and d.device_id = c.device_id
      returning d.device_id, d.account_name, d.state, d.service_plan, d.plan_since, o.state as was_state,
        o.service_plan as was_plan, o.plan_since as was_since, ${columnsAs('o', 'before_', audited)},
        ${columnsAs('d', 'after_', audited)}),
      ${lineChanges(ecpdId, at, sql`select * from written`)}${also?.(at) ?? sql``}`,
    sql`select w.device_id::text as target, ${accountName}::text as account_name,
          ${asChanged('w', 'before_', audited)} as before, ${asChanged('w', 'after_', audited)} as after
        from written w`,
  );

/** Replaces the members that the patch names. Call it in the transaction that has locked the device. */
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

/** Before devices are deleted: removes them as the parents of their sensors. */
export const detachSensors = (ctx: Ctx, ecpdId: string, parentIds: readonly string[]) =>
  writeAudited(
    ctx,
    ecpdId,
    'detachSensor',
    (at) => sql`sensor as materialized (
        select * from device
        where ecpd_id = ${ecpdId} and record ? 'parentdeviceid'
          and record->>'parentdeviceid' = any(${plainArray(parentIds)}::text[])
        order by device_id for update),
      detached as (
        update device d set record = d.record - 'parentdeviceid', last_updated = ${at}, version = d.version + 1,
          version_id = ${nextId('d.version_id', at)}
        from sensor s where d.ecpd_id = ${ecpdId} and d.device_id = s.device_id
        returning d.device_id, d.record, d.version)`,
    sql`select s.device_id::text as target, s.account_name,
          s.record || jsonb_build_object('version', s.version::text) as before,
          d.record || jsonb_build_object('version', d.version::text) as after
        from sensor s join detached d on d.device_id = s.device_id`,
  );

/** Before devices are deleted: records each device as it was, and the end of its line. */
export const auditDeleted = (ctx: Ctx, ecpdId: string, deviceIds: readonly string[]) =>
  writeAudited(
    ctx,
    ecpdId,
    'deleteDeviceRecord',
    (at) => sql`gone as materialized (
      select * from device where ecpd_id = ${ecpdId} and device_id = any(${plainArray(deviceIds)}::uuid[])),
      ${lineChanges(
        ecpdId,
        at,
        sql`select account_name, device_id, state as was_state, service_plan as was_plan, plan_since as was_since,
              null as state, null as service_plan, null::timestamptz as plan_since from gone`,
      )}`,
    sql`select g.device_id::text as target, g.account_name,
          ${asKept('g')} || jsonb_build_object('version', g.version::text) as before, null::jsonb as after
        from gone g`,
  );

interface UsedAt {
  readonly deviceId: string;
  readonly place: PlaceOfUse;
}

/** The caller has locked the devices, so no other transaction writes about them at the same time. */
export const upsertPlacesOfUse = (db: Db, { ecpdId }: Tenant, used: readonly UsedAt[], now: Date) =>
  db.exec(sql`
    insert into device_place_of_use (ecpd_id, device_id, place, changed_at)
    select p.ecpd_id, new.device_id, new.place, ${now}
    from profile p cross join unnest(${plainArray(used.map(({ deviceId }) => deviceId))}::uuid[],
      ${arrayText(used.map(({ place }) => JSON.stringify(place)))}::jsonb[]) as new (device_id, place)
    where p.ecpd_id = ${ecpdId}
    order by new.device_id
    on conflict (ecpd_id, device_id) do update set place = excluded.place, changed_at = excluded.changed_at`);
