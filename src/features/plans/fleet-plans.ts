import { Type } from 'typebox';
import { sql } from '../../platform/db/sql.ts';
import { reportDuplicates } from '../../platform/fleet-document/merge.ts';
import { EXPORT_PAGE, type FleetSection, inPages } from '../../platform/fleet-document/section.ts';

const Code = Type.String({ minLength: 1, maxLength: 64 });

export const plansSection: FleetSection = {
  name: 'plans',
  tenant: 'none',
  entry: Type.Object(
    {
      code: Code,
      carrierServicePlanCode: Type.Optional(Code),
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      kind: Type.Optional(Type.Enum(['payAsYouGo', 'share', 'unlimited'])),
      allowanceBytes: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
      ratePerMb: Type.Optional(Type.Number({ minimum: 0, maximum: 1e9 })),
      fixedLocation: Type.Optional(Type.Boolean()),
      models: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 1_000 })),
      suspendWithBilling: Type.Optional(Type.Boolean()),
      throttleAtPercent: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
    },
    { additionalProperties: false },
  ),

  verify: (ctx, staging) =>
    reportDuplicates(ctx, staging, 'plans', { path: '/code', key: sql`s.body->>'code'` }),

  async write(ctx) {
    await ctx.db.exec(sql`
      insert into plan (code, carrier_service_plan_code, name, kind, allowance_bytes, rate_per_mb, fixed_location,
        models, suspend_with_billing, throttle_at_percent)
      select s.body->>'code',
        coalesce(s.body->>'carrierServicePlanCode', p.carrier_service_plan_code, s.body->>'code'),
        coalesce(s.body->>'name', p.name, s.body->>'code'),
        coalesce(s.body->>'kind', p.kind, 'payAsYouGo'),
        coalesce((s.body->>'allowanceBytes')::bigint, p.allowance_bytes),
        coalesce((s.body->>'ratePerMb')::numeric, p.rate_per_mb),
        coalesce((s.body->>'fixedLocation')::boolean, p.fixed_location, false),
        case when s.body ? 'models' then array(select jsonb_array_elements_text(s.body->'models')) else p.models end,
        coalesce((s.body->>'suspendWithBilling')::boolean, p.suspend_with_billing, false),
        coalesce((s.body->>'throttleAtPercent')::int, p.throttle_at_percent)
      from staged_entry s left join plan p on p.code = s.body->>'code'
      where s.section = 'plans'
      on conflict (code) do update set carrier_service_plan_code = excluded.carrier_service_plan_code,
        name = excluded.name, kind = excluded.kind, allowance_bytes = excluded.allowance_bytes,
        rate_per_mb = excluded.rate_per_mb, fixed_location = excluded.fixed_location, models = excluded.models,
        suspend_with_billing = excluded.suspend_with_billing, throttle_at_percent = excluded.throttle_at_percent`);
  },

  export: (db) =>
    inPages<{ code: string }>((after) =>
      db.many(sql`
        select code, carrier_service_plan_code as "carrierServicePlanCode", name, kind,
          allowance_bytes::float8 as "allowanceBytes", rate_per_mb::float8 as "ratePerMb",
          fixed_location as "fixedLocation", models, suspend_with_billing as "suspendWithBilling",
          throttle_at_percent as "throttleAtPercent"
        from plan where code > ${after?.code ?? ''} order by code limit ${EXPORT_PAGE}`),
    ),
};

export const serviceableZipsSection: FleetSection = {
  name: 'serviceableZips',
  tenant: 'none',
  entry: Type.String({ pattern: '^[0-9]{5}$' }),
  async write({ db }) {
    await db.exec(sql`
      insert into serviceable_zip (zip) select distinct s.body #>> '{}' from staged_entry s
      where s.section = 'serviceableZips' on conflict do nothing`);
  },
  export: async function* (db) {
    const rows = inPages<{ zip: string }>((after) =>
      db.many(
        sql`select zip from serviceable_zip where zip > ${after?.zip ?? ''} order by zip limit ${EXPORT_PAGE}`,
      ),
    );
    for await (const { zip } of rows) yield zip;
  },
};
