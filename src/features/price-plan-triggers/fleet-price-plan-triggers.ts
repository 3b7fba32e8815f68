import { sql } from '../../platform/db/sql.ts';
import { reportDuplicates, reportWhere } from '../../platform/fleet-document/merge.ts';
import { type FleetSection, inPages } from '../../platform/fleet-document/section.ts';
import { PricePlanTriggerEntry, TRIGGER_CATEGORY } from './schemas.ts';
import { exportTriggers, type PricePlanTrigger } from './sql.ts';
import { resolveNames, upsertTriggers } from './sql-merge.ts';

const NEEDED = ['triggerName', 'pricePlanTrigger', 'notification'] as const;
const FILTER = sql`s.body #> '{pricePlanTrigger,payAsYouGo,filterCriteria}'`;
const FILTER_PATH = '/pricePlanTrigger/payAsYouGo/filterCriteria';

function* problemsOf(entry: PricePlanTriggerEntry): Generator<{ path: string; detail: string }> {
  const { triggerId, triggerName, pricePlanTrigger } = entry;
  if ((triggerId ?? triggerName) === undefined)
    yield { path: '/triggerName', detail: 'or triggerId is needed' };
  if (pricePlanTrigger !== undefined && Object.keys(pricePlanTrigger).length !== 1)
    yield { path: '/pricePlanTrigger', detail: 'must hold exactly one of payAsYouGo and accountGroupShare' };
}

export const pricePlanTriggersSection: FleetSection = {
  name: 'pricePlanTriggers',
  tenant: 'profile',
  entry: PricePlanTriggerEntry,
  check: (entry: PricePlanTriggerEntry) => [...problemsOf(entry)],
  prepare: (_ctx, { triggerId, ...entry }: PricePlanTriggerEntry) =>
    triggerId === undefined ? entry : { ...entry, triggerId: triggerId.toLowerCase() },

  async verify(ctx, staging) {
    await reportWhere(ctx, staging, 'pricePlanTriggers', {
      path: '/triggerId',
      detail: 'is needed: several triggers have this name',
      condition: sql`not s.body ? 'triggerId' and 1 < (
        select count(*) from price_plan_trigger t where t.ecpd_id = s.ecpd_id and t.trigger_name = s.body->>'triggerName')`,
    });
    await resolveNames(ctx.db);
    await reportDuplicates(ctx, staging, 'pricePlanTriggers', {
      path: '/triggerName',
      key: sql`s.ecpd_id, coalesce(s.body->>'triggerId', s.body->>'triggerName'), s.body ? 'triggerId'`,
    });
    for (const name of NEEDED) {
      await reportWhere(ctx, staging, 'pricePlanTriggers', {
        path: `/${name}`,
        detail: 'is needed for a new trigger',
        from: sql`staged_entry s
          left join price_plan_trigger t on t.ecpd_id = s.ecpd_id and t.trigger_id = (s.body->>'triggerId')::uuid`,
        condition: sql`t.trigger_id is null and not s.body ? ${name}`,
      });
    }
    await reportWhere(ctx, staging, 'pricePlanTriggers', {
      path: `${FILTER_PATH}/carrierServicePlanCode`,
      detail: 'names no plan',
      condition: sql`${FILTER} is not null and not exists (
        select from plan p where p.carrier_service_plan_code = ${FILTER}->>'carrierServicePlanCode')`,
    });
    await reportWhere(ctx, staging, 'pricePlanTriggers', {
      path: `${FILTER_PATH}/accountNameList`,
      detail: 'names an account that is not of this profile',
      condition: sql`exists (
        select from jsonb_array_elements_text(${FILTER}->'accountNameList') n
        where not exists (select from account a where a.ecpd_id = s.ecpd_id and a.account_name = n))`,
    });
  },

  async write(ctx, staging) {
    for (const ecpdId of await staging.profilesOf('pricePlanTriggers')) {
      await upsertTriggers(ctx.db, ecpdId, ctx.now());
    }
  },

  export: async function* (db, filter) {
    const triggers = inPages<PricePlanTrigger>((after) => exportTriggers(db, filter, after));
    for await (const { ecpdId, triggerId, triggerName, active, body } of triggers) {
      yield { triggerId, triggerName, ecpdId, triggerCategory: TRIGGER_CATEGORY, ...body, active };
    }
  },
};
