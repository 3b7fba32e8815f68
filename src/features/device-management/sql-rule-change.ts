import type { Db } from '../../platform/db/db.ts';
import { onlyReachable } from '../../platform/db/reachable.ts';
import { type Query, sql } from '../../platform/db/sql.ts';

/**
 * Parts of a statement whose CTE `written` holds rules it wrote or deleted: `noted` records each one for the alert
 * scheduler. Rules deleted with their account need no note: nothing follows from their deletion.
 */
export const noteRules = (ecpdId: string): Query => sql`
  numbered_rule as materialized (
    select nextval('rule_change_change_id_seq') as change_id, account_name, rule_id, device_id from written),
  noted as (
    insert into rule_change (ecpd_id, change_id, account_name, rule_id, device_id)
    overriding system value
    select p.ecpd_id, n.* from numbered_rule n join profile p on p.ecpd_id = ${ecpdId})`;

interface RuleChange {
  readonly accountName: string;
  readonly ruleId: string;
  readonly deviceId: string;
}

/** Jumps from profile to profile through the index. */
const WALKED = sql`
  with recursive profile_id as (
    (select ecpd_id from rule_change order by ecpd_id limit 1)
    union all
    select (select ecpd_id from rule_change c where c.ecpd_id > p.ecpd_id order by ecpd_id limit 1)
    from profile_id p where p.ecpd_id is not null)
  select ecpd_id as "ecpdId" from profile_id where ecpd_id is not null limit 1000`;

/** On a cluster, every server reads all of its waiting changes. */
const gather = (db: Db) => sql`
  select distinct ecpd_id as "ecpdId" from rule_change where ${onlyReachable(db, 'ecpd_id')} order by 1 limit 1000`;

/** The read across profiles takes no locks. */
export const listProfilesWithRuleChanges = (db: Db): Promise<string[]> =>
  db.values<string>(db.sharded ? gather(db) : WALKED);

/** Takes the oldest changes that no other transaction is applying; they are deleted when this one commits. */
export const takeRuleChanges = (db: Db, ecpdId: string, limit: number) =>
  db.many<RuleChange>(sql`
    delete from rule_change where ecpd_id = ${ecpdId} and change_id in (
      select change_id from rule_change where ecpd_id = ${ecpdId} order by change_id limit ${limit} for update skip locked)
    returning account_name as "accountName", rule_id as "ruleId", device_id as "deviceId"`);

export const hasRuleChanges = (db: Db): Promise<boolean> =>
  db.value<boolean>(
    sql`select exists (select 1 from rule_change where ${onlyReachable(db, 'ecpd_id')}) as some`,
  );

export const countRuleChanges = (db: Db): Promise<number> =>
  db.value<number>(sql`select count(*)::int as count from rule_change`);
