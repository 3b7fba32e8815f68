import { Type } from 'typebox';
import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';
import { tableSection } from '../../platform/fleet-document/table-section.ts';
import { refersTo, stagedOf } from '../../platform/fleet-document/verify-entries.ts';

const LISTS = {
  planCodes: {
    kept: sql`rate_plan_group_plan`,
    columns: sql`plan_code, position`,
    values: sql`n.name, n.position`,
  },
  accounts: { kept: sql`rate_plan_group_account`, columns: sql`account_name`, values: sql`n.name` },
};
const GROUP_ID = sql`(s.body->>'ratePlanGroupId')::bigint`;

/** Call it before the groups are written: whether one is new, or gets other plans or accounts. */
export const changesGroups = (db: Db, ecpdId: string): Promise<boolean> =>
  db.value<boolean>(sql`
    with ${stagedOf('ratePlanGroups', ecpdId)},
    listed as materialized (
      select ${GROUP_ID} as id,
        case when s.body ? 'planCodes' then array(select jsonb_array_elements_text(s.body->'planCodes')) end as plans,
        case when s.body ? 'accounts' then array(select jsonb_array_elements_text(s.body->'accounts') order by 1) end as names
      from staged s),
    kept as materialized (
      select g.rate_plan_group_id as id,
        array(select p.plan_code from rate_plan_group_plan p where p.ecpd_id = ${ecpdId}
          and p.rate_plan_group_id = g.rate_plan_group_id order by p.position) as plans,
        array(select a.account_name from rate_plan_group_account a where a.ecpd_id = ${ecpdId}
          and a.rate_plan_group_id = g.rate_plan_group_id order by 1) as names
      from rate_plan_group g where g.ecpd_id = ${ecpdId})
    select exists (
      select 1 from listed l left join kept k using (id)
      where k.id is null or l.plans <> k.plans or l.names <> k.names) as found`);

export const ratePlanGroupsSection = tableSection({
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
  table: 'rate_plan_group',
  key: ['ratePlanGroupId'],
  apart: Object.keys(LISTS),
  needed: ['planCodes', 'accounts'],
  verify: [
    refersTo('planCodes', 'names a plan that does not exist', () => sql`select 1 from plan where code = n`),
    refersTo(
      'accounts',
      'names an account that is not of this profile',
      (ecpdId) => sql`select 1 from account a where a.ecpd_id = ${ecpdId} and a.account_name = n`,
    ),
  ],

  /** A given list replaces the stored one as a whole: it says exactly what is in the group. */
  async writeMore({ db }, ecpdId, entries) {
    for (const [list, { kept, columns, values }] of Object.entries(LISTS)) {
      await db.exec(sql`
        delete from ${kept} where ecpd_id = ${ecpdId} and rate_plan_group_id in (
          select ${GROUP_ID} from ${entries} where s.body ? ${list})`);
      await db.exec(sql`
        insert into ${kept} (ecpd_id, rate_plan_group_id, ${columns})
        select ${ecpdId}, ${GROUP_ID}, ${values}
        from ${entries}, jsonb_array_elements_text(s.body->${list}) with ordinality as n (name, position)`);
    }
  },

  export: {
    select: sql`x.ecpd_id as "ecpdId", x.rate_plan_group_id::float8 as "ratePlanGroupId",
      coalesce(p.codes, '{}') as "planCodes", coalesce(a.names, '{}') as accounts`,
    from: sql`rate_plan_group x
      left join (select ecpd_id, rate_plan_group_id, array_agg(plan_code order by position) as codes
                 from rate_plan_group_plan group by 1, 2) p using (ecpd_id, rate_plan_group_id)
      left join (select ecpd_id, rate_plan_group_id, array_agg(account_name order by account_name) as names
                 from rate_plan_group_account group by 1, 2) a using (ecpd_id, rate_plan_group_id)`,
    // A group shared with other accounts is not exported with one account: importing it would replace the whole group.
    where: ({ ecpdId, accountName }) => sql`x.ecpd_id = ${ecpdId} and a.names = array[${accountName}]`,
  },
});
