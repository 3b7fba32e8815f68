import { DEVICE_ID_KINDS, type DeviceId, type DeviceIdKind } from '../../kernel/device-id.ts';
import { NIL_UUID } from '../../kernel/uuid.ts';
import type { Tenant } from '../../platform/context/context.ts';
import { arrayText } from '../../platform/db/array-text.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { joinSql, type Query, sql, trusted } from '../../platform/db/sql.ts';
import type { DeviceKey, DeviceOnPlan, FleetDevice } from './device.ts';
import {
  deleteLineChangesOfAccount,
  deleteOwnersOfAccount,
  listEarlierOwners,
  type OwnedAt,
} from './sql-history.ts';

const RECORD = `record || jsonb_build_object('id', device_id, 'foreignid', foreign_id, 'createdon', created_on,
  'version', version::text)`;
const asDocument = (record: string) =>
  trusted(`account_name as "accountName", kind, ${DEVICE_ID_KINDS.join(', ')}, state,
  service_plan as "servicePlan", plan_since as "planSince", iot, labels, ${record} as record,
  activated_by_sku as "activatedBySku", ota_updated as "otaUpdated", node_uuid as "nodeUuid", simulation`);
const AS_DOCUMENT = asDocument(RECORD);
/** With the record as text: its numbers may have more digits than JavaScript's. */
export const EXPORTED = asDocument(`(${RECORD})::text`);

/** The device with the identifier, of any customer. The caller decides who may see it. */
export const findDeviceKey = (db: Db, { kind, value }: DeviceId) =>
  db.maybe<DeviceKey>(sql`
    select ecpd_id as "ecpdId", account_name as "accountName", device_id as "deviceId"
    from device_identifier where kind = ${kind} and value = ${value}`);

type ValuesByKind = ReadonlyMap<DeviceIdKind, ReadonlySet<string>>;

/** One list of values for each kind: PostgreSQL scans the index once, where a join would look up each identifier. */
const identified = (values: ValuesByKind): Query =>
  joinSql(
    [...values].map(
      ([kind, ofKind]) => sql`
        select kind, value, ecpd_id, account_name, device_id, since from device_identifier
        where kind = ${kind} and value = any(${arrayText([...ofKind])}::text[])`,
    ),
    ' union all ',
  );
const FOUND = trusted(`di.kind, di.value, di.ecpd_id as "ecpdId", di.account_name as "accountName",
  di.device_id as "deviceId", (extract(epoch from di.since) * 1000)::float8 as "sinceMs"`);

interface Identified extends DeviceId {
  /** When the device got the identifier; null: from the beginning. */
  readonly sinceMs: number | null;
}

/** Queries each identifier once. Returns rows in the given order, with undefined where no device had it at that time. */
async function inOrder<Row extends Identified>(
  given: readonly OwnedAt[],
  list: (values: ValuesByKind) => Promise<readonly Row[]>,
): Promise<(Row | undefined)[]> {
  if (given.length === 0) return [];
  const asked = new Map<DeviceIdKind, Set<string>>();
  for (const { id } of given) {
    const ofKind = asked.get(id.kind);
    if (ofKind === undefined) asked.set(id.kind, new Set([id.value]));
    else ofKind.add(id.value);
  }
  const found = new Map([...asked.keys()].map((kind) => [kind, new Map<string, Row>()]));
  for (const row of await list(asked)) found.get(row.kind)!.set(row.value, row);
  return given.map(({ id, atMs }) => {
    const row = found.get(id.kind)!.get(id.value);
    return row === undefined || atMs < (row.sinceMs ?? -Infinity) ? undefined : row;
  });
}

/**
 * The devices with these identifiers at a time, if they still have them, of any customer. For network feeds, which know
 * no accounts.
 */
export const findDeviceKeys = (
  db: Db,
  given: readonly OwnedAt[],
): Promise<readonly (DeviceKey | undefined)[]> =>
  inOrder(given, (values) =>
    db.many<DeviceKey & Identified>(sql`select ${FOUND} from (${identified(values)}) di`),
  );

