import { DEVICE_ID_KINDS, type DeviceId } from '../../kernel/device-id.ts';
import { NIL_UUID } from '../../kernel/uuid.ts';
import type { Ctx, Tenant } from '../../platform/context.ts';
import { arrayText } from '../../platform/db/array-text.ts';
import type { Db } from '../../platform/db/db.ts';
import { type Query, sql, trusted } from '../../platform/db/sql.ts';
import type { ExportFilter } from '../../platform/fleet-document/section.ts';
import type { BeforeDeletion } from './before-deletion.ts';
import type { DeviceKey, DeviceOnPlan, FleetDevice } from './device.ts';
import { deleteLineChangesOfAccount } from './sql-plan-history.ts';
import { auditDeleted, detachSensors } from './sql-record.ts';

/** The record as text: numbers in it may have more digits than JavaScript's have. */
export type ExportedDevice = Omit<FleetDevice, 'record'> & {
  readonly ecpdId: string;
  readonly deviceId: string;
  readonly record: string;
};

const RECORD = `record || jsonb_build_object('id', device_id, 'foreignid', foreign_id, 'createdon', created_on,
  'version', version::text)`;
const asDocument = (record: string) =>
  trusted(`account_name as "accountName", kind, ${DEVICE_ID_KINDS.join(', ')}, state,
  service_plan as "servicePlan", plan_since as "planSince", iot, labels, ${record} as record,
  activated_by_sku as "activatedBySku", ota_updated as "otaUpdated", node_uuid as "nodeUuid", simulation`);
const AS_DOCUMENT = asDocument(RECORD);

/** Which device has the identifier, whoever asks: the caller decides whether it may see it. */
export const findDeviceKey = (db: Db, { kind, value }: DeviceId) =>
  db.maybe<DeviceKey>(sql`
    select ecpd_id as "ecpdId", account_name as "accountName", device_id as "deviceId"
    from device_identifier where kind = ${kind} and value = ${value}`);

/** Looked up in their order, because neighbours in an index of millions lie on the same page. */
const identified = (ids: readonly DeviceId[]): Query => sql`
  (select * from unnest(${arrayText(ids.map((id) => id.kind))}::text[], ${arrayText(ids.map((id) => id.value))}::text[])
     with ordinality as u (kind, value, nth) order by kind, value) asked
  join device_identifier di on di.kind = asked.kind and di.value = asked.value`;

/** Asks for each identifier once; answers in their order, with undefined for what is no device. */
async function inOrder<Row extends { readonly nth: number }>(
  ids: readonly DeviceId[],
  list: (distinct: readonly DeviceId[]) => Promise<readonly Row[]>,
): Promise<(Row | undefined)[]> {
  const names = ids.map(({ kind, value }) => `${kind} ${value}`);
  const distinct = new Map(names.map((name, n) => [name, ids[n]!]));
  const found = await list([...distinct.values()]);
  const namesOnce = [...distinct.keys()];
  const byName = new Map(found.map((row) => [namesOnce[row.nth], row]));
  return names.map((name) => byName.get(name));
}

/** Whose devices these are, whoever asks: for feeds of the network, which knows no accounts. */
export const findDeviceKeys = (
  db: Db,
  ids: readonly DeviceId[],
): Promise<readonly (DeviceKey | undefined)[]> =>
  inOrder(ids, (distinct) =>
    db.many<DeviceKey & { nth: number }>(sql`
      select (asked.nth - 1)::int as nth, di.ecpd_id as "ecpdId", di.account_name as "accountName",
        di.device_id as "deviceId"
      from ${identified(distinct)}`),
  );

/** The same with the present plan of each. */
export const findDevicesOnPlans = (
  db: Db,
  ids: readonly DeviceId[],
): Promise<readonly (DeviceOnPlan | undefined)[]> =>
  inOrder(ids, (distinct) =>
    db.many<DeviceOnPlan & { nth: number }>(sql`
      select (asked.nth - 1)::int as nth, di.account_name as "accountName", di.device_id as "deviceId",
        d.service_plan as "servicePlan", (extract(epoch from d.plan_since) * 1000)::float8 as "planSinceMs"
      from ${identified(distinct)}
      join device d on d.ecpd_id = di.ecpd_id and d.device_id = di.device_id`),
  );

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

export const exportDevices = (
  db: Db,
  { ecpdId, accountName, after, limit }: ExportFilter & { after: ExportedDevice | undefined; limit: number },
) =>
  db.many<ExportedDevice>(sql`
    select ecpd_id as "ecpdId", device_id as "deviceId", ${asDocument(`(${RECORD})::text`)} from device
    where (ecpd_id, account_name, device_id)
        > (${after?.ecpdId ?? ''}, ${after?.accountName ?? ''}, ${after?.deviceId ?? NIL_UUID}::uuid)
      and ${accountName === undefined ? sql`true` : sql`ecpd_id = ${ecpdId} and account_name = ${accountName}`}
    order by ecpd_id, account_name, device_id limit ${limit}`);

/** Waits for whoever writes about the device, and makes later ones see that it is gone. */
export const lockDevice = (db: Db, { ecpdId, accountName, deviceId }: DeviceKey) =>
  db.exec(sql`
    select from device where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = ${deviceId} for update`);

/** Its sensors stay, without a parent. */
export async function deleteDevice(
  ctx: Ctx,
  { ecpdId, accountName, deviceId }: DeviceKey,
  beforeDeletion: BeforeDeletion,
): Promise<boolean> {
  const { db } = ctx;
  await beforeDeletion(ctx, { ecpdId, accountName }, [deviceId]);
  await detachSensors(ctx, ecpdId, [deviceId]);
  await auditDeleted(ctx, ecpdId, [deviceId]);
  await db.exec(sql`delete from device_identifier where ecpd_id = ${ecpdId} and device_id = ${deviceId}`);
  await db.exec(sql`delete from device_plan where ecpd_id = ${ecpdId} and device_id = ${deviceId}`);
  const deleted = await db.exec(sql`
    delete from device where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = ${deviceId}`);
  return deleted === 1;
}

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
}

/** The simulated place is a coordinate of a person's device like any other. */
export const erasePositionOfDevice = (db: Db, { ecpdId, accountName, deviceId }: DeviceKey) =>
  db.exec(sql`
    update device set simulation = simulation - 'position'
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = ${deviceId} and simulation ? 'position'`);

export const erasePositionsOfAccount = (db: Db, { ecpdId, accountName }: Tenant) =>
  db.exec(sql`
    update device set simulation = simulation - 'position'
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and simulation ? 'position'`);
