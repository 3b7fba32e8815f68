import type { Db } from '../../../platform/db/db.ts';
import { type Query, sql, trusted } from '../../../platform/db/sql.ts';
import type { DeviceKey } from '../../devices/index.ts';
import { KINDS } from '../sql-device.ts';
import type { LedgerEntry } from './intervals.ts';

interface NamedIdentifier {
  readonly identifier: string;
  readonly current: boolean;
}

const unnested = (named: readonly NamedIdentifier[]): Query => sql`
  unnest(${named.map(({ identifier }) => identifier)}::text[], ${named.map(({ current }) => current)}::boolean[])`;

/** Every identifier under which the device is or was listed. The query jumps from one to the next in the index. */
const listIdentifiers = async (db: Db, { ecpdId, accountName, deviceId }: DeviceKey) =>
  db.many<NamedIdentifier>(sql`
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

/** How many moves of an exclusion between identifiers are followed back to its start. */
const MOVES_MAX = 1_000;

/**
 * When the gapless exclusion of the device at `from` began. For each identifier that excludes it, the query finds the
 * first 'exclude' after the last 'allow', and takes the earliest of these. It repeats this for the time just before,
 * until no exclusion is found. Every step reads the index of an identifier from its starting point.
 */
function excludedSince(
  { ecpdId, accountName, deviceId }: DeviceKey,
  named: readonly NamedIdentifier[],
  from: Date,
): Query {
  const rows = (where: Query) => sql`
    select ${COLUMNS} from entered l
    where l.identifier = n.name and (n.current or l.device_id = ${deviceId}) and ${where}`;
  const beginning = (before: Query) => sql`
    select began.* from ${unnested(named)} as n (name, current)
    cross join lateral (${rows(before)} order by l.at desc, l.entry_id desc limit 1) last
    left join lateral (
      ${rows(sql`${before} and l.change = 'allow'`)} order by l.at desc, l.entry_id desc limit 1) ended on true
    cross join lateral (
      ${rows(sql`l.change = 'exclude' and (l.at, l.entry_id) > (coalesce(ended.at, '-infinity'), coalesce(ended.entry_id, 0))`)}
      order by l.at, l.entry_id limit 1) began
    where last.change = 'exclude'
    order by began.at, began.entry_id limit 1`;
  return sql`
    with recursive entered as not materialized (
      select ${COLUMNS}, device_id from consent_ledger where ecpd_id = ${ecpdId} and account_name = ${accountName}),
    moves as (
      select first.*, 1 as nth from (${beginning(sql`l.at <= ${from}`)}) first
      union all
      select earlier.*, m.nth + 1 from moves m
      cross join lateral (${beginning(sql`l.at < m.at`)}) earlier
      where m.nth < ${MOVES_MAX})
    select ${COLUMNS} from moves`;
}

/**
 * The ledger entries of one device, in order: the last one of each kind up to `from`, which together are the state at
 * that time, the start of an exclusion that is in force then, and the first `limit` entries after it. Every part reads
 * an index from its starting point.
 */
export async function listLedger(
  db: Db,
  device: DeviceKey,
  { from, to, limit }: { from: Date; to: Date; limit: number },
): Promise<LedgerEntry[]> {
  const { ecpdId, accountName, deviceId } = device;
  const named = await listIdentifiers(db, device);
  /** `lead` is the index column before the time that is not compared with `=`: with it in the order, no sort is needed. */
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
      (${excludedSince(device, named, from)})
      union all
      select own.* from (${part(sql`device_id = ${deviceId} and identifier is null`, 'identifier')}) own
      union all
      select wide.* from unnest(${ACCOUNT_CHANGES}) as kinds (kind)
      cross join lateral (${part(sql`device_id is null and identifier is null and change = kinds.kind`)}) wide
      union all
      select listed.* from ${unnested(named)} as named (name, current)
      cross join lateral (${part(sql`identifier = named.name and (named.current or device_id = ${deviceId})`)}) listed
    ) entries
    order by at, entry_id`);
}

/** When the device came to its account from another one. */
export const findArrival = async (
  db: Db,
  { ecpdId, accountName, deviceId }: DeviceKey,
): Promise<Date | undefined> =>
  (await db.maybeValue<Date | null>(sql`
    select came_at as "cameAt" from device
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = ${deviceId}`)) ?? undefined;
