import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql, trusted } from '../../platform/db/sql.ts';
import type { LocationRequest } from './location-request.ts';

interface ListedRequest extends Pick<LocationRequest, 'txid' | 'accuracy' | 'status' | 'totalCount'> {
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  /** Devices not yet queried at the network. */
  readonly waiting: number;
}

/** Reports of an account, newest first. Waiting entries are counted by an index, and only for open reports. */
export const listReports = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  {
    before,
    endedAfter,
    limit,
  }: {
    readonly before: { readonly at: Date; readonly id: string } | undefined;
    readonly endedAfter: Date;
    readonly limit: number;
  },
) =>
  db.many<ListedRequest>(sql`
    select r.txid, r.accuracy, r.status, r.total_count as "totalCount", r.created_at as "createdAt",
      r.ended_at as "endedAt",
      case when r.ended_at is null then (
        select count(*)::int from location_entry e
        where e.ecpd_id = ${ecpdId} and e.txid = r.txid and e.state = 'waiting') else 0 end as waiting
    from location_request r
    where r.ecpd_id = ${ecpdId} and r.account_name = ${accountName} and r.answered_by = 'report'
      and (r.ended_at is null or r.ended_at > ${endedAfter})
      and (r.created_at, r.txid) < (${before?.at ?? 'infinity'}::timestamptz,
        ${before?.id ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff'}::uuid)
    order by r.created_at desc, r.txid desc limit ${limit}`);

/** The number of a report's devices in each state. */
export const countStates = (db: Db, { ecpdId }: Tenant, txid: string) =>
  db.one<{ waiting: number; located: number; failed: number }>(sql`
    select count(*) filter (where state = 'waiting')::int as waiting,
      count(*) filter (where state = 'located')::int as located,
      count(*) filter (where state in ('failed', 'absent', 'withheld'))::int as failed
    from location_entry where ecpd_id = ${ecpdId} and txid = ${txid}`);

interface ListedId {
  readonly kind: string;
  readonly id: string;
}

const IDENTIFIER =
  trusted(`case when d.imei is not null then 'IMEI' when d.meid is not null then 'MEID' else 'ESN' end as kind,
  coalesce(d.imei, d.meid, d.esn) as id`);

/** Identifiers of an account's locatable devices, page by page, to request the locations of all. */
export const listFleetIds = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { after, limit }: { readonly after: string; readonly limit: number },
) =>
  db.many<ListedId & { readonly listNumber: string }>(sql`
    select ${IDENTIFIER}, d.list_number::text as "listNumber"
    from device d
    where d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and d.kind <> 'sensor' and d.iot
      and d.state <> 'deactive' and coalesce(d.imei, d.meid, d.esn) is not null and d.list_number > ${after}::bigint
    order by d.list_number limit ${limit}`);

/** Identifiers of these devices of the account. Devices without an identifier usable for locating are left out. */
export const listIdsOf = (db: Db, { ecpdId, accountName }: Tenant, deviceIds: readonly string[]) =>
  db.many<ListedId>(sql`
    select ${IDENTIFIER} from device d
    where d.ecpd_id = ${ecpdId} and d.account_name = ${accountName}
      and d.device_id = any(${plainArray(deviceIds)}::uuid[]) and coalesce(d.imei, d.meid, d.esn) is not null
    order by d.list_number`);
