import { asThemselves, DEVICE_ID_KINDS, type DeviceId, type DeviceIdKind } from '../../kernel/device-id.ts';
import { writeAudited } from '../../platform/context/audit.ts';
import type { Ctx, Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql, trusted } from '../../platform/db/sql.ts';
import type { BeforeDeletion, DeviceState, FleetDevice } from './device.ts';
import { endOwnership, keepLeft, ownedSince } from './sql-history.ts';
import { asKept, auditDeleted, changeDevices, detachSensors } from './sql-record.ts';

/** Call it in the transaction that has locked the devices. The caller checks that the states may follow each other. */
export const setStates = (ctx: Ctx, tenant: Tenant, deviceIds: readonly string[], state: DeviceState) =>
  changeDevices(ctx, tenant, {
    action: 'changeLineState',
    audited: { lineState: 'state' },
    from: sql`unnest(${plainArray(deviceIds)}::uuid[]) as c (device_id)`,
    set: () => sql`state = ${state}`,
  });

interface Activation {
  readonly deviceId: string;
  /** Null: unchanged. */
  readonly ipAddress: string | null;
}

/**
 * Makes devices active, and stores what listings show of the activation. Call it in the transaction that has locked
 * them. Throws if another device has an address. With a SKU, the line cannot be changed before its SIM was updated over
 * the air.
 */
export function setActive(
  ctx: Ctx,
  tenant: Tenant,
  activations: readonly Activation[],
  { activatedBy, skuNumber }: { activatedBy: string; skuNumber?: string | undefined },
) {
  const sku = sql`${skuNumber ?? null}::text`;
  return changeDevices(ctx, tenant, {
    action: 'activateLine',
    audited: {
      lineState: 'state',
      ipAddress: 'ip_address',
      activatedBySku: 'activated_by_sku',
      otaUpdated: 'ota_updated',
      sku: "record->'sku'",
    },
    from: sql`unnest(${plainArray(activations.map(({ deviceId }) => deviceId))}::uuid[],
      ${activations.map(({ ipAddress }) => ipAddress)}::text[]) as c (device_id, ip_address)`,
    set: (at) => sql`state = 'active', activated_at = ${at}, activated_by = ${activatedBy},
      ip_address = coalesce(c.ip_address, d.ip_address), activated_by_sku = d.activated_by_sku or ${sku} is not null,
      ota_updated = d.ota_updated and ${sku} is null,
      record = d.record || ${JSON.stringify({ sku: skuNumber })}::jsonb`,
  });
}

interface NewDevice {
  readonly deviceId: string;
  readonly ids: readonly DeviceId[];
  /** Defaults to a device that waits for its activation. */
  readonly kind?: FleetDevice['kind'];
  readonly state?: DeviceState;
  readonly iot?: boolean;
}

const toBody = ({ deviceId, ids, kind = 'device', state = 'pre-active', iot = true }: NewDevice) => ({
  ...{ deviceId, kind, state, iot },
  ...Object.fromEntries(ids.map(({ kind, value }) => [kind, value])),
});

/**
 * Inserts new devices, with their identifiers in the directory. Throws if another device has one of these: the
 * transaction is rolled back, and the next attempt finds that device.
 */
export async function insertDevices(
  ctx: Ctx,
  { ecpdId, accountName }: Tenant,
  devices: readonly NewDevice[],
): Promise<void> {
  if (devices.length === 0) return;
  const versionId = ctx.chance.rowIds();
  const addedAt = (at: Date) => sql`
    owner as materialized (select foreign_id from profile where ecpd_id = ${ecpdId}),
    written as (
    insert into device (ecpd_id, device_id, account_name, kind, state, ${trusted(DEVICE_ID_KINDS.join(', '))}, iot,
      activated_by_sku, ota_updated, labels, record, simulation, foreign_id, created_on, last_updated, version, version_id)
    select ${ecpdId}, (b->>'deviceId')::uuid, ${accountName}, b->>'kind', b->>'state',
      ${trusted(DEVICE_ID_KINDS.map((kind) => `b->>'${kind}'`).join(', '))}, (b->>'iot')::boolean, false, true, '[]', '{}', '{}',
      o.foreign_id, ${at}, ${at}, 1, ${versionId(sql`(b->>'deviceId')`)}
    from jsonb_array_elements(${JSON.stringify(devices.map(toBody))}::jsonb) as b cross join owner o
    returning *)`;
  await writeAudited(
    ctx,
    ecpdId,
    'createDevice',
    addedAt,
    sql`select w.device_id::text as target, w.account_name, null::jsonb as before,
          ${asKept('w')} || jsonb_build_object('version', w.version::text) as after
        from written w`,
  );
  await insertIdentifiers(ctx, { ecpdId, accountName }, devices);
}

