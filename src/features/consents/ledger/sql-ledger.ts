import type { Db } from '../../../platform/db/db.ts';
import { type Query, sql, trusted } from '../../../platform/db/sql.ts';
import type { DeviceKey } from '../../devices/index.ts';
import { KINDS } from '../sql-device.ts';
import type { LedgerEntry } from './intervals.ts';

/** Every identifier under which the device is or was listed: it jumps from one to the next in the index. */
const listIdentifiers = async (db: Db, { ecpdId, accountName, deviceId }: DeviceKey) =>
  db.many<{ identifier: string; current: boolean }>(sql`
    select identifier, bool_or(current) as current from (
      select value as identifier, true as current from device_identifier
      where ecpd_id = ${ecpdId} and device_id = ${deviceId} and kind = any(${KINDS})
      union all
      (with recursive listed (identifier) as (
        (select identifier from consent_ledger
         where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = ${deviceId}
           and identifier is not null order by identifier limit 1)
        union all
        select (select l.identifier from consent_ledger l
                where l.ecpd_id = ${ecpdId} and l.account_name = ${accountName} and l.device_id = ${deviceId}
                  and l.identifier > listed.identifier order by l.identifier limit 1)
        from listed where listed.identifier is not null)
       select identifier, false from listed where identifier is not null)) named
    group by identifier`);

const ACCOUNT_CHANGES = trusted(`array['level', 'level-all', 'exclude-all', 'allow-all']`);
const COLUMNS = trusted('at, entry_id, actor, change, level, identifier');

/**
 * What concerns one device, in order: of each kind of change the last one up to `from`, which together are the state
 * at that moment, and the first `limit` after it. Every part reads an index from where it begins.
 */
export async function listLedger(
  db: Db,
  device: DeviceKey,
  { from, to, limit }: { from: Date; to: Date; limit: number },
): Promise<LedgerEntry[]> {
  const { ecpdId, accountName, deviceId } = device;
  const named = await listIdentifiers(db, device);
  /** `lead` is what stands before the time in the index and is not compared with `=`: sorted by it, nothing is sorted. */
  const part = (where: Query, lead: 'identifier' | undefined = undefined) => sql`
    (select ${COLUMNS} from consent_ledger
     where ecpd_id = ${ecpdId} and account_name = ${accountName} and ${where} and at <= ${from}
     order by ${lead === undefined ? sql`` : sql`identifier desc,`} at desc, entry_id desc limit 1)
    union all
    (select ${COLUMNS} from consent_ledger
     where ecpd_id = ${ecpdId} and account_name = ${accountName} and ${where} and at > ${from} and at < ${to}
     order by ${lead === undefined ? sql`` : sql`identifier,`} at, entry_id limit ${limit})`;
  return db.many<LedgerEntry>(sql`
    select at, actor, change, level, identifier from (
      select own.* from (${part(sql`device_id = ${deviceId} and identifier is null`, 'identifier')}) own
      union all
      select wide.* from unnest(${ACCOUNT_CHANGES}) as kinds (kind)
      cross join lateral (${part(sql`device_id is null and identifier is null and change = kinds.kind`)}) wide
      union all
      select listed.* from unnest(${named.map(({ identifier }) => identifier)}::text[],
                                  ${named.map(({ current }) => current)}::boolean[]) as named (name, current)
      cross join lateral (${part(sql`identifier = named.name and (named.current or device_id = ${deviceId})`)}) listed
    ) entries
    order by at, entry_id`);
}
