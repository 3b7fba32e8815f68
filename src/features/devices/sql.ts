import { DEVICE_ID_KINDS, type DeviceId } from '../../kernel/device-id.ts';
import { NIL_UUID } from '../../kernel/uuid.ts';
import type { Tenant } from '../../platform/context/context.ts';
import { arrayText } from '../../platform/db/array-text.ts';
import type { Db } from '../../platform/db/db.ts';
import { type Query, sql, trusted } from '../../platform/db/sql.ts';
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
/** With the record as text: numbers in it may have more digits than JavaScript's have. */
export const EXPORTED = asDocument(`(${RECORD})::text`);

/** Which device has the identifier, whoever asks: the caller decides whether it may see it. */
export const findDeviceKey = (db: Db, { kind, value }: DeviceId) =>
  db.maybe<DeviceKey>(sql`
    select ecpd_id as "ecpdId", account_name as "accountName", device_id as "deviceId"
    from device_identifier where kind = ${kind} and value = ${value}`);

/** Looked up in their order, because neighbours in an index of millions lie on the same page. */
const identified = (ids: readonly DeviceId[]): Query => sql`
  (select * from unnest(${arrayText(ids.map((id) => id.kind))}::text[], ${arrayText(ids.map((id) => id.value))}::text[])
     with ordinality as u (kind, value, nth) order by kind, value) given
  join device_identifier di on di.kind = given.kind and di.value = given.value`;
const SINCE_MS = trusted('(extract(epoch from di.since) * 1000)::float8 as "sinceMs"');

interface Identified {
  readonly nth: number;
  /** Since when it has the identifier; null: from the beginning. */
  readonly sinceMs: number | null;
}

/** Asks for each identifier once; answers in their order, with undefined for what was no device at the time. */
async function inOrder<Row extends Identified>(
  given: readonly OwnedAt[],
  list: (distinct: readonly DeviceId[]) => Promise<readonly Row[]>,
): Promise<(Row | undefined)[]> {
  const names = given.map(({ id: { kind, value } }) => `${kind} ${value}`);
  const distinct = new Map(names.map((name, n) => [name, given[n]!.id]));
  const found = await list([...distinct.values()]);
  const namesOnce = [...distinct.keys()];
  const byName = new Map(found.map((row) => [namesOnce[row.nth], row]));
  return names.map((name, n) => {
    const row = byName.get(name);
    return row === undefined || given[n]!.atMs < (row.sinceMs ?? -Infinity) ? undefined : row;
  });
}

/** Whose devices these were at a moment, if they are still theirs, whoever asks: for feeds of the network, which knows no accounts. */
export const findDeviceKeys = (
  db: Db,
  given: readonly OwnedAt[],
): Promise<readonly (DeviceKey | undefined)[]> =>
  inOrder(given, (distinct) =>
    db.many<DeviceKey & Identified>(sql`
      select (given.nth - 1)::int as nth, di.ecpd_id as "ecpdId", di.account_name as "accountName",
        di.device_id as "deviceId", ${SINCE_MS}
      from ${identified(distinct)}`),
  );

const findPresentOnPlans = (db: Db, given: readonly OwnedAt[]) =>
  inOrder(given, (distinct) =>
    db.many<DeviceOnPlan & Identified>(sql`
      select (given.nth - 1)::int as nth, di.account_name as "accountName", di.device_id as "deviceId",
        d.service_plan as "servicePlan", (extract(epoch from d.plan_since) * 1000)::float8 as "planSinceMs", ${SINCE_MS}
      from ${identified(distinct)}
      join device d on d.ecpd_id = di.ecpd_id and d.device_id = di.device_id`),
  );

/** The same with the present plan of each, and with those who have lost the identifier since: of these history alone knows the plan. */
export async function findDevicesOnPlans(
  db: Db,
  given: readonly OwnedAt[],
): Promise<readonly (DeviceOnPlan | undefined)[]> {
  const found: (DeviceOnPlan | undefined)[] = await findPresentOnPlans(db, given);
  const others = given.flatMap(({ id, atMs }, n) => (found[n] === undefined ? [{ n, id, atMs }] : []));
  if (others.length > 0)
    for (const { nth, accountName, deviceId } of await listEarlierOwners(db, others))
      found[others[nth]!.n] = { accountName, deviceId, servicePlan: null, planSinceMs: Infinity };
  return found;
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

/** Waits for whoever writes about the device, and makes later ones see that it is gone. */
export const lockDevice = (db: Db, { ecpdId, accountName, deviceId }: DeviceKey) =>
  db.exec(sql`
    select from device where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = ${deviceId} for update`);

/** What belongs to an account's devices without a foreign key; the rest goes with the account. */
export async function deleteTracesOfAccount(db: Db, tenant: Tenant): Promise<void> {
  const { ecpdId, accountName } = tenant;
  await deleteLineChangesOfAccount(db, tenant);
  await db.exec(
    sql`delete from device_identifier where ecpd_id = ${ecpdId} and account_name = ${accountName}`,
  );
  await db.exec(sql`
    delete from device_plan where ecpd_id = ${ecpdId} and device_id in (
      select device_id from device where ecpd_id = ${ecpdId} and account_name = ${accountName})`);
  await deleteOwnersOfAccount(db, tenant);
}
