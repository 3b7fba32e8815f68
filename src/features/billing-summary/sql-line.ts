import { DEVICE_ID_KINDS, type DeviceId, type DeviceIdColumns } from '../../kernel/device-id.ts';
import { NIL_UUID } from '../../kernel/uuid.ts';
import type { Tenant } from '../../platform/context/context.ts';
import { arrayText } from '../../platform/db/array-text.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql, trusted, unprepared } from '../../platform/db/sql.ts';
import type { Label } from './schemas.ts';

/** The data of a device that a summary needs. */
export interface Line extends DeviceIdColumns {
  readonly deviceId: string;
  readonly servicePlan: string | null;
}

const COLUMNS = trusted(
  `d.device_id as "deviceId", d.service_plan as "servicePlan", ${DEVICE_ID_KINDS.map((kind) => `d.${kind}`).join(', ')}`,
);

/** The account's devices among these; `nth` counts the given ids from 0. */
export const findLinesByIdentifier = (db: Db, { ecpdId, accountName }: Tenant, ids: readonly DeviceId[]) =>
  db.many<Line & { readonly nth: number }>(
    unprepared(sql`
    select (asked.nth - 1)::int as nth, ${COLUMNS}
    from unnest(${arrayText(ids.map(({ kind }) => kind))}::text[], ${arrayText(ids.map(({ value }) => value))}::text[])
      with ordinality as asked (kind, value, nth)
    join device_identifier di on di.kind = asked.kind and di.value = asked.value
      and di.ecpd_id = ${ecpdId} and di.account_name = ${accountName}
    join device d on d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and d.device_id = di.device_id`),
  );

/** Those of the given devices that the account still has. */
export const listLinesByKey = (db: Db, { ecpdId, accountName }: Tenant, deviceIds: readonly string[]) =>
  db.many<Line>(sql`
    select ${COLUMNS} from unnest(${plainArray(deviceIds)}::uuid[]) as asked (device_id)
    join device d on d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and d.device_id = asked.device_id`);

/** The devices of the account that carry a label, in the order of their keys. */
export const listLinesByLabel = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { name, value }: Label,
  page: { readonly after: string | undefined; readonly limit: number },
) =>
  db.many<Line>(
    unprepared(sql`
    select ${COLUMNS} from device d
    where d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and d.device_id > ${page.after ?? NIL_UUID}
      and d.labels @> ${JSON.stringify([{ name, value }])}::jsonb
    order by d.device_id limit ${page.limit}`),
  );
