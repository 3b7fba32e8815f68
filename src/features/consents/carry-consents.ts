import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql } from '../../platform/db/sql.ts';
import { ACCURACIES, DENIED } from './consent.ts';
import { KINDS } from './sql-device.ts';
import { lockLevel, setDeviceLevels } from './sql-level.ts';
import { listWithheld } from './sql-withheld.ts';

/** The devices that may not be located at all: they are excluded, or their level denies it. */
export async function listDenied(
  { db }: Ctx,
  tenant: Tenant,
  deviceIds: readonly string[],
): Promise<readonly string[]> {
  const withheld = await Promise.all(
    ACCURACIES.map((accuracy) => listWithheld(db, tenant, deviceIds, accuracy)),
  );
  return deviceIds.filter((deviceId) => withheld.every((some) => some.has(deviceId)));
}

/** Carries a denial over to the new account, until its owner sets a level. */
export async function denyLocations(ctx: Ctx, tenant: Tenant, deviceIds: readonly string[]): Promise<void> {
  if (deviceIds.length === 0) return;
  const { at } = await lockLevel(ctx, tenant);
  const devices = deviceIds.map((deviceId) => ({ deviceId, level: DENIED }));
  await setDeviceLevels(ctx.db, tenant, devices, { at, actor: ctx.actor.name });
}

/**
 * Before devices leave an account: stores list entries that name one of them by an identifier for the device itself.
 * The account's reports still withhold the device.
 */
export const keepExclusions = ({ db }: Ctx, { ecpdId, accountName }: Tenant, deviceIds: readonly string[]) =>
  db.exec(sql`
    insert into excluded_device (ecpd_id, account_name, identifier, device_id)
    select e.ecpd_id, e.account_name, e.identifier, di.device_id
    from device_identifier di
    join exclusion e on e.ecpd_id = ${ecpdId} and e.account_name = ${accountName} and e.identifier = di.value
    where di.ecpd_id = ${ecpdId} and di.account_name = ${accountName} and di.kind = any(${KINDS})
      and di.device_id = any(${plainArray(deviceIds)}::uuid[])
    on conflict do nothing`);
