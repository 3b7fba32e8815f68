import type { Tenant } from '../../platform/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';
import { type Accuracy, LEVELS_ALLOWING } from './consent.ts';

/** `excluded`: by the account's list or its flag, whatever the level. `denied`: by the level, or none is on file. */
export type Withheld = 'excluded' | 'denied';

/**
 * Which of the devices may not be located, asked by the thousand; whoever is not in the answer may be. What is
 * no device of the account is denied: nothing was consented to for it.
 *
 * `limit 1` makes the server look each device up by its key, however large it believes the account to be;
 * `offset 0` keeps it from judging each device twice, once for the filter and once for the answer.
 */
export async function listWithheld(
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceIds: readonly string[],
  accuracy: Accuracy,
): Promise<ReadonlyMap<string, Withheld>> {
  const inList = sql`select identifier from exclusion where ecpd_id = ${ecpdId} and account_name = ${accountName}`;
  const rows = await db.many<{ deviceId: string; withheld: Withheld }>(sql`
    select judged.device_id as "deviceId", case when judged.excluded then 'excluded' else 'denied' end as withheld
    from (
      select asked.device_id, coalesce(own.level, c.level) as level, d.device_id is not null as known,
        coalesce(l.all_device, false)
          or asked.device_id in (select e.device_id from exclusion e where e.ecpd_id = ${ecpdId}
                                 and e.account_name = ${accountName} and e.device_id is not null)
          or coalesce(d.imei in (${inList}), false) or coalesce(d.meid in (${inList}), false)
          or coalesce(d.esn in (${inList}), false) as excluded
      from unnest(${deviceIds}::uuid[]) as asked (device_id)
      left join lateral (
        select device_id, imei, meid, esn from device
        where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = asked.device_id limit 1) d on true
      left join lateral (
        select level from device_consent
        where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = asked.device_id limit 1) own on true
      left join consent c on c.ecpd_id = ${ecpdId} and c.account_name = ${accountName}
      left join exclusion_list l on l.ecpd_id = ${ecpdId} and l.account_name = ${accountName}
      offset 0) judged
    where judged.excluded or not judged.known
      or coalesce(judged.level <> all(${LEVELS_ALLOWING[accuracy]}::int[]), true)`);
  return new Map(rows.map(({ deviceId, withheld }) => [deviceId, withheld]));
}
