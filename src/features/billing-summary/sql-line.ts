import { DEVICE_ID_KINDS, type DeviceId, type DeviceIdColumns } from '../../kernel/device-id.ts';
import { NIL_UUID } from '../../kernel/uuid.ts';
import type { Tenant } from '../../platform/context/context.ts';
import { arrayText } from '../../platform/db/array-text.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql, trusted, unprepared } from '../../platform/db/sql.ts';
import type { Label } from './schemas.ts';

/** A line that the account has, or had. */
export interface Line extends DeviceIdColumns {
  readonly deviceId: string;
  /** Null without one, and for a line that left. */
  readonly servicePlan: string | null;
  /** Whether it left the account: its usage there stays with the account, under the names that it had last. */
  readonly left: boolean;
}

const COLUMNS = trusted(
  `d.device_id as "deviceId", d.service_plan as "servicePlan", false as "left", ${DEVICE_ID_KINDS.map((kind) => `d.${kind}`).join(', ')}`,
);
const LEFT_COLUMNS = trusted(
  `g.device_id as "deviceId", null as "servicePlan", true as "left", ${DEVICE_ID_KINDS.map((kind) => `g.identifiers->>'${kind}' as ${kind}`).join(', ')}`,
);

/** For rows `g` of lines that left: those that have not come back. */
const stillGone = ({ ecpdId, accountName }: Tenant) => sql`
  not exists (select 1 from device d
    where d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and d.device_id = g.device_id)`;

/** The account's lines with one of these identifiers, also those that left with it; `nth` counts the given ids from 0. */
export function findLinesByIdentifier(db: Db, tenant: Tenant, ids: readonly DeviceId[]) {
  const { ecpdId, accountName } = tenant;
  return db.many<Line & { readonly nth: number }>(
    unprepared(sql`
    with asked as (
      select kind, value, (nth - 1)::int as nth
      from unnest(${arrayText(ids.map(({ kind }) => kind))}::text[], ${arrayText(ids.map(({ value }) => value))}::text[])
        with ordinality as given (kind, value, nth))
    select asked.nth, ${COLUMNS} from asked
    join device_identifier di on di.kind = asked.kind and di.value = asked.value
      and di.ecpd_id = ${ecpdId} and di.account_name = ${accountName}
    join device d on d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and d.device_id = di.device_id
    union all
    select had.nth, ${LEFT_COLUMNS}
    from (
      select distinct asked.nth, asked.kind, asked.value, o.device_id from asked
      join earlier_owner o on o.kind = asked.kind and o.value = asked.value
        and o.ecpd_id = ${ecpdId} and o.account_name = ${accountName}) had
    join left_line g on g.ecpd_id = ${ecpdId} and g.account_name = ${accountName} and g.device_id = had.device_id
      and g.identifiers->>had.kind = had.value
    where ${stillGone(tenant)}`),
  );
}

/** Those of the given lines that the account has, or had. */
export const listLinesByKey = (db: Db, tenant: Tenant, deviceIds: readonly string[]) => {
  const { ecpdId, accountName } = tenant;
  return db.many<Line>(sql`
    with asked as (select * from unnest(${plainArray(deviceIds)}::uuid[]) as given (device_id))
    select ${COLUMNS} from asked
    join device d on d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and d.device_id = asked.device_id
    union all
    select ${LEFT_COLUMNS} from asked
    join left_line g on g.ecpd_id = ${ecpdId} and g.account_name = ${accountName} and g.device_id = asked.device_id
    where ${stillGone(tenant)}`);
};

/** The lines of the account that carry a label, or carried it when they left, in the order of their keys. */
export const listLinesByLabel = (
  db: Db,
  tenant: Tenant,
  { name, value }: Label,
  page: { readonly after: string | undefined; readonly limit: number },
) => {
  const { ecpdId, accountName } = tenant;
  const after = page.after ?? NIL_UUID;
  const label = JSON.stringify([{ name, value }]);
  return db.many<Line>(
    unprepared(sql`
    (select ${COLUMNS} from device d
    where d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and d.device_id > ${after}
      and d.labels @> ${label}::jsonb
    order by d.device_id limit ${page.limit})
    union all
    (select ${LEFT_COLUMNS} from left_line g
    where g.ecpd_id = ${ecpdId} and g.account_name = ${accountName} and g.device_id > ${after}
      and g.labels @> ${label}::jsonb and ${stillGone(tenant)}
    order by g.device_id limit ${page.limit})
    order by "deviceId" limit ${page.limit}`),
  );
};
