import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { type Query, sql } from '../../platform/db/sql.ts';
import { type Accuracy, LEVELS_ALLOWING } from './consent.ts';
import { LOCATION_KINDS } from './device-ref.ts';
import { KINDS } from './sql-device.ts';

/**
 * `excluded`: by the account's list or its flag. `denied`: by the level, or because none is stored. `lost`: the account
 * does not have the line, and may not show the positions of its time.
 */
export type Withheld = 'excluded' | 'denied' | 'both' | 'lost';

/**
 * The devices that the list excludes, of rows `given`: those that entries were made for, and those that now have a listed
 * identifier. `limit` makes the server look up each device by its key; otherwise it may read all identifiers of the account.
 */
export const excludedAmong = ({ ecpdId, accountName }: Tenant, given: Query): Query => sql`
  select distinct given.device_id from ${given}
  cross join lateral (
    (select 1 from excluded_device x
     where x.ecpd_id = ${ecpdId} and x.account_name = ${accountName} and x.device_id = given.device_id limit 1)
    union all
    (select 1 from (
       select di.value from device_identifier di
       where di.ecpd_id = ${ecpdId} and di.account_name = ${accountName} and di.device_id = given.device_id
         and di.kind = any(${KINDS}) limit ${LOCATION_KINDS.length}) own
     cross join lateral (
       select 1 from exclusion e
       where e.ecpd_id = ${ecpdId} and e.account_name = ${accountName} and e.identifier = own.value limit 1) entry)
    limit 1) found
  where exists (select 1 from exclusion where ecpd_id = ${ecpdId} and account_name = ${accountName})`;

/**
 * Parts of a statement. `asked`: the requested devices, and which line of the account each is now (`line_id`): itself, or
 * the one that it became at another customer and that has come back. Null if the account does not have it: `keeps` then
 * tells whether it may still show the positions of its time. Devices are read as one set, because most are the account's.
 */
const askedLines = (
  { ecpdId, accountName }: Tenant,
  deviceIds: readonly string[],
  accuracy: Accuracy,
): Query => {
  const ids = plainArray(deviceIds);
  return sql`
    own as materialized (
      select device_id from device
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = any(${ids}::uuid[])),
    away as materialized (
      select given.device_id from unnest(${ids}::uuid[]) as given (device_id)
      where given.device_id not in (select device_id from own)),
    asked as materialized (
      select device_id, device_id as line_id, true as keeps from own
      union all
      select away.device_id, back.device_id, coalesce(past.keeps, false) from away
      left join lateral (
        select ${accuracy === 'coarse' ? sql`p.coarse` : sql`p.precise`} as keeps, p.now_device_id from past_line p
        where p.ecpd_id = ${ecpdId} and p.account_name = ${accountName} and p.device_id = away.device_id limit 1) past on true
      left join lateral (
        select d.device_id from device d
        where d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and d.device_id = past.now_device_id
        limit 1) back on true)`;
};

/**
 * Of these devices, those whose positions the account may not obtain or show: the one place that decides it. A device that
 * the account has is judged by its present settings. One that it had is judged by what `past_line` kept and by the
 * account's own settings. All others are withheld. Called for thousands of devices.
 */
