import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { sql, trusted } from '../../platform/db/sql.ts';

export interface FleetDevice {
  readonly deviceId: string;
  readonly listNumber: string;
  readonly name: string;
}

const SHOWN = trusted(`d.device_id as "deviceId", d.list_number::text as "listNumber",
  coalesce(d.record->>'name', d.imei, d.meid, d.esn, d.iccid, d.mdn, '') as name`);

/** Devices of the account that can be located at all, in the order in which they were added. */
export const listLocatable = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { after, limit }: { readonly after: string; readonly limit: number },
) =>
  db.many<FleetDevice>(sql`
    select ${SHOWN} from device d
    where d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and d.kind <> 'sensor' and d.iot
      and d.state <> 'deactive' and d.list_number > ${after}::bigint
    order by d.list_number limit ${limit}`);

/** Those of them whose position came to be known since; every one has a coarse form, so that one row speaks for a device. */
export const listLocatedSince = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { since, limit }: { readonly since: Date; readonly limit: number },
) =>
  db.many<FleetDevice>(sql`
    select ${SHOWN} from device_position p
    join device d on d.ecpd_id = ${ecpdId} and d.device_id = p.device_id
    where p.ecpd_id = ${ecpdId} and p.accuracy like 'coarse' and p.received_at >= ${since} and d.account_name = ${accountName}
      and d.kind <> 'sensor' and d.iot and d.state <> 'deactive'
    order by p.received_at limit ${limit}`);
