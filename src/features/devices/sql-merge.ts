import { DEVICE_ID_KINDS } from '../../kernel/device-id.ts';
import type { RowId } from '../../platform/chance/chance.ts';
import { writeAudited } from '../../platform/context/audit.ts';
import type { Ctx } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { sql, trusted } from '../../platform/db/sql.ts';
import type { Found } from '../../platform/fleet-document/section.ts';
import { PROBLEMS_MAX } from '../../platform/fleet-document/verify-entries.ts';
import { keepOwners, lineChanges, ownedSince } from './sql-history.ts';
import { importedPlans } from './sql-plan.ts';
import { asKept } from './sql-record.ts';

/**
 * Locks the devices before the merge reads them, in separate statements: their data then stays unchanged until it is
 * written, and the merge keeps concurrent changes instead of undoing them. Accounts come first, as in every change of
 * devices and deletion of accounts, so that transactions cannot deadlock.
 */
export async function lockStagedDevices({ db }: Ctx, ecpdIds: readonly string[]): Promise<void> {
  for (const ecpdId of ecpdIds) {
    await db.exec(sql`
      select 1 from account a
      where a.ecpd_id = ${ecpdId} and a.account_name in (
        select s.body->>'accountName' from staged_device s where s.ecpd_id = ${ecpdId})
      order by a.account_name for key share`);
  }
  for (const ecpdId of ecpdIds) {
    await db.exec(sql`
      select 1 from device d
      where d.ecpd_id = ${ecpdId} and d.device_id in (
        select s.device_id from staged_device s where s.ecpd_id = ${ecpdId})
      order by d.device_id for no key update`);
    await forgetDeletedDevices(db, ecpdId);
  }
}

/** Treats a device that was deleted after its lookup as new: its identifiers are added to the directory again. */
const forgetDeletedDevices = (db: Ctx['db'], ecpdId: string) =>
  db.exec(sql`
    with known as materialized (
      select d.device_id from device d where d.ecpd_id = ${ecpdId} and d.device_id in (
        select s.known_id from staged_device s where s.ecpd_id = ${ecpdId}))
    update staged_identifier i set device_id = null
    from staged_device s
    where s.ecpd_id = ${ecpdId} and s.known_id is not null and i.position = s.position and i.device_id is not null
      and s.known_id not in (select device_id from known)`);

const KINDS = trusted(`array[${DEVICE_ID_KINDS.map((kind) => `'${kind}'`).join(', ')}]`);

/** Stages one row for each identifier of each staged device, with the device that already has it. */
export async function stageIdentifiers(db: Db): Promise<void> {
  await db.exec(sql`
    create temporary table staged_identifier on commit drop as
    select s.position, s.ecpd_id, s.body->>'accountName' as account_name, k.kind, s.body->>k.kind as value,
      di.device_id, di.ecpd_id as owner_ecpd_id, di.account_name as owner_account_name
    from staged_entry s cross join unnest(${KINDS}) as k (kind)
    left join device_identifier di on di.kind = k.kind and di.value = s.body->>k.kind
    where s.section = 'devices' and s.body ? k.kind`);
  await db.exec(sql`analyze staged_identifier`);
}

export const listIdentifierConflicts = (db: Db) =>
  db.many<Found>(sql`
    (select position, '/' || kind as path, 'stands in the document twice' as detail from (
       select position, kind, row_number() over (partition by kind, value order by position) as n
       from staged_identifier) numbered where n > 1)
    union all
    (select position, '/' || kind, 'belongs to a device of another account' from staged_identifier
     where device_id is not null and (owner_ecpd_id, owner_account_name) is distinct from (ecpd_id, account_name))
    union all
    (select position, '', 'has identifiers of two different devices' from staged_identifier
     group by position having count(distinct device_id) > 1)
    union all
    (select max(position), '', 'names the same device as an earlier entry' from staged_identifier
     where device_id is not null group by device_id having count(distinct position) > 1)
    limit ${PROBLEMS_MAX}`);

