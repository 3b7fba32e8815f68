import type { Boundaries } from '../../kernel/calendar.ts';
import type { DeviceIdColumns } from '../../kernel/device-id.ts';
import { arrayText } from '../../platform/db/array-text.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql, unprepared } from '../../platform/db/sql.ts';
import { BOUNDARIES } from '../accounts/index.ts';

export type LineIds = Pick<DeviceIdColumns, 'imei' | 'msisdn' | 'mdn'>;

/** The names that the carrier and people use. */
export interface PlanWords {
  readonly carrierCode: string;
  readonly name: string;
}

/** A line of an account. It may have left the account since it was counted there. */
export interface LineOf {
  readonly accountName: string;
  readonly subject: string;
}

/**
 * For lines that left the account, their identifiers when they left: usage from before may still arrive. Planned for
 * the given number of lines, whose ids also filter the devices: a plan for a few would look up each of thousands
 * separately.
 */
export function listLineIds(db: Db, ecpdId: string, lines: readonly LineOf[]) {
  const ids = plainArray(lines.map(({ subject }) => subject));
  return db.many<LineIds & LineOf>(
    unprepared(sql`
    with line as materialized (
      select * from unnest(${arrayText(lines.map(({ accountName }) => accountName))}::text[],
        ${ids}::uuid[]) as l (account_name, device_id)),
    present as (
      select l.*, d.imei, d.msisdn, d.mdn from line l
      join device d on d.ecpd_id = ${ecpdId} and d.device_id = l.device_id and d.account_name = l.account_name
        and d.device_id = any(${ids}::uuid[])),
    had as (
      select distinct on (l.account_name, l.device_id, o.kind) l.*, o.kind, o.value from line l
      join earlier_owner o on o.ecpd_id = ${ecpdId} and o.device_id = l.device_id and o.account_name = l.account_name
      where (l.account_name, l.device_id) not in (select account_name, device_id from present)
      order by l.account_name, l.device_id, o.kind, o.to_at desc)
    select account_name as "accountName", device_id as subject, imei, msisdn, mdn from present
    union all
    select account_name, device_id, max(value) filter (where kind = 'imei'), max(value) filter (where kind = 'msisdn'),
      max(value) filter (where kind = 'mdn')
    from had group by 1, 2`),
  );
}

/** What decides where the days of accounts begin. */
export const findBoundaries = async (db: Db, ecpdId: string, accountNames: readonly string[]) => {
  const rows = await db.many<Boundaries & { readonly accountName: string }>(sql`
    select account_name as "accountName", ${BOUNDARIES} from account a
    where ecpd_id = ${ecpdId} and account_name = any(${accountNames}::text[])`);
  return new Map(rows.map((account) => [account.accountName, account]));
};

export const findZones = async (db: Db, ecpdId: string, accountNames: readonly string[]) => {
  const rows = await db.many<{ accountName: string; timeZone: string }>(sql`
    select account_name as "accountName", time_zone as "timeZone" from account
    where ecpd_id = ${ecpdId} and account_name = any(${accountNames}::text[])`);
  return new Map(rows.map(({ accountName, timeZone }) => [accountName, timeZone]));
};

/** If several plans share a carrier code, the first of them represents it. */
export const findPlanNames = async (db: Db, carrierCodes: readonly string[]) => {
  const rows = await db.many<PlanWords>(sql`
    select distinct on (carrier_service_plan_code) carrier_service_plan_code as "carrierCode", name from plan
    where carrier_service_plan_code = any(${carrierCodes}::text[])
    order by carrier_service_plan_code, code`);
  return new Map(rows.map(({ carrierCode, name }) => [carrierCode, name]));
};

export const findPlanWords = async (db: Db, codes: readonly string[]) => {
  const rows = await db.many<PlanWords & { code: string }>(sql`
    select code, coalesce(carrier_service_plan_code, code) as "carrierCode", name from plan
    where code = any(${codes}::text[])`);
  return new Map(rows.map(({ code, ...words }) => [code, words]));
};

export const findGroupAccounts = async (db: Db, ecpdId: string, groupIds: readonly number[]) => {
  const rows = await db.many<{ groupId: number; accountNames: string[] }>(sql`
    select rate_plan_group_id::float8 as "groupId", array_agg(account_name order by account_name) as "accountNames"
    from rate_plan_group_account
    where ecpd_id = ${ecpdId} and rate_plan_group_id = any(${plainArray(groupIds)}::bigint[])
    group by rate_plan_group_id`);
  return new Map(rows.map(({ groupId, accountNames }) => [groupId, accountNames]));
};
