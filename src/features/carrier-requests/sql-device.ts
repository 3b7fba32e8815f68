import { DEVICE_ID_KINDS, type DeviceId, type DeviceIdKind } from '../../kernel/device-id.ts';
import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { type Query, sql, trusted } from '../../platform/db/sql.ts';
import type { CarrierRequest, LockedDevice } from './carrier-operation.ts';
import type { DeviceFault } from './errors.ts';

export interface Owner {
  readonly nth: number;
  readonly ecpdId: string;
  readonly accountName: string;
  readonly deviceId: string;
}

/** The owners of these identifiers, across all customers. The caller decides what it may reveal. */
export const listOwners = (db: Db, asked: readonly (DeviceId & { readonly nth: number })[]) =>
  db.many<Owner>(sql`
    select asked.nth, di.ecpd_id as "ecpdId", di.account_name as "accountName", di.device_id as "deviceId"
    from unnest(${plainArray(asked.map(({ nth }) => nth))}::int[], ${asked.map(({ kind }) => kind)}::text[],
      ${asked.map(({ value }) => value)}::text[]) as asked (nth, kind, value)
    join device_identifier di on di.kind = asked.kind and di.value = asked.value`);

interface WireId {
  readonly id: string;
  readonly kind: DeviceIdKind;
}

export interface NewDevice {
  readonly deviceId: string | undefined;
  readonly ids: readonly WireId[];
  readonly fault: DeviceFault | undefined;
}

export const insertDevices = (db: Db, { ecpdId }: Tenant, requestId: string, devices: readonly NewDevice[]) =>
  db.exec(sql`
    insert into carrier_request_device (ecpd_id, request_id, nth, device_id, ids, fault_code, fault_text)
    select p.ecpd_id, ${requestId}, new.nth - 1, new.device_id, new.ids, new.fault_code, new.fault_text
    from profile p cross join unnest(${plainArray(devices.map(({ deviceId }) => deviceId ?? null))}::uuid[],
      ${devices.map(({ ids }) => JSON.stringify(ids))}::jsonb[], ${devices.map(({ fault }) => fault?.faultcode ?? null)}::text[],
      ${devices.map(({ fault }) => fault?.faultstring ?? null)}::text[])
      with ordinality as new (device_id, ids, fault_code, fault_text, nth)
    where p.ecpd_id = ${ecpdId}`);

const OWN_IDS = trusted(`(
  select coalesce(jsonb_agg(jsonb_build_object('id', own.id, 'kind', own.kind)), '[]')
  from unnest(array[${DEVICE_ID_KINDS.map((kind) => `'${kind}'`).join(', ')}],
    array[${DEVICE_ID_KINDS.map((kind) => `d.${kind}`).join(', ')}]) as own (kind, id)
  where own.id is not null)`);

/** Inserts devices by their device ids. Returns how many of them the account has. */
export const insertOwnDevices = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  requestId: string,
  deviceIds: readonly string[],
) =>
  db.exec(sql`
    insert into carrier_request_device (ecpd_id, request_id, nth, device_id, ids)
    select d.ecpd_id, ${requestId}, row_number() over (order by d.device_id) - 1, d.device_id, ${OWN_IDS}
    from device d
    where d.ecpd_id = ${ecpdId} and d.account_name = ${accountName}
      and d.device_id = any(${plainArray(deviceIds)}::uuid[])`);

/** Inserts the account's matching lines, up to `limit`, and returns how many. Sensors have no line. */
export const insertMatchingDevices = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  requestId: string,
  {
    planCodes,
    states,
    limit,
  }: { planCodes: readonly string[] | undefined; states: readonly string[]; limit: number },
) =>
  db.exec(sql`
    insert into carrier_request_device (ecpd_id, request_id, nth, device_id, ids)
    select d.ecpd_id, ${requestId}, row_number() over (order by d.device_id) - 1, d.device_id, ${OWN_IDS}
    from (
      select * from device
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and state = any(${states}::text[])
        and kind <> 'sensor' and ${planCodes === undefined ? sql`true` : sql`service_plan = any(${planCodes}::text[])`}
      order by device_id limit ${limit}) d
    where d.ecpd_id = ${ecpdId}`);

export interface WaitingDevice {
  readonly nth: number;
  readonly deviceId: string | null;
  readonly ids: readonly WireId[];
  readonly faultCode: string | null;
  readonly faultText: string | null;
}

type Counted = Pick<CarrierRequest, 'requestId' | 'succeeded' | 'failed' | 'held'>;
/** The place of the next device. Those before it are settled, or wait for the network. */
const nextOf = ({ succeeded, failed, held }: Counted): number => succeeded + failed + held;

const WAITING = trusted(
  'nth, device_id as "deviceId", ids, fault_code as "faultCode", fault_text as "faultText"',
);

/** The next devices, in their order. */
export const listWaiting = (db: Db, { ecpdId }: Tenant, request: Counted, limit: number) =>
  db.many<WaitingDevice>(sql`
    select ${WAITING} from carrier_request_device
    where ecpd_id = ${ecpdId} and request_id = ${request.requestId} and nth >= ${nextOf(request)} order by nth limit ${limit}`);