/** Finds the device of each entry: the one with its identifiers, the one with its record id, or a new one. */
export async function stageDevices({ db, chance }: Ctx): Promise<void> {
  await db.exec(sql`
    create temporary table staged_device on commit drop as
    select s.position, s.ecpd_id, known.device_id as known_id,
      coalesce(known.device_id, (s.body->'record'->>'id')::uuid,
        ${chance.rowIds()(sql`s.position::text`)}) as device_id, s.body
    from staged_entry s
    left join (select distinct on (position) position, device_id from staged_identifier where device_id is not null
               order by position) known using (position)
    where s.section = 'devices'`);
  await db.exec(sql`create index on staged_device (ecpd_id, device_id)`);
  await db.exec(sql`analyze staged_device`);
}

export const listRecordIdConflicts = (db: Db) =>
  db.many<Found>(sql`
    with taken as materialized (
      select d.ecpd_id, d.device_id, d.account_name from device d where (d.ecpd_id, d.device_id) in (
        select s.ecpd_id, s.device_id from staged_device s where s.known_id is null and s.body->'record' ? 'id'))
    select position, '/record/id' as path, 'is not the id of the stored device' as detail
    from staged_device where known_id is not null and body->'record' ? 'id' and (body->'record'->>'id')::uuid <> known_id
    union all
    select s.position, '/record/id', 'belongs to another device'
    from staged_device s join taken t on t.ecpd_id = s.ecpd_id and t.device_id = s.device_id
    where s.known_id is null and t.account_name <> s.body->>'accountName'
    union all
    select max(position), '/record/id', 'stands in the document twice' from staged_device
    group by ecpd_id, device_id having count(*) > 1
    limit ${PROBLEMS_MAX}`);

const identifierColumns = DEVICE_ID_KINDS.join(', ');
const mergedIdentifiers = DEVICE_ID_KINDS.map(
  (kind) => `coalesce(s.body->>'${kind}', d.${kind}) as ${kind}`,
).join(', ');

const COLUMNS =
  trusted(`ecpd_id, device_id, account_name, kind, state, service_plan, plan_since, ${identifierColumns}, node_uuid,
  iot, activated_by_sku, ota_updated, labels, record, simulation, foreign_id, created_on, version`);

/** A change of any of these columns raises the version. Simulated behaviour is not part of the record. */
const VERSIONED = [
  ...['kind', 'state', 'service_plan', 'plan_since', 'node_uuid', 'iot', 'activated_by_sku', 'ota_updated'],
  ...['labels', 'record', 'foreign_id', ...DEVICE_ID_KINDS],
];
const versioned = (row: string) => trusted(`(${VERSIONED.map((column) => `${row}.${column}`).join(', ')})`);
/** True for a device of which only the simulation changes: it keeps its version. */
const keepsVersion = sql`${versioned('d')} is not distinct from ${versioned('excluded')}`;

/**
 * Absent fields keep their values. An unchanged device is not written, so it keeps its version. Rows are locked in the
 * order of their keys, as in every change of many rows.
 */
