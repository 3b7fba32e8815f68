import { DEVICE_ID_KINDS, type DeviceIdColumns } from '../../../kernel/device-id.ts';
import type { Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { type Query, sql, trusted, unprepared } from '../../../platform/db/sql.ts';
import { ANSWER_MAX_CHARS, DOCUMENT_MAX_BYTES } from '../limits.ts';
import type { Criterion, RecordKind, StoredRecord } from './fields.ts';
import type { RecordQuery } from './record-query.ts';
import { conditions, devicesLike, isSelective } from './sql-criteria.ts';

interface Table {
  readonly name: Query;
  readonly id: Query;
  /** The sort key of the list. */
  readonly place: Query;
  readonly placeType: Query;
  /** Selects the rows of this kind; uses constants, so that partial indexes apply. */
  readonly only: Query;
  readonly more: Query;
}

const written = trusted(`r.record::text as record, r.foreign_id as "foreignId", r.created_on as "createdOn",
  r.last_updated as "lastUpdated", r.version::text as version, r.version_id as "versionId"`);

const devices = (only: string): Table => ({
  name: sql`device`,
  id: sql`device_id`,
  place: sql`list_number`,
  placeType: sql`bigint`,
  only: trusted(` and ${only}`),
  more: trusted(`r.kind, ${DEVICE_ID_KINDS.map((kind) => `r.${kind}`).join(', ')}`),
});

const TABLES: Readonly<Record<RecordKind, Table>> = {
  device: devices(`r.kind = 'device'`),
  gateway: devices(`r.kind = 'gateway'`),
  sensor: devices(`r.kind = 'sensor'`),
  user: {
    name: sql`user_profile`,
    id: sql`user_id`,
    place: sql`user_id`,
    placeType: sql`uuid`,
    only: sql``,
    more: sql`'user' as kind`,
  },
  rule: {
    name: sql`rule`,
    id: sql`rule_id`,
    place: sql`rule_id`,
    placeType: sql`uuid`,
    only: sql``,
    more: sql`'rule' as kind, r.device_id as "deviceId"`,
  },
};

type StoredRow = Omit<StoredRecord, 'identifiers'> & Partial<DeviceIdColumns>;

/** Identifiers are columns of the row itself. */
const toStored = (row: StoredRow): StoredRecord =>
  row.imei === undefined ? row : { ...row, identifiers: row as DeviceIdColumns };

const columnsOf = (kind: RecordKind): Query => {
  const { id, place, more } = TABLES[kind];
  return sql`r.${place}::text as place, r.${id} as id, ${written}, ${more}`;
};

/** This many records always fit into a response. */
const SURELY_SMALL = ANSWER_MAX_CHARS / DOCUMENT_MAX_BYTES / 2;

/** Stops at the record that makes the response too large: no more than that is ever in memory. */
const untilTooLarge = (records: Query): Query => sql`
  select * from (
    select r.*, sum(length(r.record)) over (rows unbounded preceding) - length(r.record) as before from (${records}) r) r
  where r.before <= ${ANSWER_MAX_CHARS} order by r.before`;

/** Reads one record more than the page holds, to learn whether another page follows. */
export function recordsStatement(tenant: Tenant, query: RecordQuery): Query {
  const { kind, criteria, ofDevice, page } = query;
  const { name, id, place, placeType, only } = TABLES[kind];
  const { ecpdId, accountName } = tenant;
  const onDevice =
    ofDevice.length === 0 ? sql`` : sql` and r.device_id in (${devicesLike(tenant, ofDevice)})`;
  const after = page.after === undefined ? sql`` : sql` and r.${place} > ${page.after}::${placeType}`;
  const found = sql`${name} r where r.ecpd_id = ${ecpdId} and r.account_name = ${accountName}${only}
    ${conditions(tenant, sql`r`, id, criteria)}${onDevice}${after}`;
  // The offset stops the planner from walking the account in order until enough records match: there may be none.
  const isFew = criteria.some(isSelective) || ofDevice.length > 0;
  const from = isFew ? sql`(select r.* from ${found} offset 0) r` : found;
  // Planned for every execution: the best plan depends on the criteria.
  const records = sql`
    select ${columnsOf(kind)} from ${from}
    order by r.${place} offset ${page.skip}::bigint limit ${page.limit + 1}`;
  return unprepared(page.limit <= SURELY_SMALL ? records : untilTooLarge(records));
}

export const listRecords = async (db: Db, tenant: Tenant, query: RecordQuery): Promise<StoredRecord[]> =>
  (await db.many<StoredRow>(recordsStatement(tenant, query))).map(toStored);

/** Devices, gateways and sensors, at most two: enough to know whether exactly one matches. */
export const listDevicesLike = async (
  db: Db,
  tenant: Tenant,
  criteria: readonly Criterion[],
): Promise<StoredRecord[]> =>
  (
    await db.many<StoredRow>(
      unprepared(sql`
        select ${columnsOf('device')} from (
          select r.* from device r
          where r.ecpd_id = ${tenant.ecpdId} and r.account_name = ${tenant.accountName}
            ${conditions(tenant, sql`r`, sql`device_id`, criteria)}
          offset 0) r
        limit 2`),
    )
  ).map(toStored);

/** Those of these devices that belong to the account, of any kind. */
export const listParents = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceIds: readonly string[],
): Promise<StoredRecord[]> =>
  (
    await db.many<StoredRow>(
      untilTooLarge(sql`
        select ${columnsOf('gateway')} from device r
        where r.ecpd_id = ${ecpdId} and r.account_name = ${accountName} and r.device_id = any(${deviceIds}::uuid[])`),
    )
  ).map(toStored);

/** The account's sensors with one of these parents, in the order in which they were added. */
export const listSensorsOf = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceIds: readonly string[],
  limit: number,
): Promise<StoredRecord[]> =>
  (
    await db.many<StoredRow>(
      untilTooLarge(sql`
        select ${columnsOf('sensor')} from device r
        where r.ecpd_id = ${ecpdId} and r.account_name = ${accountName} and r.kind = 'sensor'
          and r.record ? 'parentdeviceid' and r.record->>'parentdeviceid' = any(${deviceIds}::text[])
        order by r.list_number limit ${limit}`),
    )
  ).map(toStored);

/** Locks the record until the transaction ends; undefined if the account has no such record. */
export const lockRecord = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  kind: RecordKind,
  recordId: string,
): Promise<StoredRecord | undefined> => {
  const { name, id, only } = TABLES[kind];
  const row = await db.maybe<StoredRow>(sql`
    select ${columnsOf(kind)} from ${name} r
    where r.ecpd_id = ${ecpdId} and r.account_name = ${accountName}${only} and r.${id} = ${recordId} for update of r`);
  return row && toStored(row);
};
