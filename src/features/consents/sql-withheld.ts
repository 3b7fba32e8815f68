import type { Tenant } from '../../platform/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql } from '../../platform/db/sql.ts';
import { type Accuracy, LEVELS_ALLOWING } from './consent.ts';
import { KINDS } from './sql-device.ts';

/** `excluded`: by the account's list or its flag, whatever the level. `denied`: by the level, or none is on file. */
export type Withheld = 'excluded' | 'denied';

/**
 * Which of the account's devices may not be located, asked by the thousand; whoever is not in the answer may be. Most
 * accounts have one level that allows it and no list: then no device is looked at.
 *
 * `limit 1` makes the server look each level up by its key, however many it believes there are.
 */
export async function listWithheld(
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceIds: readonly string[],
  accuracy: Accuracy,
): Promise<ReadonlyMap<string, Withheld>> {
  if (deviceIds.length === 0) return new Map();
  const rows = await db.many<{ deviceId: string; withheld: Withheld }>(sql`
    with excluded as materialized (
      select device_id from exclusion
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id is not null
      union
      select di.device_id from exclusion e
      join device_identifier di on di.kind = any(${KINDS}) and di.value = e.identifier
        and di.ecpd_id = ${ecpdId} and di.account_name = ${accountName}
      where e.ecpd_id = ${ecpdId} and e.account_name = ${accountName} and e.device_id is null),
    facts as materialized (
      select all_device, has_own_levels, level = any(${LEVELS_ALLOWING[accuracy]}::int[]) as allows
      from (select
        coalesce((select all_device from exclusion_list where ecpd_id = ${ecpdId} and account_name = ${accountName}), false)
          as all_device,
        exists (select from device_consent where ecpd_id = ${ecpdId} and account_name = ${accountName}) as has_own_levels,
        coalesce((select level from consent where ecpd_id = ${ecpdId} and account_name = ${accountName}), -1) as level) known)
    select asked.device_id as "deviceId",
      case when f.all_device or x.device_id is not null then 'excluded' else 'denied' end as withheld
    from facts f
    cross join lateral (
      select device_id from unnest(${plainArray(deviceIds)}::uuid[]) as listed (device_id)
      where f.all_device or f.has_own_levels or not f.allows or exists (select from excluded)) asked
    left join excluded x on x.device_id = asked.device_id
    left join lateral (
      select level = any(${LEVELS_ALLOWING[accuracy]}::int[]) as allows from device_consent
      where f.has_own_levels and ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = asked.device_id
      limit 1) own on true
    where f.all_device or x.device_id is not null or not coalesce(own.allows, f.allows)`);
  return new Map(rows.map(({ deviceId, withheld }) => [deviceId, withheld]));
}
