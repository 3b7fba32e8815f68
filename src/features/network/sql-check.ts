import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { type Query, sql } from '../../platform/db/sql.ts';
import type { NetworkLine, WantedLine } from './order.ts';
import { LINE } from './sql-order.ts';

export interface OrdersOfLine {
  readonly imsi: string;
  /** An order is open, to this element or to another one that a change waits for. */
  readonly isOpen: boolean;
  /** Changes with every order placed. */
  readonly stamp: string;
  /** What the element did last, if a change was waiting for it until recently. */
  readonly confirmed: Pick<WantedLine, 'wanted' | 'msisdn' | 'imei' | 'iccid' | 'plan'> | null;
}

/** By then, a change that the network has confirmed should have been made. */
const SETTLED_MS = 3_600_000;

/** Orders to an element, and orders to others that hold back a change here until the last of them is done. */
export const listOrdersOfLines = (
  db: Db,
  ecpdId: string,
  { element, others }: { readonly element: string; readonly others: readonly string[] },
  imsis: readonly string[],
  at: Query,
) =>
  db.many<OrdersOfLine>(sql`
    select imsi, bool_or(closed_at is null) as "isOpen", sum(nr)::text as stamp,
      (array_agg(case when state = 'done' and change_id is not null
          and closed_at > ${at} - ${SETTLED_MS} * interval '1 millisecond' then
            jsonb_build_object('wanted', wanted, 'msisdn', msisdn, 'imei', imei, 'iccid', iccid, 'plan', plan) end order by nr desc)
        filter (where element = ${element}))[1] as confirmed
    from network_order
    where ecpd_id = ${ecpdId} and element = any(${[element, ...others]}::text[]) and imsi = any(${imsis}::text[])
      and (element = ${element} or change_id is not null)
    group by imsi`);

/** The present rows, locked until the transaction ends. */
export const lockNetworkLines = (db: Db, ecpdId: string, deviceIds: readonly string[]) =>
  db.many<NetworkLine>(sql`
    select ${LINE} from device where ecpd_id = ${ecpdId} and device_id = any(${plainArray(deviceIds)}::uuid[])
    order by device_id for no key update`);

export interface KnownLine {
  readonly imsi: string;
  readonly accountName: string;
  readonly deviceId: string;
  readonly msisdn: string | null;
}

/** Lines that were ordered on an element and that the profile no longer has, as long as their orders are kept. */
export const listDeletedLines = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { element, after, limit }: { readonly element: string; readonly after: string; readonly limit: number },
) =>
  db.many<KnownLine>(sql`
    select distinct on (o.imsi) o.imsi, o.account_name as "accountName", o.device_id as "deviceId", o.msisdn
    from network_order o
    where o.ecpd_id = ${ecpdId} and o.element = ${element} and o.account_name = ${accountName} and o.imsi > ${after}
      and not exists (select 1 from device_identifier i where i.kind = 'imsi' and i.value = o.imsi)
    order by o.imsi, o.nr desc limit ${limit}`);
