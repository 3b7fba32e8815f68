import { NIL_UUID } from '../../kernel/uuid.ts';
import type { Ctx, Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql } from '../../platform/db/sql.ts';
import { ACCURACIES, DENIED, OPERATOR } from './consent.ts';
import { KINDS } from './sql-device.ts';
import { enterChanges } from './sql-ledger-entry.ts';
import { lockLevel, setDeviceLevels } from './sql-level.ts';
import {
  keepLines,
  type Leaving,
  listReturned,
  listWithEarlier,
  loseLines,
  redirectLines,
} from './sql-past-line.ts';
import { listWithheld } from './sql-withheld.ts';

/** Devices that are judged at a time. */
const BATCH = 10_000;

/**
 * Call it before lines leave their account: keeps what the account may show of them later. Returns the new devices of
 * lines that may not be located at all.
 */
export async function freezeConsents(
  ctx: Ctx,
  from: Tenant,
  to: Tenant,
  lines: readonly Leaving[],
): Promise<readonly string[]> {
  const { db, now } = ctx;
  const ids = lines.map(({ deviceId }) => deviceId);
  const withheld = await Promise.all(ACCURACIES.map((accuracy) => listWithheld(db, from, ids, accuracy)));
  await redirectLines(db, from, to, lines);
  await keepLines(db, from, to, { lines, at: now() });
  await excludeDevices(ctx, from.ecpdId, await listIdentified(db, from, ids));
  return lines
    .filter(({ deviceId }) => withheld.every((some) => some.has(deviceId)))
    .map(({ nowDeviceId }) => nowDeviceId);
}

/**
 * Call it after lines came to an account. Lines that were `denied` where they came from are denied here too, until their
 * owner sets a level. Lines that were excluded when they left this account still are, if their entries stayed. What may not be
 * located here is withheld from earlier owners.
 */
export async function carryDenials(
  ctx: Ctx,
  tenant: Tenant,
  deviceIds: readonly string[],
  denied: readonly string[],
): Promise<void> {
  await excludeDevices(ctx, tenant.ecpdId, await listReturned(ctx.db, tenant, deviceIds));
  const { at } = await lockLevel(ctx, tenant);
  const devices = denied.map((deviceId) => ({ deviceId, level: DENIED }));
  if (devices.length > 0) await setDeviceLevels(ctx.db, tenant, devices, { at, actor: ctx.actor.name });
  await withdrawFromEarlier(ctx.db, tenant.ecpdId, [tenant.accountName], deviceIds);
}

/**
 * Call it after a change that may deny lines of these accounts: whatever may not be located any more is withheld from
 * earlier owners too, and stays so. Without `deviceIds` it judges all lines of the accounts that had other owners.
 */
export async function withdrawFromEarlier(
  db: Db,
  ecpdId: Tenant['ecpdId'],
  accountNames: readonly Tenant['accountName'][],
  deviceIds?: readonly string[],
): Promise<void> {
  // Of a change and the arrival of a line, one waits here for the other and sees it.
  await db.exec(sql`
    select 1 from consent where ecpd_id = ${ecpdId} and account_name = any(${accountNames}::text[])
    order by account_name for update`);
  let after: string | undefined = NIL_UUID;
  while (after !== undefined) {
    const found: Awaited<ReturnType<typeof listWithEarlier>> = await listWithEarlier(
      db,
      ecpdId,
      accountNames,
      { deviceIds, after, limit: BATCH },
    );
    for (const [accountName, some] of Map.groupBy(found, (each) => each.accountName)) {
      const tenant = { ecpdId, accountName };
      const ids = some.map(({ deviceId }) => deviceId);
      for (const accuracy of ACCURACIES) {
        const withheld = await listWithheld(db, tenant, ids, accuracy);
        // A line that was deleted denies nothing: what was kept stays as it is.
        const denied = ids.filter((id) => withheld.has(id) && withheld.get(id) !== 'lost');
        if (denied.length > 0) await loseLines(db, tenant, denied, accuracy);
      }
    }
    after = found.length === BATCH ? found.at(-1)?.deviceId : undefined;
  }
}

interface Excluding {
  readonly accountName: string;
  readonly identifier: string;
  readonly deviceId: string;
}