/** Those of these devices that wait for the network. */
export const listHeld = (db: Db, { ecpdId }: Tenant, requestId: string, deviceIds: readonly string[]) =>
  db.many<WaitingDevice>(sql`
    select ${WAITING} from carrier_request_device
    where ecpd_id = ${ecpdId} and request_id = ${requestId} and held and device_id = any(${plainArray(deviceIds)}::uuid[])
    order by nth`);

export const setHeld = (
  db: Db,
  { ecpdId }: Tenant,
  requestId: string,
  { places, held }: { readonly places: readonly number[]; readonly held: boolean },
) =>
  db.exec(sql`
    update carrier_request_device d set held = ${held}
    where d.ecpd_id = ${ecpdId} and d.request_id = ${requestId} and d.nth = any(${plainArray(places)}::int[])`);

/** A line of a request, as it was named, and its result. */
interface RequestLine {
  readonly nth: number;
  readonly deviceId: string | null;
  readonly name: string | null;
  readonly ids: readonly WireId[];
  readonly state: 'waiting' | 'done' | 'failed';
  readonly reason: string | null;
}

/** Selects by state; `next` is the first place that has not been worked on. */
const inState = (state: RequestLine['state'], next: number): Query =>
  state === 'waiting'
    ? sql`(r.held or r.nth >= ${next})`
    : sql`r.nth < ${next} and not r.held and (r.fault_code is null) = ${state === 'done'}`;

/** Lists the lines after a place, in the order of the request. */
export const listLines = (
  db: Db,
  { ecpdId }: Tenant,
  request: Counted,
  {
    state,
    after,
    limit,
  }: { readonly state: RequestLine['state'] | undefined; readonly after: number; readonly limit: number },
) =>
  db.many<RequestLine>(sql`
    select r.nth, r.device_id as "deviceId", d.record->>'name' as name, r.ids, r.fault_text as reason,
      case when r.held or r.nth >= ${nextOf(request)} then 'waiting' when r.fault_code is null then 'done' else 'failed' end as state
    from carrier_request_device r
    left join device d on d.ecpd_id = ${ecpdId} and d.device_id = r.device_id
    where r.ecpd_id = ${ecpdId} and r.request_id = ${request.requestId} and r.nth > ${after}
      ${state === undefined ? sql`` : sql`and ${inState(state, nextOf(request))}`}
    order by r.nth limit ${limit}`);

const LOCKED =
  trusted(`device_id as "deviceId", account_name as "accountName", state, service_plan as "servicePlan", plan_since as "planSince",
  activated_by_sku as "activatedBySku", ota_updated as "otaUpdated", record->>'productmodel' as model,
  ${DEVICE_ID_KINDS.join(', ')}`);

/** Locks those that the account still has. No other transaction changes them until this one ends. */
export const lockDevices = (db: Db, { ecpdId, accountName }: Tenant, deviceIds: readonly string[]) =>
  db.many<Omit<LockedDevice, 'answered'>>(sql`
    select ${LOCKED} from device
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = any(${plainArray(deviceIds)}::uuid[])
    order by device_id for no key update`);

/** Locks devices that are about to leave other accounts. No other transaction refers to them until this one ends. */
export const lockLeaving = (
  db: Db,
  { ecpdId }: Tenant,
  accountNames: readonly string[],
  deviceIds: readonly string[],
) =>
  db.many<Omit<LockedDevice, 'answered'>>(sql`
    select ${LOCKED} from device
    where ecpd_id = ${ecpdId} and account_name = any(${accountNames}::text[])
      and device_id = any(${plainArray(deviceIds)}::uuid[])
    order by device_id for update`);

interface Learned {
  readonly nth: number;
  /** The device that was added for this place. */
  readonly added: string | undefined;
  readonly fault: DeviceFault | undefined;
}

/**
 * Stores what the work found out about devices: added ids and faults. The request's counts say which devices are
 * settled.
 *
 * Rows are found by the list of their places alone. PostgreSQL plans a join with a list of new values for a nearly
 * empty table, and on a full one it compares each row with each value. The new values are therefore looked up by place
 * in a JSON object.
 */
export async function noteLearned(
  db: Db,
  { ecpdId }: Tenant,
  requestId: string,
  learned: readonly Learned[],
): Promise<void> {
  if (learned.length === 0) return;
  const values = JSON.stringify(
    Object.fromEntries(
      learned.map(({ nth, added, fault }) => [nth, [added, fault?.faultcode, fault?.faultstring]]),
    ),
  );
  await db.exec(sql`
    update carrier_request_device d set
      device_id = coalesce((${values}::jsonb -> d.nth::text ->> 0)::uuid, d.device_id),
      fault_code = ${values}::jsonb -> d.nth::text ->> 1,
      fault_text = ${values}::jsonb -> d.nth::text ->> 2
    where d.ecpd_id = ${ecpdId} and d.request_id = ${requestId}
      and d.nth = any(${plainArray(learned.map(({ nth }) => nth))}::int[])`);
}

/** Which devices these requests have. */
export const listRequestedDevices = (db: Db, { ecpdId }: Tenant, requestIds: readonly string[]) =>
  db.many<{ requestId: string; deviceIds: string[] }>(sql`
    select request_id as "requestId", array_agg(device_id::text) as "deviceIds" from carrier_request_device
    where ecpd_id = ${ecpdId} and request_id = any(${plainArray(requestIds)}::uuid[]) and device_id is not null
    group by request_id`);