const PLAN = trusted(
  `d.service_plan as "servicePlan", (extract(epoch from d.plan_since) * 1000)::float8 as "planSinceMs"`,
);

/** Identifiers of devices with the same account and plan; all lists are in the same order. */
interface OnOnePlan extends Pick<DeviceOnPlan, 'ecpdId' | 'accountName' | 'servicePlan'> {
  readonly kind: DeviceIdKind;
  readonly values: readonly string[];
  readonly deviceIds: readonly string[];
  readonly sinceMs: readonly (number | null)[];
  readonly planSinceMs: readonly (number | null)[];
}

/**
 * Aggregates rows by account and plan: thousands of rows with all columns would cost more than any other query of the
 * process.
 */
const findPresentOnPlans = (db: Db, given: readonly OwnedAt[]) =>
  inOrder(given, async (values) => {
    const listed = await db.many<OnOnePlan>(sql`
      select di.kind, di.ecpd_id as "ecpdId", di.account_name as "accountName", d.service_plan as "servicePlan",
        json_agg(di.value) as values, json_agg(di.device_id) as "deviceIds",
        json_agg((extract(epoch from di.since) * 1000)::float8) as "sinceMs",
        json_agg((extract(epoch from d.plan_since) * 1000)::float8) as "planSinceMs"
      from (${identified(values)}) di
      join device d on d.ecpd_id = di.ecpd_id and d.device_id = di.device_id
      group by 1, 2, 3, 4`);
    return listed.flatMap(({ kind, ecpdId, accountName, servicePlan, ...lists }) =>
      lists.values.map((value, n): DeviceOnPlan & Identified => ({
        kind,
        value,
        ecpdId,
        accountName,
        servicePlan,
        deviceId: lists.deviceIds[n]!,
        sinceMs: lists.sinceMs[n]!,
        planSinceMs: lists.planSinceMs[n]!,
      })),
    );
  });

/**
 * The present plans of devices that are still where they were found; `nth` counts from 0. Queries only the servers of
 * their profiles.
 */
const listPresentPlans = (db: Db, keys: readonly DeviceKey[]) =>
  db.many<Pick<DeviceOnPlan, 'servicePlan' | 'planSinceMs'> & { readonly nth: number }>(sql`
    select (given.nth - 1)::int as nth, ${PLAN}
    from unnest(${arrayText(keys.map(({ ecpdId }) => ecpdId))}::text[],
      ${arrayText(keys.map(({ accountName }) => accountName))}::text[], ${plainArray(keys.map(({ deviceId }) => deviceId))}::uuid[])
      with ordinality as given (ecpd_id, account_name, device_id, nth)
    join device d on d.ecpd_id = given.ecpd_id and d.device_id = given.device_id and d.account_name = given.account_name
    where d.ecpd_id = any(${[...new Set(keys.map(({ ecpdId }) => ecpdId))]}::text[])`);

/** For former owners, only the history knows the plan. */
const FORMER = { servicePlan: null, planSinceMs: Infinity };

/** Adds the owners that have lost the identifier since. */
async function withEarlierOwners<Row>(
  db: Db,
  given: readonly OwnedAt[],
  present: readonly (Row | undefined)[],
) {
  const found: (Row | DeviceOnPlan | undefined)[] = [...present];
  const others = given.flatMap(({ id, atMs }, n) => (present[n] === undefined ? [{ n, id, atMs }] : []));
  if (others.length > 0)
    for (const { nth, ...key } of await listEarlierOwners(db, others))
      found[others[nth]!.n] = { ...key, ...FORMER };
  return found;
}

type AlsoQuery<T> = (owners: readonly DeviceKey[]) => Promise<T>;
type Found<T> = readonly [readonly (DeviceOnPlan | undefined)[], T];
const knownOf = <Key>(keys: readonly (Key | undefined)[]) => keys.filter((key) => key !== undefined);