/** The list entries that name one of these devices by an identifier. */
const listIdentified = (db: Db, { ecpdId, accountName }: Tenant, deviceIds: readonly string[]) =>
  db.many<Excluding>(sql`
    select e.account_name as "accountName", e.identifier, di.device_id as "deviceId"
    from device_identifier di
    join exclusion e on e.ecpd_id = ${ecpdId} and e.account_name = ${accountName} and e.identifier = di.value
    where di.ecpd_id = ${ecpdId} and di.account_name = ${accountName} and di.kind = any(${KINDS})
      and di.device_id = any(${plainArray(deviceIds)}::uuid[])`);

/** Makes the entries stand for the devices, whatever identifiers these get. */
async function excludeDevices(
  { db, now, actor }: Ctx,
  ecpdId: string,
  excluding: readonly Excluding[],
  changedBy: string = actor.name,
): Promise<void> {
  if (excluding.length === 0) return;
  await db.exec(sql`
    with kept as (
      insert into excluded_device (ecpd_id, account_name, identifier, device_id)
      select p.ecpd_id, r.account_name, r.identifier, r.device_id
      from profile p cross join unnest(${excluding.map(({ accountName }) => accountName)}::text[],
        ${excluding.map(({ identifier }) => identifier)}::text[],
        ${plainArray(excluding.map(({ deviceId }) => deviceId))}::uuid[]) as r (account_name, identifier, device_id)
      where p.ecpd_id = ${ecpdId}
      on conflict do nothing
      returning account_name, identifier, device_id),
    ${enterChanges(
      ecpdId,
      changedBy,
      sql`
      select k.account_name, greatest(${now()}, l.updated_at) as at, 'exclude' as change, k.identifier, k.device_id,
        null::int as level
      from kept k join exclusion_list l on l.ecpd_id = ${ecpdId} and l.account_name = k.account_name
      order by k.account_name, k.identifier, k.device_id`,
    )}
    select 1`);
}

/**
 * For an import, before it replaces identifiers: a device that an entry excludes only by its identifier stays excluded
 * under the next one. The accounts and devices are locked.
 */
export async function keepReplacedExclusions(ctx: Ctx, ecpdId: string): Promise<void> {
  const { db } = ctx;
  const replaced = await db.many<Excluding>(sql`
    with staged as materialized (select device_id, body from staged_device where ecpd_id = ${ecpdId})
    select e.account_name as "accountName", e.identifier, di.device_id as "deviceId" from staged s
    join device_identifier di on di.ecpd_id = ${ecpdId} and di.device_id = s.device_id and di.kind = any(${KINDS})
    join exclusion e on e.ecpd_id = ${ecpdId} and e.account_name = di.account_name and e.identifier = di.value
    where s.body ? di.kind and s.body->>di.kind <> di.value`);
  if (replaced.length === 0) return;
  await db.exec(sql`
    select 1 from exclusion_list
    where ecpd_id = ${ecpdId} and account_name = any(${[...new Set(replaced.map((one) => one.accountName))]}::text[])
    order by account_name for update`);
  await excludeDevices(ctx, ecpdId, replaced, OPERATOR);
}

/** For an import that gave devices identifiers: those on the list of their account are excluded from now on. */
export async function withdrawIdentified({ db }: Ctx, ecpdId: string): Promise<void> {
  const found = await db.many<{ accountName: Tenant['accountName']; deviceId: string }>(sql`
    with given as materialized (
      select i.account_name, i.value, s.device_id from staged_identifier i join staged_device s using (position)
      where s.ecpd_id = ${ecpdId} and i.device_id is null and i.kind = any(${KINDS}))
    select g.account_name as "accountName", g.device_id as "deviceId" from given g
    join exclusion e on e.ecpd_id = ${ecpdId} and e.account_name = g.account_name and e.identifier = g.value`);
  if (found.length === 0) return;
  const accountNames = [...new Set(found.map(({ accountName }) => accountName))];
  const ids = found.map(({ deviceId }) => deviceId);
  await withdrawFromEarlier(db, ecpdId as Tenant['ecpdId'], accountNames, ids);
}
