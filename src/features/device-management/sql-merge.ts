import { writeAudited } from '../../platform/context/audit.ts';
import type { Ctx } from '../../platform/context/context.ts';
import { type Query, sql } from '../../platform/db/sql.ts';
import { RULES_PER_DEVICE_MAX } from './limits.ts';

/** From here on every entry that names a device names it by its id. */
export const resolveImeis = ({ db }: Ctx) =>
  db.exec(sql`
    update staged_entry s set body = s.body || jsonb_build_object('deviceid', di.device_id)
    from device_identifier di
    where s.section = 'rules' and di.kind = 'imei' and di.value = s.body->>'deviceImei'`);

/**
 * Until the transaction ends nobody else adds a rule to these devices: whoever does holds the device alone. Accounts first, as
 * whoever deletes one does: nobody waits for another in a circle.
 */
export async function keepDevicesOfRules({ db }: Ctx, ecpdIds: readonly string[]): Promise<void> {
  for (const ecpdId of ecpdIds) {
    await db.exec(sql`
      select from account a
      where a.ecpd_id = ${ecpdId} and a.account_name in (
        select s.body->>'accountName' from staged_entry s where s.section = 'rules' and s.ecpd_id = ${ecpdId})
      order by a.account_name for key share`);
  }
  for (const ecpdId of ecpdIds) {
    await db.exec(sql`
      select from device d
      where d.ecpd_id = ${ecpdId} and d.device_id in (
        select (s.body->>'deviceid')::uuid from staged_entry s where s.section = 'rules' and s.ecpd_id = ${ecpdId})
      order by d.device_id for key share`);
  }
}

/** True of an entry that is one new rule too many for its device. */
export const beyondLimit = sql`s.position in (
  select added.position from (
    select e.position, e.ecpd_id, (e.body->>'deviceid')::uuid as device_id, row_number() over (
      partition by e.ecpd_id, e.body->>'deviceid' order by e.position) as n
    from staged_entry e left join rule r on r.ecpd_id = e.ecpd_id and r.rule_id = (e.body->>'id')::uuid
    where e.section = 'rules' and r.rule_id is null) added
  left join (
    select ecpd_id, device_id, count(*) as n from rule
    where (ecpd_id, device_id) in (
      select e.ecpd_id, (e.body->>'deviceid')::uuid from staged_entry e where e.section = 'rules')
    group by 1, 2) present using (ecpd_id, device_id)
  where added.n + coalesce(present.n, 0) > ${RULES_PER_DEVICE_MAX}::int)`;

/** What the entry says of record, foreign id, moments and version; `known` is how the row was. */
const said = (known: Query, isNew: Query, at: Date): Query => sql`
  coalesce(${known}.record, '{}') || (s.body->'record'),
  coalesce((s.body->>'foreignid')::uuid, ${known}.foreign_id, p.foreign_id),
  coalesce((s.body->>'createdon')::timestamptz, ${at}),
  case when ${isNew} then coalesce((s.body->>'lastupdated')::timestamptz, ${at}) else ${at} end,
  coalesce((s.body->>'version')::bigint, 1),
  case when ${isNew} then coalesce((s.body->>'versionid')::uuid, gen_random_uuid()) else gen_random_uuid() end`;

/** Absent fields stay; a row that comes out as it was is not written, so its version stands. */
const replacing = (row: Query): Query => sql`
  do update set record = excluded.record, foreign_id = excluded.foreign_id, last_updated = excluded.last_updated,
    version = ${row}.version + 1, version_id = excluded.version_id
  where (${row}.record, ${row}.foreign_id) is distinct from (excluded.record, excluded.foreign_id)
  returning ${row}.*`;

/** Each change with a line that says how the rule was before; in one statement, which still sees that. */
export const upsertRules = (ctx: Ctx, ecpdId: string) =>
  writeAudited(
    ctx,
    'importRule',
    (at) => sql`written as (
      insert into rule as r (ecpd_id, account_name, rule_id, device_id, record, foreign_id, created_on, last_updated,
        version, version_id)
      select s.ecpd_id, s.body->>'accountName', coalesce((s.body->>'id')::uuid, gen_random_uuid()),
        coalesce(r.device_id, (s.body->>'deviceid')::uuid), ${said(sql`r`, sql`r.rule_id is null`, at)}
      from staged_entry s
      join profile p on p.ecpd_id = s.ecpd_id
      left join rule r on r.ecpd_id = s.ecpd_id and r.rule_id = (s.body->>'id')::uuid
      where s.section = 'rules' and s.ecpd_id = ${ecpdId}
      on conflict (ecpd_id, rule_id) ${replacing(sql`r`)})`,
    sql`select w.rule_id::text as target, w.ecpd_id, w.account_name, to_jsonb(r) as before, to_jsonb(w) as after
        from written w left join rule r on r.ecpd_id = ${ecpdId} and r.rule_id = w.rule_id`,
  );

/** As of rules. */
export const upsertUserProfiles = (ctx: Ctx, ecpdId: string) =>
  writeAudited(
    ctx,
    'importDeviceManagementUser',
    (at) => sql`written as (
      insert into user_profile as u (ecpd_id, account_name, user_id, record, foreign_id, created_on, last_updated,
        version, version_id)
      select s.ecpd_id, s.body->>'accountName', coalesce((s.body->>'id')::uuid, gen_random_uuid()),
        ${said(sql`u`, sql`u.user_id is null`, at)}
      from staged_entry s
      join profile p on p.ecpd_id = s.ecpd_id
      left join user_profile u on u.ecpd_id = s.ecpd_id and u.user_id = (s.body->>'id')::uuid
      where s.section = 'userProfiles' and s.ecpd_id = ${ecpdId}
      on conflict (ecpd_id, user_id) ${replacing(sql`u`)})`,
    sql`select w.user_id::text as target, w.ecpd_id, w.account_name, to_jsonb(u) as before, to_jsonb(w) as after
        from written w left join user_profile u on u.ecpd_id = ${ecpdId} and u.user_id = w.user_id`,
  );