const upsert = (ecpdId: string, at: Date, versionId: RowId) => sql`
    staged as materialized (select * from staged_device where ecpd_id = ${ecpdId}),
    merged as materialized (
      select s.ecpd_id, s.device_id, s.body->>'accountName' as account_name,
        coalesce(s.body->>'kind', d.kind, 'device') as kind,
        coalesce(s.body->>'state', d.state, case when s.body ? 'servicePlan' then 'active' else 'pre-active' end) as state,
        coalesce(s.body->>'servicePlan', d.service_plan) as service_plan,
        case when coalesce(s.body->>'servicePlan', d.service_plan) is null then null
             when d.service_plan is not distinct from coalesce(s.body->>'servicePlan', d.service_plan) then d.plan_since
             else coalesce((s.body->>'planSince')::timestamptz, ${at}) end as plan_since,
        ${trusted(mergedIdentifiers)},
        coalesce((s.body->>'nodeUuid')::uuid, d.node_uuid) as node_uuid,
        coalesce((s.body->>'iot')::boolean, d.iot, true) as iot,
        coalesce((s.body->>'activatedBySku')::boolean, d.activated_by_sku, false) as activated_by_sku,
        coalesce((s.body->>'otaUpdated')::boolean, d.ota_updated, true) as ota_updated,
        coalesce(s.body->'labels', d.labels, '[]') as labels,
        coalesce(d.record, '{}') || (coalesce(s.body->'record', '{}') - '{id,foreignid,createdon,version}'::text[]) as record,
        coalesce(d.simulation, '{}') || coalesce(s.body->'simulation', '{}') as simulation,
        coalesce((s.body->'record'->>'foreignid')::uuid, d.foreign_id, p.foreign_id) as foreign_id,
        coalesce(d.created_on, (s.body->'record'->>'createdon')::timestamptz, ${at}) as created_on,
        coalesce(d.version, (substring(s.body->'record'->>'version' from '^[0-9]{1,18}'))::bigint, 1) as version,
        d.version as old_version, d.state as was_state, d.service_plan as was_plan, d.plan_since as was_since,
        ${asKept('d')} as before
      from staged s
      cross join (select foreign_id from profile where ecpd_id = ${ecpdId}) p
      left join device d on d.ecpd_id = ${ecpdId} and d.device_id = s.device_id),
    written as (
    insert into device as d (${COLUMNS}, last_updated, version_id)
    select ${COLUMNS}, ${at}, ${versionId(sql`m.device_id::text`)} from merged m where m.ecpd_id = ${ecpdId} order by m.device_id
    on conflict (ecpd_id, device_id) do update set kind = excluded.kind, state = excluded.state,
      service_plan = excluded.service_plan, plan_since = excluded.plan_since,
      ${trusted(DEVICE_ID_KINDS.map((kind) => `${kind} = excluded.${kind}`).join(', '))},
      node_uuid = excluded.node_uuid, iot = excluded.iot, activated_by_sku = excluded.activated_by_sku,
      ota_updated = excluded.ota_updated, labels = excluded.labels, record = excluded.record,
      simulation = excluded.simulation, foreign_id = excluded.foreign_id,
      last_updated = case when ${keepsVersion} then d.last_updated else excluded.last_updated end,
      version = case when ${keepsVersion} then d.version else d.version + 1 end,
      version_id = case when ${keepsVersion} then d.version_id else excluded.version_id end
    where not (${keepsVersion}) or d.simulation is distinct from excluded.simulation
    returning d.*),
    ${importedPlans(ecpdId, at)},
    ${lineChanges(
      ecpdId,
      at,
      sql`select w.account_name, w.device_id, w.state, w.service_plan, w.plan_since, m.was_state, m.was_plan, m.was_since
          from written w join merged m on m.device_id = w.device_id`,
    )}`;

/**
 * Writes an audit entry with the state before and after for each new or changed device. The same statement writes the
 * plan history, so that they cannot differ.
 */
export const upsertDevices = (ctx: Ctx, ecpdId: string) =>
  writeAudited(
    ctx,
    ecpdId,
    'importDeviceRecord',
    (at) => upsert(ecpdId, at, ctx.chance.rowIds()),
    sql`select m.device_id::text as target, m.account_name,
          m.before || jsonb_build_object('version', m.old_version::text) as before,
          ${asKept('w')} || jsonb_build_object('version', w.version::text) as after
        from merged m join written w on w.device_id = m.device_id
        where m.before is distinct from ${asKept('w')}`,
  );

/** The number of a replaced SIM is removed from the directory. */
export const deleteReplacedIdentifiers = ({ db, now }: Ctx, ecpdId: string) =>
  db.exec(sql`
    with staged as materialized (select device_id, body from staged_device where ecpd_id = ${ecpdId}),
    ended as (
      delete from device_identifier di using staged s
      where di.ecpd_id = ${ecpdId} and di.device_id = s.device_id and s.body ? di.kind and s.body->>di.kind <> di.value
      returning di.*)
    ${keepOwners(sql`ended`, now())}`);

export const insertIdentifiers = ({ db, now }: Ctx, ecpdId: string) =>
  db.exec(sql`
    insert into device_identifier (kind, value, ecpd_id, account_name, device_id, since)
    select i.kind, i.value, s.ecpd_id, i.account_name, s.device_id, ${ownedSince(sql`i.kind`, sql`i.value`, now())}
    from staged_identifier i join staged_device s using (position)
    where s.ecpd_id = ${ecpdId} and i.device_id is null`);

/** Later sections look up devices by the thousand: the planner must know how many there are now. */
export async function analyzeDevices(db: Db): Promise<void> {
  await db.exec(sql`analyze device`);
  // The table has a copy on every server, and the transaction uses this server's. There, each server collects its own statistics.
  if (!db.sharded) await db.exec(sql`analyze device_identifier`);
}