/** Attempts to look up devices that move in the meantime. */
const ATTEMPTS_MAX = 5;

/**
 * On a cluster, a join from identifiers to plans would query every server, so the queries are separate and each sees
 * its own point in time. A final check finds devices that have moved since the lookup, and repeats it.
 */
async function findOnCluster<T>(
  db: Db,
  given: readonly OwnedAt[],
  alsoQuery: AlsoQuery<T>,
  attempt = 1,
): Promise<Found<T>> {
  const keys = await withEarlierOwners(db, given, await findDeviceKeys(db, given));
  const nameOf = ({ ecpdId, deviceId }: DeviceKey) => `${ecpdId} ${deviceId}`;
  const known = knownOf(keys);
  const present = new Map(known.flatMap((key) => ('servicePlan' in key ? [] : [[nameOf(key), key]])));
  const [along, plans] = await Promise.all([alsoQuery(known), listPresentPlans(db, [...present.values()])]);
  if (plans.length < present.size) {
    if (attempt === ATTEMPTS_MAX) throw new Error('devices kept moving while they were looked up');
    return findOnCluster(db, given, alsoQuery, attempt + 1);
  }
  const names = [...present.keys()];
  const planOf = new Map(plans.map(({ nth, ...plan }) => [names[nth]!, plan]));
  return [keys.map((key) => key && { ...FORMER, ...planOf.get(nameOf(key)), ...key }), along];
}

/**
 * The devices with these identifiers at a time, and the present plan of each, in order. `alsoQuery` queries more about
 * the owners, no later than the plans. On a single server, call it in a transaction with one snapshot.
 */
export async function findDevicesOnPlans<T>(
  db: Db,
  given: readonly OwnedAt[],
  alsoQuery: AlsoQuery<T>,
): Promise<Found<T>> {
  if (db.sharded) return findOnCluster(db, given, alsoQuery);
  const devices = await withEarlierOwners(db, given, await findPresentOnPlans(db, given));
  return [devices, await alsoQuery(knownOf(devices))];
}

export const findDevice = (db: Db, { ecpdId, accountName, deviceId }: DeviceKey) =>
  db.maybe<FleetDevice>(sql`
    select ${AS_DOCUMENT} from device
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = ${deviceId}`);

export const listDevices = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  page: { after: string | undefined; state: string | undefined; limit: number },
) =>
  db.many<FleetDevice>(sql`
    select ${AS_DOCUMENT} from device
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id > ${page.after ?? NIL_UUID}
      and (${page.state ?? null}::text is null or state = ${page.state ?? null})
    order by device_id limit ${page.limit}`);

/** Waits for transactions that write about the device, and makes later ones see its deletion. */
export const lockDevice = (db: Db, { ecpdId, accountName, deviceId }: DeviceKey) =>
  db.exec(sql`
    select 1 from device where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = ${deviceId} for update`);

/** Deletes the next lines of an account with what refers to them, after `beforeDeletion`. Returns how many. */
export async function deleteLinesOfAccount(
  db: Db,
  { ecpdId, accountName }: Tenant,
  limit: number,
  beforeDeletion: (deviceIds: readonly string[]) => Promise<unknown>,
): Promise<number> {
  const deviceIds = await db.values<string>(sql`
    select device_id as "deviceId" from device where ecpd_id = ${ecpdId} and account_name = ${accountName}
    order by device_id limit ${limit} for update`);
  if (deviceIds.length === 0) return 0;
  await beforeDeletion(deviceIds);
  for (const table of [sql`device_identifier`, sql`device_plan`, sql`device`])
    await db.exec(sql`
      delete from ${table} where ecpd_id = ${ecpdId} and device_id = any(${plainArray(deviceIds)}::uuid[])`);
  return deviceIds.length;
}

/** Deletes what is left of an account's lines after they were deleted. */
export async function deleteTracesOfAccount(db: Db, tenant: Tenant): Promise<void> {
  await deleteLineChangesOfAccount(db, tenant);
  await deleteOwnersOfAccount(db, tenant);
}
