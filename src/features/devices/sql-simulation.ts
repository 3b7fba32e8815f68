import type { Tenant } from '../../platform/context/context.ts';
import { arrayText } from '../../platform/db/array-text.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql } from '../../platform/db/sql.ts';
import type { DeviceKey, SimulatedOrders, Simulation } from './device.ts';

export const listSimulations = (db: Db, ecpdId: string, deviceIds: readonly string[]) =>
  db.many<{ deviceId: string; simulation: Simulation }>(sql`
    select d.device_id as "deviceId", d.simulation
    from unnest(${plainArray(deviceIds)}::uuid[]) as given (device_id)
    join device d on d.ecpd_id = ${ecpdId} and d.device_id = given.device_id`);

/** Devices with simulated behaviour for orders. */
export const listOrderSimulations = (db: Db, ecpdId: string, deviceIds: readonly string[]) =>
  db.many<{ deviceId: string; orders: SimulatedOrders }>(sql`
    select device_id as "deviceId", simulation->'orders' as orders from device
    where ecpd_id = ${ecpdId} and device_id = any(${plainArray(deviceIds)}::uuid[]) and simulation ? 'orders'`);

/** The same by IMSI, for lines of any customer. */
export const listOrderSimulationsByImsi = (db: Db, imsis: readonly string[]) =>
  db.many<{ imsi: string; orders: SimulatedOrders }>(sql`
    select di.value as imsi, d.simulation->'orders' as orders
    from device_identifier di join device d on d.ecpd_id = di.ecpd_id and d.device_id = di.device_id
    where di.kind = 'imsi' and di.value = any(${imsis}::text[]) and d.simulation ? 'orders'`);

/**
 * Merges a patch into each device's simulation; null removes a member. Returns the new simulation of each existing
 * device. Rows are locked in the order of their keys.
 */
export const updateSimulations = (
  db: Db,
  ecpdId: Tenant['ecpdId'],
  patches: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
) =>
  db.many<Pick<DeviceKey, 'accountName' | 'deviceId'> & { simulation: Simulation }>(sql`
    with held as materialized (
      select device_id from device
      where ecpd_id = ${ecpdId} and device_id = any(${plainArray([...patches.keys()])}::uuid[])
      order by device_id for no key update)
    update device d set simulation = jsonb_strip_nulls(d.simulation || given.patch)
    from unnest(${plainArray([...patches.keys()])}::uuid[],
      ${arrayText([...patches.values()].map((patch) => JSON.stringify(patch)))}::jsonb[]) as given (device_id, patch)
    join held on held.device_id = given.device_id
    where d.ecpd_id = ${ecpdId} and d.device_id = given.device_id
    returning d.account_name as "accountName", d.device_id as "deviceId", d.simulation`);

/** A simulated position is protected like any other position of a person's device. */
export const erasePositionOfDevice = (db: Db, { ecpdId, accountName, deviceId }: DeviceKey) =>
  db.exec(sql`
    update device set simulation = simulation - 'position'
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = ${deviceId} and simulation ? 'position'`);

export const erasePositionsOfAccount = (db: Db, { ecpdId, accountName }: Tenant) =>
  db.exec(sql`
    update device set simulation = simulation - 'position'
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and simulation ? 'position'`);
