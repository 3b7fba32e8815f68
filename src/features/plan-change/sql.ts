import type { DeviceId } from '../../kernel/device-id.ts';
import type { Tenant } from '../../platform/context/context.ts';
import { arrayText } from '../../platform/db/array-text.ts';
import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';
import type { NamedPlace } from './wire.ts';

/** Whether any of the account's devices among these is on the plan. */
export const isAnyOnPlan = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  ids: readonly DeviceId[],
  planCode: string,
): Promise<boolean> =>
  db.value<boolean>(sql`
    select exists (
      select 1 from unnest(${arrayText(ids.map(({ kind }) => kind))}::text[],
        ${arrayText(ids.map(({ value }) => value))}::text[]) as asked (kind, value)
      join device_identifier di on di.kind = asked.kind and di.value = asked.value
      join device d on d.ecpd_id = di.ecpd_id and d.device_id = di.device_id
      where d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and d.service_plan = ${planCode}) as found`);

/** The first place of an identifier counts, as its first mention does for the device. */
export const insertPlaces = (db: Db, { ecpdId }: Tenant, requestId: string, places: readonly NamedPlace[]) =>
  db.exec(sql`
    insert into plan_change_place (ecpd_id, request_id, named_by, place)
    select p.ecpd_id, ${requestId}, new.named_by, new.place
    from profile p cross join unnest(${arrayText(places.map(({ namedBy }) => namedBy))}::text[],
      ${arrayText(places.map(({ place }) => JSON.stringify(place)))}::jsonb[]) as new (named_by, place)
    where p.ecpd_id = ${ecpdId}
    on conflict do nothing`);

/** Deletes and returns the places: from now on they are stored with the device, or not at all. */
export const takePlaces = (db: Db, { ecpdId }: Tenant, requestId: string, namedBy: readonly string[]) =>
  db.many<NamedPlace>(sql`
    delete from plan_change_place
    where ecpd_id = ${ecpdId} and request_id = ${requestId} and named_by = any(${arrayText(namedBy)}::text[])
    returning named_by as "namedBy", place`);
