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

/** Whose devices have these identifiers, whoever asks: the caller decides what it may tell. */
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

/** Devices that are known by their own ids; answers how many of them the account has. */
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

/** All lines of the account that fit, up to `limit`; answers how many. Sensors have no line. */
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
/** The place of the next device: those before it are settled, or wait for the network. */
const nextOf = ({ succeeded, failed, held }: Counted): number => succeeded + failed + held;

const WAITING = trusted(
  'nth, device_id as "deviceId", ids, fault_code as "faultCode", fault_text as "faultText"',
);

/** The next ones, in their order. */
export const listWaiting = (db: Db, { ecpdId }: Tenant, request: Counted, limit: number) =>
  db.many<WaitingDevice>(sql`
    select ${WAITING} from carrier_request_device
    where ecpd_id = ${ecpdId} and request_id = ${request.requestId} and nth >= ${nextOf(request)} order by nth limit ${limit}`);

/** Of these devices, those that wait for the network. */
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

/** A line of a request, as it was named, and what became of it. */
interface RequestLine {
  readonly nth: number;
  readonly deviceId: string | null;
  readonly name: string | null;
  readonly ids: readonly WireId[];
  readonly state: 'waiting' | 'done' | 'failed';
  readonly reason: string | null;
}

/** Of those before the place up to which a request is worked, and after it. */
const inState = (state: RequestLine['state'], next: number): Query =>
  state === 'waiting'
    ? sql`(r.held or r.nth >= ${next})`
    : sql`r.nth < ${next} and not r.held and (r.fault_code is null) = ${state === 'done'}`;

/** In the order of the request, those after a place in it. */
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

/** Those that the account still has; nobody changes them until the transaction ends. */
export const lockDevices = (db: Db, { ecpdId, accountName }: Tenant, deviceIds: readonly string[]) =>
  db.many<Omit<LockedDevice, 'answered'>>(sql`
    select ${LOCKED} from device
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = any(${plainArray(deviceIds)}::uuid[])
    order by device_id for no key update`);

/** Those of other accounts, which are about to leave them: nobody writes about them until the transaction ends. */
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
  /** The device that was added for it. */
  readonly added: string | undefined;
  readonly fault: DeviceFault | undefined;
}

/**
 * What the work has told of devices that was not in their rows. That they are settled is said by the request's counts.
 *
 * Rows are found by the list of their places and by nothing else: a join with a list of new values is planned for a table
 * that is nearly empty, and compares each with each when it is not. So what is new is looked up by the place, in an object.
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

/** What stood against the devices of a request that has ended, in their order; those that nobody has are left out. */
export const listFailures = (db: Db, { ecpdId }: Tenant, requestId: string) =>
  db.many<{ deviceId: string; reason: string }>(sql`
    select device_id as "deviceId", fault_text as reason from carrier_request_device
    where ecpd_id = ${ecpdId} and request_id = ${requestId} and fault_code is not null and device_id is not null order by nth`);
