import { writeAudited } from '../../../platform/context/audit.ts';
import type { Ctx } from '../../../platform/context/context.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { nextId, sql } from '../../../platform/db/sql.ts';
import type { BeforeDeletion, Move } from '../../devices/index.ts';
import { noteRules } from '../sql-rule-change.ts';

/** Moves rules with their devices to another account of the profile, as a new version. Returns their ids. */
export async function moveRules(ctx: Ctx, { from, to, deviceIds }: Move): Promise<readonly string[]> {
  const { ecpdId } = from;
  const held = await ctx.db.many<{ ruleId: string }>(sql`
    select rule_id as "ruleId" from rule
    where ecpd_id = ${ecpdId} and account_name = ${from.accountName} and device_id = any(${plainArray(deviceIds)}::uuid[])
    order by rule_id for update`);
  const ruleIds = held.map(({ ruleId }) => ruleId);
  if (ruleIds.length === 0) return [];
  await writeAudited(
    ctx,
    ecpdId,
    'moveRule',
    (at) => sql`written as (
      update rule r set account_name = ${to.accountName}, last_updated = ${at}, version = r.version + 1,
        version_id = ${nextId('r.version_id', at)}
      where r.ecpd_id = ${ecpdId} and r.account_name = ${from.accountName} and r.rule_id = any(${plainArray(ruleIds)}::uuid[])
      returning r.account_name, r.rule_id, r.device_id, r.version),
      ${noteRules(ecpdId)}`,
    sql`select w.rule_id::text as target, side.account_name,
          jsonb_build_object('accountName', ${from.accountName}::text, 'version', (w.version - 1)::text) as before,
          jsonb_build_object('accountName', ${to.accountName}::text, 'version', w.version::text) as after
        from written w
        cross join unnest(${[from.accountName, to.accountName]}::text[]) as side (account_name)`,
  );
  return ruleIds;
}

/** Called before devices are deleted: deletes their rules, each with an audit line that holds the last record. */
export const deleteRulesOfDevices: BeforeDeletion = (tx, { ecpdId, accountName }, deviceIds) =>
  writeAudited(
    tx,
    ecpdId,
    'deleteRuleWithDevice',
    () => sql`held as materialized (
        select rule_id from rule
        where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = any(${plainArray(deviceIds)}::uuid[])
        order by rule_id for update),
      written as (
        delete from rule r
        where r.ecpd_id = ${ecpdId} and r.account_name = ${accountName} and r.rule_id = any(array(select rule_id from held))
        returning r.*),
      ${noteRules(ecpdId)}`,
    sql`select w.rule_id::text as target, w.account_name, null::jsonb as after,
          w.record || jsonb_build_object('id', w.rule_id, 'deviceid', w.device_id, 'foreignid', w.foreign_id,
            'createdon', w.created_on, 'lastupdated', w.last_updated, 'version', w.version::text,
            'versionid', w.version_id) as before
        from written w`,
  );