export async function listWithheld(
  db: Db,
  tenant: Tenant,
  deviceIds: readonly string[],
  accuracy: Accuracy,
): Promise<ReadonlyMap<string, Withheld>> {
  if (deviceIds.length === 0) return new Map();
  const { ecpdId, accountName } = tenant;
  const rows = await db.many<{ deviceId: string; withheld: Withheld }>(sql`
    with ${askedLines(tenant, deviceIds, accuracy)},
    excluded as materialized (${excludedAmong(tenant, sql`(select line_id as device_id from asked) given`)}),
    facts as materialized (
      select all_device, has_own_levels, level = any(${LEVELS_ALLOWING[accuracy]}::int[]) as allows
      from (select
        coalesce((select all_device from exclusion_list where ecpd_id = ${ecpdId} and account_name = ${accountName}), false)
          as all_device,
        exists (select 1 from device_consent where ecpd_id = ${ecpdId} and account_name = ${accountName}) as has_own_levels,
        coalesce((select level from consent where ecpd_id = ${ecpdId} and account_name = ${accountName}), -1) as level) known)
    select a.device_id as "deviceId",
      case when a.line_id is null and not a.keeps then 'lost'
        when not (f.all_device or x.device_id is not null) then 'denied'
        when coalesce(own.allows, f.allows) then 'excluded' else 'both' end as withheld
    from facts f
    cross join lateral (
      select * from asked
      where f.all_device or f.has_own_levels or not f.allows or not keeps or exists (select 1 from excluded)) a
    left join excluded x on x.device_id = a.line_id
    left join lateral (
      select level = any(${LEVELS_ALLOWING[accuracy]}::int[]) as allows from device_consent
      where f.has_own_levels and ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = a.line_id
      limit 1) own on true
    where f.all_device or x.device_id is not null or not coalesce(own.allows, f.allows)
      or (a.line_id is null and not a.keeps)`);
  return new Map(rows.map(({ deviceId, withheld }) => [deviceId, withheld]));
}

export type Shown = Accuracy | 'nothing';

interface AccountAccuracy {
  /** How devices of the account may be shown: precise, coarse, or not at all. */
  readonly accuracy: Shown;
  /** Whether some devices have their own level or are on the list: then each needs a check. */
  readonly differs: boolean;
}

const shownAt = (level: number): Shown =>
  (['precise', 'coarse'] as const).find((one) =>
    LEVELS_ALLOWING[one].some((allowing) => allowing === level),
  ) ?? 'nothing';

export async function findAccountAccuracy(db: Db, { ecpdId, accountName }: Tenant): Promise<AccountAccuracy> {
  const { differs, allDevice, level } = await db.one<{
    differs: boolean;
    allDevice: boolean;
    level: number;
  }>(sql`
    select exists (select 1 from device_consent where ecpd_id = ${ecpdId} and account_name = ${accountName})
        or exists (select 1 from exclusion where ecpd_id = ${ecpdId} and account_name = ${accountName}) as differs,
      coalesce((select all_device from exclusion_list where ecpd_id = ${ecpdId} and account_name = ${accountName}), false)
        as "allDevice",
      coalesce((select level from consent where ecpd_id = ${ecpdId} and account_name = ${accountName}), -1) as level`);
  return allDevice ? { accuracy: 'nothing', differs: false } : { accuracy: shownAt(level), differs };
}

/** Every device that the account's list excludes. The list is short, so the search starts there. */
export const allExcluded = ({ ecpdId, accountName }: Tenant): Query => sql`
  select x.device_id from excluded_device x where x.ecpd_id = ${ecpdId} and x.account_name = ${accountName}
  union
  select di.device_id from exclusion e
  cross join lateral (
    select i.device_id from device_identifier i
    where i.kind = any(${KINDS}) and i.value = e.identifier and i.ecpd_id = ${ecpdId} and i.account_name = ${accountName}) di
  where e.ecpd_id = ${ecpdId} and e.account_name = ${accountName}`;

/** Joins their own levels to the devices `p` of a page: `own.level` is null for devices without one. */
export const joinOwnLevels = ({ ecpdId, accountName }: Tenant): Query => sql`
  left join device_consent own
    on own.ecpd_id = ${ecpdId} and own.account_name = ${accountName} and own.device_id = p.device_id`;

/** The accuracy that a level allows; `otherwise` if it is null. */
export const shownBy = (level: Query, otherwise: Shown): Query => sql`
  case when ${level} is null then ${otherwise}::text
    when ${level} = any(${LEVELS_ALLOWING.precise}::int[]) then 'precise'
    when ${level} = any(${LEVELS_ALLOWING.coarse}::int[]) then 'coarse' else 'nothing' end`;