/** In the order of the directory's key, so that two transactions with the same identifiers cannot deadlock. */
const insertIdentifiers = (
  { db, now }: Ctx,
  { ecpdId, accountName }: Tenant,
  devices: readonly NewDevice[],
) => {
  const ids = devices.flatMap(({ deviceId, ids }) => ids.map((id) => ({ ...id, deviceId })));
  return db.exec(sql`
    insert into device_identifier (kind, value, ecpd_id, account_name, device_id, since)
    select distinct new.kind, new.value, ${ecpdId}, ${accountName}, new.device_id,
      ${ownedSince(sql`new.kind`, sql`new.value`, now())}
    from unnest(${ids.map(({ kind }) => kind)}::text[], ${ids.map(({ value }) => value)}::text[],
      ${plainArray(ids.map(({ deviceId }) => deviceId))}::uuid[]) as new (kind, value, device_id)
    order by 1, 2`);
};

async function giveIdentifiers(
  ctx: Ctx,
  tenant: Tenant,
  devices: readonly NewDevice[],
  { action, kinds }: { readonly action: string; readonly kinds: readonly DeviceIdKind[] },
): Promise<void> {
  if (devices.length === 0) return;
  await changeDevices(ctx, tenant, {
    action,
    audited: asThemselves(kinds),
    from: sql`(select b, (b->>'deviceId')::uuid as device_id
      from jsonb_array_elements(${JSON.stringify(devices.map(toBody))}::jsonb) as b) c`,
    set: () => trusted(kinds.map((kind) => `${kind} = coalesce(d.${kind}, c.b->>'${kind}')`).join(', ')),
  });
  await insertIdentifiers(ctx, tenant, devices);
}

/** Gives devices identifiers of kinds that they lack. Throws if another device has one of these. */
export const addIdentifiers = (ctx: Ctx, tenant: Tenant, devices: readonly NewDevice[]): Promise<void> =>
  giveIdentifiers(ctx, tenant, devices, { action: 'addIdentifiers', kinds: DEVICE_ID_KINDS });

const NUMBER_KINDS = ['mdn', 'msisdn', 'min', 'imsi'] as const;
/** The numbers of a line; null where the device already has one. */
export type LineNumbers = Readonly<
  { deviceId: string } & Record<(typeof NUMBER_KINDS)[number], string | null>
>;

/** Gives devices the numbers that they lack. Throws if another device has one of these. */
export const addNumbers = (ctx: Ctx, tenant: Tenant, lines: readonly LineNumbers[]): Promise<void> => {
  const devices = lines.map(({ deviceId, ...numbers }) => ({
    deviceId,
    ids: NUMBER_KINDS.flatMap((kind) => {
      const value = numbers[kind];
      return value === null ? [] : [{ kind, value }];
    }),
  }));
  return giveIdentifiers(ctx, tenant, devices, { action: 'addNumbers', kinds: NUMBER_KINDS });
};

/** The identifiers among these that any device of any customer has. */
export const listTaken = async (db: Db, ids: readonly DeviceId[]): Promise<ReadonlySet<string>> => {
  const rows = await db.many<DeviceId>(sql`
    select di.kind, di.value
    from unnest(${ids.map(({ kind }) => kind)}::text[], ${ids.map(({ value }) => value)}::text[]) as given (kind, value)
    join device_identifier di on di.kind = given.kind and di.value = given.value`);
  return new Set(rows.map(({ kind, value }) => `${kind} ${value}`));
};

/**
 * Deletes devices with everything that refers to them, except their sensors. The caller erases their locations before.
 * Returns how many there were.
 */
export async function deleteDevices(
  ctx: Ctx,
  { ecpdId, accountName }: Tenant,
  deviceIds: readonly string[],
  beforeDeletion: BeforeDeletion,
): Promise<number> {
  const { db } = ctx;
  await beforeDeletion(ctx, { ecpdId, accountName }, deviceIds);
  await detachSensors(ctx, ecpdId, deviceIds);
  await auditDeleted(ctx, ecpdId, deviceIds);
  const at = ctx.now();
  await endOwnership(db, { ecpdId, accountName }, deviceIds, at);
  const { n } = await db.one<{ n: number }>(sql`
    with gone as (
      delete from device
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = any(${plainArray(deviceIds)}::uuid[])
      returning *),
    remembered as (${keepLeft(ecpdId, sql`gone`, at)})
    select count(*)::int as n from gone`);
  return n;
}
