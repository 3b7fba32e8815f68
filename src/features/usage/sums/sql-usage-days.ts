import { type LocalDay, monthOf } from '../../../kernel/bill-cycle.ts';
import { type CountedDays, FIRST_PIECE } from '../../../kernel/calendar.ts';
import { NIL_UUID } from '../../../kernel/uuid.ts';
import type { Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { type Query, sql } from '../../../platform/db/sql.ts';
import { dateOfColumn, isIn } from '../sql-cycle.ts';

/** Whether a month has some of the days. */
const isInMonths = (month: Query, { from, to, pieces }: CountedDays): Query =>
  isIn(month, { from: monthOf(from), to, pieces: [...new Set(pieces.map(monthOf))] });

/** Devices with counters in the months of these days, ordered by key. */
export const listDevicesWithUsage = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  days: CountedDays,
  page: { readonly after: string | undefined; readonly limit: number },
): Promise<readonly string[]> =>
  db.values<string>(sql`
    select distinct device_id as "deviceId" from usage_device_month
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id > ${page.after ?? NIL_UUID}
      and ${isInMonths(sql`month`, days)}
    order by device_id limit ${page.limit}`);

interface UsageDay {
  readonly day: LocalDay;
  /** Empty: not known. */
  readonly planCode: string;
  readonly bytes: string;
}

const countedDays = ({ ecpdId, accountName }: Tenant, days: CountedDays, deviceIds: readonly string[]) => sql`
  select c.device_id, c.plan_code, c.month + (n - 1)::int as day, n_bytes as bytes
  from unnest(${plainArray(deviceIds)}::uuid[]) as given (device_id)
  join usage_device_month c on c.ecpd_id = ${ecpdId} and c.account_name = ${accountName}
    and c.device_id = given.device_id and ${isInMonths(sql`c.month`, days)}
  cross join unnest(c.day_bytes) with ordinality as d (n_bytes, n)
  where n_bytes <> 0 and ${isIn(sql`c.month + (n - 1)::int`, days)}`;

/** Days on which the devices together used data, by plan, earliest first. */
export const listUsageDays = (
  db: Db,
  tenant: Tenant,
  span: CountedDays,
  deviceIds: readonly string[],
  limit: number,
) =>
  db.many<UsageDay>(sql`
    select day, plan_code as "planCode", sum(bytes)::text as bytes
    from (${countedDays(tenant, span, deviceIds)}) days
    group by day, plan_code order by ${dateOfColumn('day')}, day, plan_code limit ${limit}`);

/** What each device used; a device without usage is left out. */
export const sumUsageOfDevices = async (
  db: Db,
  tenant: Tenant,
  span: CountedDays,
  deviceIds: readonly string[],
): Promise<ReadonlyMap<string, string>> =>
  new Map(
    (
      await db.many<{ deviceId: string; bytes: string }>(sql`
        select device_id as "deviceId", sum(bytes)::text as bytes
        from (${countedDays(tenant, span, deviceIds)}) days group by device_id`)
    ).map(({ deviceId, bytes }) => [deviceId, bytes]),
  );

/** The first day for which the ledger has every record; undefined while nothing was deleted. */
export const findLedgerStart = (db: Db, { ecpdId }: Pick<Tenant, 'ecpdId'>): Promise<LocalDay | undefined> =>
  db.maybeValue<LocalDay>(sql`
    select starts_on as "startsOn" from usage_ledger_start where ecpd_id = ${ecpdId}`);

/** The last reported data usage of the device; undefined if the ledger has none. */
export const findLastUsage = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceId: string,
): Promise<Date | undefined> =>
  (await db.value<Date | null>(sql`
    select max(r.at) as at from usage_record r
    where r.ecpd_id = ${ecpdId} and r.account_name = ${accountName} and r.device_id = ${deviceId} and r.day in (
      select max(c.month + (n - 1)::int) from usage_device_month c
      cross join unnest(c.day_bytes) with ordinality as d (bytes, n)
      where c.ecpd_id = ${ecpdId} and c.account_name = ${accountName} and c.device_id = ${deviceId} and bytes <> 0
      group by c.month >= ${FIRST_PIECE})`)) ?? undefined;
