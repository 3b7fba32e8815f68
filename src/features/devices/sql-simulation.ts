import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql } from '../../platform/db/sql.ts';
import type { DeviceKey, Simulation } from './device.ts';

export const listSimulations = (db: Db, ecpdId: string, deviceIds: readonly string[]) =>
  db.many<{ deviceId: string; simulation: Simulation }>(sql`
    select d.device_id as "deviceId", d.simulation
    from unnest(${plainArray(deviceIds)}::uuid[]) as given (device_id)
    join device d on d.ecpd_id = ${ecpdId} and d.device_id = given.device_id`);

/** What the patch does not name stays; null takes a member away. Answers how the device is treated from now on. */
export const updateSimulation = async (
  db: Db,
  { ecpdId, accountName, deviceId }: DeviceKey,
  patch: Readonly<Record<string, unknown>>,
): Promise<Simulation | undefined> =>
  (
    await db.maybe<{ simulation: Simulation }>(sql`
      update device set simulation = jsonb_strip_nulls(simulation || ${JSON.stringify(patch)}::jsonb)
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = ${deviceId}
      returning simulation`)
  )?.simulation;

/** The simulated place is a coordinate of a person's device like any other. */
export const erasePositionOfDevice = (db: Db, { ecpdId, accountName, deviceId }: DeviceKey) =>
  db.exec(sql`
    update device set simulation = simulation - 'position'
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = ${deviceId} and simulation ? 'position'`);

export const erasePositionsOfAccount = (db: Db, { ecpdId, accountName }: Tenant) =>
  db.exec(sql`
    update device set simulation = simulation - 'position'
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and simulation ? 'position'`);
