import { Type } from 'typebox';
import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';
import type { FleetSection } from '../../platform/fleet-document/section.ts';
import { tableSection } from '../../platform/fleet-document/table-section.ts';

const Code = Type.String({ minLength: 1, maxLength: 64 });

/**
 * Call it before the plans are written: the names, old and new, of plans that are new, or change in what the levels of
 * triggers depend on.
 */
export const listChangedNames = (db: Db): Promise<readonly string[]> =>
  db.values<string>(sql`
    select distinct n.name from (
      select s.body->>'code' as code, k.code as known, k.carrier_service_plan_code as was_carrier,
        coalesce(s.body->>'carrierServicePlanCode', k.carrier_service_plan_code, s.body->>'code') as carrier,
        k.allowance_bytes as was_allowance,
        coalesce((s.body->>'allowanceBytes')::bigint, k.allowance_bytes) as allowance
      from staged_entry s left join plan k on k.code = s.body->>'code' where s.section = 'plans') p
    cross join lateral unnest(array[p.code, p.was_carrier, p.carrier]) as n (name)
    where n.name is not null and (p.known is null or p.was_carrier <> p.carrier
      or p.was_allowance is distinct from p.allowance)`);

const OFF = { absent: () => sql`false` };

export const plansSection = tableSection({
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
  table: 'plan',
  key: ['code'],
  columns: {
    carrierServicePlanCode: { absent: () => sql`e.code` },
    name: { absent: () => sql`e.code` },
    kind: { absent: () => sql`'payAsYouGo'` },
    fixedLocation: OFF,
    suspendWithBilling: OFF,
  },
  export: { where: () => sql`true` },
});

export const serviceableZipsSection: FleetSection = {
  name: 'serviceableZips',
  tenant: 'none',
  entry: Type.String({ pattern: '^[0-9]{5}$' }),
  write: ({ db }) =>
    db.exec(sql`
      insert into serviceable_zip (zip) select distinct s.body #>> '{}' from staged_entry s
      where s.section = 'serviceableZips' on conflict do nothing`),
  export: {
    select: sql`x.zip`,
    from: sql`serviceable_zip x`,
    key: ['zip'],
    where: () => sql`true`,
    entryOf: ({ zip }: { zip: string }) => zip,
  },
};
