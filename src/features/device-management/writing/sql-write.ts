import type { Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { nextId, sql } from '../../../platform/db/sql.ts';
import type { WireRecord } from '../querying/wire.ts';
import { noteRules } from '../sql-rule-change.ts';

/** Call it in the transaction that has locked the device, so that the rule's device exists. */
export const insertRule = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { ruleId, deviceId, versionId }: Record<'ruleId' | 'deviceId' | 'versionId', string>,
  record: WireRecord,
  now: Date,
) =>
  db.exec(sql`
    with written as (
      insert into rule (ecpd_id, account_name, rule_id, device_id, record, foreign_id, created_on, last_updated, version,
        version_id)
      select p.ecpd_id, ${accountName}, ${ruleId}, ${deviceId}, ${JSON.stringify(record)}::jsonb, p.foreign_id, ${now}, ${now},
        1, ${versionId}
      from profile p where p.ecpd_id = ${ecpdId}
      returning account_name, rule_id, device_id),
    ${noteRules(ecpdId)}
    select 1`);

/** Stops counting at `max`. Exact if the caller has locked the device, as every transaction that adds a rule does. */
export const countRulesOf = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceId: string,
  max: number,
): Promise<number> =>
  db.value<number>(sql`
    select count(*)::int as n from (
      select 1 from rule where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = ${deviceId}
      limit ${max}) present`);

/** Replaces all of the owner's fields; id, device, foreign id and creation stay. */
export const replaceRule = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  ruleId: string,
  record: WireRecord,
  now: Date,
) =>
  db.exec(sql`
    with written as (
      update rule r set record = ${JSON.stringify(record)}::jsonb, last_updated = ${now}, version = r.version + 1,
        version_id = ${nextId('r.version_id', now)}
      where r.ecpd_id = ${ecpdId} and r.account_name = ${accountName} and r.rule_id = ${ruleId}
      returning r.account_name, r.rule_id, r.device_id),
    ${noteRules(ecpdId)}
    select 1`);

export const deleteRuleRow = (db: Db, { ecpdId, accountName }: Tenant, ruleId: string) =>
  db.exec(sql`
    with written as (
      delete from rule where ecpd_id = ${ecpdId} and account_name = ${accountName} and rule_id = ${ruleId}
      returning account_name, rule_id, device_id),
    ${noteRules(ecpdId)}
    select 1`);

export const insertUser = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { userId, versionId }: Record<'userId' | 'versionId', string>,
  record: WireRecord,
  now: Date,
) =>
  db.exec(sql`
    insert into user_profile (ecpd_id, account_name, user_id, record, foreign_id, created_on, last_updated, version, version_id)
    select p.ecpd_id, ${accountName}, ${userId}, ${JSON.stringify(record)}::jsonb, p.foreign_id, ${now}, ${now}, 1,
      ${versionId}
    from profile p where p.ecpd_id = ${ecpdId}`);

/** Replaces the members in the patch, removes those in `dropped`, and keeps the rest. */
export const updateUserRow = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  userId: string,
  { patch, dropped }: { readonly patch: WireRecord; readonly dropped: readonly string[] },
  now: Date,
) =>
  db.exec(sql`
    update user_profile u set record = (u.record || ${JSON.stringify(patch)}::jsonb) - ${dropped}::text[], last_updated = ${now},
      version = u.version + 1, version_id = ${nextId('u.version_id', now)}
    where u.ecpd_id = ${ecpdId} and u.account_name = ${accountName} and u.user_id = ${userId}`);

export const deleteUserRow = (db: Db, { ecpdId, accountName }: Tenant, userId: string) =>
  db.exec(sql`
    delete from user_profile where ecpd_id = ${ecpdId} and account_name = ${accountName} and user_id = ${userId}`);
