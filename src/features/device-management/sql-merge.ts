import type { Chance } from '../../platform/chance/chance.ts';
import { writeAudited } from '../../platform/context/audit.ts';
import type { Ctx } from '../../platform/context/context.ts';
import { type Query, sql } from '../../platform/db/sql.ts';
import type { OfProfile } from '../../platform/fleet-document/section.ts';
import { stagedOf } from '../../platform/fleet-document/verify-entries.ts';
import { RULES_PER_DEVICE_MAX } from './limits.ts';
import { noteRules } from './sql-rule-change.ts';

/** From here on, every entry that names a device uses its id. */
export const resolveImeis = ({ db }: Ctx) =>
  db.exec(sql`
    update staged_entry s set body = s.body || ('{"deviceid":"' || di.device_id || '"}')::jsonb
    from device_identifier di
    where s.section = 'rules' and di.kind = 'imei' and di.value = s.body->>'deviceImei'`);

/**
 * Locks these devices until the transaction ends, so that no other transaction adds a rule: adding one locks the
 * device. Accounts are locked first, in the same order as an account deletion, to avoid deadlocks.
 */
export async function keepDevicesOfRules({ db }: Ctx, ecpdIds: readonly string[]): Promise<void> {
  for (const ecpdId of ecpdIds) {
    await db.exec(sql`
      select 1 from account a
      where a.ecpd_id = ${ecpdId} and a.account_name in (
        select s.body->>'accountName' from staged_entry s where s.section = 'rules' and s.ecpd_id = ${ecpdId})
      order by a.account_name for key share`);
  }
  for (const ecpdId of ecpdIds) {
    await db.exec(sql`
      select 1 from device d
      where d.ecpd_id = ${ecpdId} and d.device_id in (
        select (s.body->>'deviceid')::uuid from staged_entry s where s.section = 'rules' and s.ecpd_id = ${ecpdId})
      order by d.device_id for key share`);
  }
}

/** Matches entries that would exceed the limit of rules per device. */
export const beyondLimit: OfProfile = (ecpdId) => sql`s.position in (
  select added.position from (
    select e.position, (e.body->>'deviceid')::uuid as device_id, row_number() over (
      partition by e.body->>'deviceid' order by e.position) as n
    from staged e left join rule r on r.ecpd_id = ${ecpdId} and r.rule_id = (e.body->>'id')::uuid
    where r.rule_id is null) added
  left join (
    select device_id, count(*) as n from rule
    where ecpd_id = ${ecpdId} and device_id in (select (e.body->>'deviceid')::uuid from staged e)
    group by 1) present using (device_id)
  where added.n + coalesce(present.n, 0) > ${RULES_PER_DEVICE_MAX}::int)`;

/** The entry's record, foreign id, times and version; `k` is the existing row. */
const entryColumns = (isNew: Query, at: Date, { rowIds }: Chance): Query => {
  const newVersion = rowIds()(sql`s.position::text`);
  return sql`
  coalesce(k.record, '{}') || (s.body->'record') as record,
  coalesce((s.body->>'foreignid')::uuid, k.foreign_id, p.foreign_id) as foreign_id,
  coalesce((s.body->>'createdon')::timestamptz, ${at}) as created_on,
  case when ${isNew} then coalesce((s.body->>'lastupdated')::timestamptz, ${at}) else ${at} end as last_updated,
  coalesce((s.body->>'version')::bigint, 1) as version,
  case when ${isNew} then coalesce((s.body->>'versionid')::uuid, ${newVersion}) else ${newVersion} end as version_id`;
};

const newId = ({ chance }: Ctx) => chance.rowIds()(sql`s.position::text`);

const foreignIdOf = (ecpdId: string) =>
  sql`cross join (select foreign_id from profile where ecpd_id = ${ecpdId}) p`;

/** Absent fields keep their values; an unchanged row is not written, so its version stays. */
const replacing = (row: Query): Query => sql`
  do update set record = excluded.record, foreign_id = excluded.foreign_id, last_updated = excluded.last_updated,
    version = ${row}.version + 1, version_id = excluded.version_id
  where (${row}.record, ${row}.foreign_id) is distinct from (excluded.record, excluded.foreign_id)
  returning ${row}.*`;

/** Writes each change to the audit log with the previous rule, read before anything is written. */
export const upsertRules = (ctx: Ctx, ecpdId: string) =>
  writeAudited(
    ctx,
    ecpdId,
    'importRule',
    (at) => sql`${stagedOf('rules', ecpdId)},
    known as materialized (
      select * from rule where ecpd_id = ${ecpdId} and rule_id in (select (s.body->>'id')::uuid from staged s)),
    merged as materialized (
      select s.body->>'accountName' as account_name, coalesce((s.body->>'id')::uuid, ${newId(ctx)}) as rule_id,
        coalesce(k.device_id, (s.body->>'deviceid')::uuid) as device_id, ${entryColumns(sql`k.rule_id is null`, at, ctx.chance)}
      from staged s ${foreignIdOf(ecpdId)} left join known k on k.rule_id = (s.body->>'id')::uuid),
    written as (
      insert into rule as r (ecpd_id, account_name, rule_id, device_id, record, foreign_id, created_on, last_updated,
        version, version_id)
      select ${ecpdId}, m.* from merged m
      on conflict (ecpd_id, rule_id) ${replacing(sql`r`)}),
    ${noteRules(ecpdId)}`,
    sql`select w.rule_id::text as target, w.account_name, to_jsonb(k) as before, to_jsonb(w) as after
        from written w left join known k on k.rule_id = w.rule_id`,
  );

/** The same as for rules. */
export const upsertUserProfiles = (ctx: Ctx, ecpdId: string) =>
  writeAudited(
    ctx,
    ecpdId,
    'importDeviceManagementUser',
    (at) => sql`${stagedOf('userProfiles', ecpdId)},
    known as materialized (
      select * from user_profile where ecpd_id = ${ecpdId} and user_id in (select (s.body->>'id')::uuid from staged s)),
    merged as materialized (
      select s.body->>'accountName' as account_name, coalesce((s.body->>'id')::uuid, ${newId(ctx)}) as user_id,
        ${entryColumns(sql`k.user_id is null`, at, ctx.chance)}
      from staged s ${foreignIdOf(ecpdId)} left join known k on k.user_id = (s.body->>'id')::uuid),
    written as (
      insert into user_profile as u (ecpd_id, account_name, user_id, record, foreign_id, created_on, last_updated,
        version, version_id)
      select ${ecpdId}, m.* from merged m
      on conflict (ecpd_id, user_id) ${replacing(sql`u`)})`,
    sql`select w.user_id::text as target, w.account_name, to_jsonb(k) as before, to_jsonb(w) as after
        from written w left join known k on k.user_id = w.user_id`,
  );
