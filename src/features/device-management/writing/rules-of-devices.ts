import { writeAudited } from '../../../platform/context/audit.ts';
import type { Ctx } from '../../../platform/context/context.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { nextId, sql } from '../../../platform/db/sql.ts';
import type { BeforeDeletion, Move } from '../../devices/index.ts';

/** Rules go with their devices to another account of the profile, as another version. Answers their ids. */
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
    'moveRule',
    (at) => sql`moved as (
      update rule r set account_name = ${to.accountName}, last_updated = ${at}, version = r.version + 1,
        version_id = ${nextId('r.version_id', at)}
      where r.ecpd_id = ${ecpdId} and r.account_name = ${from.accountName} and r.rule_id = any(${plainArray(ruleIds)}::uuid[])
      returning r.rule_id, r.version)`,
    sql`select m.rule_id::text as target, ${ecpdId}::text as ecpd_id, side.account_name,
          jsonb_build_object('accountName', ${from.accountName}::text, 'version', (m.version - 1)::text) as before,
          jsonb_build_object('accountName', ${to.accountName}::text, 'version', m.version::text) as after
        from moved m
        cross join unnest(${[from.accountName, to.accountName]}::text[]) as side (account_name)`,
  );
  return ruleIds;
}

/** Before devices are deleted: their rules go with them, and each leaves a line that says how it was. */
export const deleteRulesOfDevices: BeforeDeletion = (tx, { ecpdId, accountName }, deviceIds) =>
  writeAudited(
    tx,
    'deleteRuleWithDevice',
    () => sql`held as materialized (
        select rule_id from rule
        where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = any(${plainArray(deviceIds)}::uuid[])
        order by rule_id for update),
      gone as (
        delete from rule r
        where r.ecpd_id = ${ecpdId} and r.account_name = ${accountName} and r.rule_id = any(array(select rule_id from held))
        returning r.*)`,
    sql`select g.rule_id::text as target, g.ecpd_id, g.account_name, null::jsonb as after,
          g.record || jsonb_build_object('id', g.rule_id, 'deviceid', g.device_id, 'foreignid', g.foreign_id,
            'createdon', g.created_on, 'lastupdated', g.last_updated, 'version', g.version::text,
            'versionid', g.version_id) as before
        from gone g`,
  );
