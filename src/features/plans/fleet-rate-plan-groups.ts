import { Type } from 'typebox';
import { sql } from '../../platform/db/sql.ts';
import { reportDuplicates, reportMissing, reportWhere } from '../../platform/fleet-document/merge.ts';
import { EXPORT_PAGE, type FleetSection, inPages } from '../../platform/fleet-document/section.ts';

interface Exported {
  readonly ecpdId: string;
  readonly ratePlanGroupId: number;
}

export const ratePlanGroupsSection: FleetSection = {
  name: 'ratePlanGroups',
  tenant: 'profile',
  entry: Type.Object(
    {
      ratePlanGroupId: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
      ecpdId: Type.String(),
      planCodes: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 200, uniqueItems: true })),
      accounts: Type.Optional(Type.Array(Type.String(), { maxItems: 10_000, uniqueItems: true })),
    },
    { additionalProperties: false },
  ),

  async verify(ctx, staging) {
    const key = sql`s.body->>'ecpdId', s.body->>'ratePlanGroupId'`;
    await reportDuplicates(ctx, staging, 'ratePlanGroups', { path: '/ratePlanGroupId', key });
    await reportMissing(ctx, staging, 'ratePlanGroups', {
      names: ['planCodes', 'accounts'],
      from: sql`staged_entry s left join rate_plan_group g on g.ecpd_id = s.ecpd_id
        and g.rate_plan_group_id = (s.body->>'ratePlanGroupId')::bigint`,
      isNew: sql`g.ecpd_id is null`,
    });
    await reportWhere(ctx, staging, 'ratePlanGroups', {
      path: '/planCodes',
      detail: 'names a plan that does not exist',
      condition: sql`exists (
        select from jsonb_array_elements_text(s.body->'planCodes') c where not exists (select from plan where code = c))`,
    });
    await reportWhere(ctx, staging, 'ratePlanGroups', {
      path: '/accounts',
      detail: 'names an account that is not of this profile',
      condition: sql`exists (
        select from jsonb_array_elements_text(s.body->'accounts') n
        where not exists (select from account a where a.ecpd_id = s.ecpd_id and a.account_name = n))`,
    });
  },

  /** A list that is given is replaced whole: it says exactly what is in the group. */
  async write(ctx, staging) {
    for (const ecpdId of await staging.profilesOf('ratePlanGroups')) {
      await ctx.db.exec(sql`
        insert into rate_plan_group (ecpd_id, rate_plan_group_id)
        select s.ecpd_id, (s.body->>'ratePlanGroupId')::bigint
        from staged_entry s where s.section = 'ratePlanGroups' and s.ecpd_id = ${ecpdId}
        on conflict do nothing`);
      for (const [table, list] of [
        [sql`rate_plan_group_plan`, 'planCodes'],
        [sql`rate_plan_group_account`, 'accounts'],
      ] as const)
        await ctx.db.exec(sql`
          delete from ${table} where ecpd_id = ${ecpdId} and rate_plan_group_id in (
            select (s.body->>'ratePlanGroupId')::bigint from staged_entry s
            where s.section = 'ratePlanGroups' and s.ecpd_id = ${ecpdId} and s.body ? ${list})`);
      await ctx.db.exec(sql`
        insert into rate_plan_group_plan (ecpd_id, rate_plan_group_id, plan_code, position)
        select s.ecpd_id, (s.body->>'ratePlanGroupId')::bigint, c.code, c.position
        from staged_entry s, jsonb_array_elements_text(s.body->'planCodes') with ordinality as c (code, position)
        where s.section = 'ratePlanGroups' and s.ecpd_id = ${ecpdId}`);
      await ctx.db.exec(sql`
        insert into rate_plan_group_account (ecpd_id, rate_plan_group_id, account_name)
        select s.ecpd_id, (s.body->>'ratePlanGroupId')::bigint, n
        from staged_entry s, jsonb_array_elements_text(s.body->'accounts') n
        where s.section = 'ratePlanGroups' and s.ecpd_id = ${ecpdId}`);
    }
  },

  export: (db, { accountName }) =>
    inPages<Exported>((after) =>
      db.many(sql`
        select g.ecpd_id as "ecpdId", g.rate_plan_group_id::float8 as "ratePlanGroupId",
          array(select plan_code from rate_plan_group_plan p
                where (p.ecpd_id, p.rate_plan_group_id) = (g.ecpd_id, g.rate_plan_group_id) order by position) as "planCodes",
          array(select account_name from rate_plan_group_account a
                where (a.ecpd_id, a.rate_plan_group_id) = (g.ecpd_id, g.rate_plan_group_id)
                order by account_name) as accounts
        from rate_plan_group g
        where (g.ecpd_id, g.rate_plan_group_id) > (${after?.ecpdId ?? ''}, ${after?.ratePlanGroupId ?? 0})
          -- A group that other accounts share is not one account's to write out: importing it would replace it whole.
          and (${accountName ?? null}::text is null or array[${accountName ?? null}]::text[] = array(
            select account_name from rate_plan_group_account a
            where (a.ecpd_id, a.rate_plan_group_id) = (g.ecpd_id, g.rate_plan_group_id)))
        order by g.ecpd_id, g.rate_plan_group_id limit ${EXPORT_PAGE}`),
    ),
};
