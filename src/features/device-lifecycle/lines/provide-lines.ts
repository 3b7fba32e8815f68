import { type DeviceId, parseDeviceIdKind } from '../../../kernel/device-id.ts';
import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import type { LockedDevice } from '../../carrier-requests/index.ts';
import { withdrawFromEarlier } from '../../consents/index.ts';
import { addIdentifiers, addNumbers, type LineNumbers, listTaken } from '../../devices/index.ts';
import { ipAddressOf, mdnOf, needsNumbers, numbersFrom } from './line-number.ts';
import { insertLines, type Line, listAddressOwners, listLines, takeLineNumbers } from './sql-line.ts';

/** Only imported numbers can be taken already, and never this many in a row. */
const ATTEMPTS_MAX = 20;

const isFree = ({ mdn, msisdn, min, imsi }: LineNumbers, taken: ReadonlySet<string>): boolean =>
  Object.entries({ mdn, msisdn, min, imsi }).every(([kind, value]) => !taken.has(`${kind} ${value}`));

const idsOf = ({ mdn, msisdn, min, imsi }: LineNumbers) =>
  Object.entries({ mdn, msisdn, min, imsi } as const).flatMap(([kind, value]) =>
    value === null ? [] : [{ kind: kind as 'mdn' | 'msisdn' | 'min' | 'imsi', value }],
  );

/** Finds free numbers for the devices that lack some. */
async function findNumbers({ db }: Ctx, devices: readonly LockedDevice[]): Promise<readonly LineNumbers[]> {
  const found: LineNumbers[] = [];
  let open = devices.filter(needsNumbers);
  for (let attempt = 0; open.length > 0; attempt++) {
    if (attempt === ATTEMPTS_MAX) throw new Error('no free telephone numbers were found');
    const fresh = await takeLineNumbers(db, open.length);
    // First derive the other numbers from the device's own telephone number; if they are taken, from a new one.
    const made = open.map((device, n) =>
      numbersFrom(device, (attempt === 0 ? device.mdn : null) ?? mdnOf(fresh[n]!)),
    );
    const taken = await listTaken(db, made.flatMap(idsOf));
    found.push(...made.filter((numbers) => isFree(numbers, taken)));
    open = open.filter((_, n) => !isFree(made[n]!, taken));
  }
  return found;
}

/** A line as its callback reports it. */
interface ProvidedLine {
  readonly ids: LineNumbers;
  readonly ipAddress: string;
  readonly credential: { readonly username: string; readonly password: string };
}

/** The password is never stored: it is derived from the secret key and the device. */
const passwordOf = ({ secrets }: Ctx, { deviceId, credentialKeyId }: Line): string =>
  secrets.mac(credentialKeyId, `line ${deviceId}`) ?? secrets.mac(secrets.macKeyId, `line ${deviceId}`) ?? '';

/** Takes line numbers whose addresses no line of the profile has or is about to get. */
async function takeFreeNumbers({ db }: Ctx, tenant: Tenant, count: number, asked: ReadonlySet<string>) {
  const free: number[] = [];
  for (let attempt = 0; free.length < count; attempt++) {
    if (attempt === ATTEMPTS_MAX) throw new Error('no free addresses were found');
    const fresh = await takeLineNumbers(db, count - free.length);
    const owners = await listAddressOwners(db, tenant, fresh.map(ipAddressOf));
    free.push(...fresh.filter((n) => !owners.has(ipAddressOf(n)) && !asked.has(ipAddressOf(n))));
  }
  return free;
}

/** Gives devices the telephone numbers that they lack, and returns those. */
export async function provideNumbers(
  ctx: Ctx,
  tenant: Tenant,
  devices: readonly LockedDevice[],
): Promise<readonly LineNumbers[]> {
  const added = await findNumbers(ctx, devices);
  await addNumbers(ctx, tenant, added);
  return added;
}

/**
 * Gives devices what they lack of a line: telephone numbers, an address, a credential. The requested addresses, by
 * device, are known to be free; the caller stores them with the device as part of the activation.
 */
export async function provideLines(
  ctx: Ctx,
  tenant: Tenant,
  devices: readonly LockedDevice[],
  asked: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, ProvidedLine>> {
  const { db } = ctx;
  const added = await provideNumbers(ctx, tenant, devices);
  const numbersOf = new Map(added.map((numbers) => [numbers.deviceId, numbers]));
  const complete = devices.map((device): LineNumbers => {
    const numbers = numbersOf.get(device.deviceId);
    return {
      deviceId: device.deviceId,
      mdn: device.mdn ?? numbers?.mdn ?? null,
      msisdn: device.msisdn ?? numbers?.msisdn ?? null,
      min: device.min ?? numbers?.min ?? null,
      imsi: device.imsi ?? numbers?.imsi ?? null,
    };
  });
  const ids = devices.map(({ deviceId }) => deviceId);
  const known = new Map((await listLines(db, tenant, ids)).map((line) => [line.deviceId, line]));
  const without = complete.filter(({ deviceId }) => !known.has(deviceId));
  const fresh = await takeFreeNumbers(ctx, tenant, without.length, new Set(asked.values()));
  const lines = without.map(({ deviceId, mdn }, n) => ({
    deviceId,
    lineNumber: fresh[n]!,
    ipAddress: ipAddressOf(fresh[n]!),
    credentialUsername: mdn ?? deviceId,
    credentialKeyId: ctx.secrets.macKeyId,
  }));
  await insertLines(db, tenant, lines);
  for (const line of lines) known.set(line.deviceId, line);
  return new Map(
    complete.map((numbers) => {
      const { deviceId } = numbers;
      const line = known.get(deviceId)!;
      const credential = { username: line.credentialUsername, password: passwordOf(ctx, line) };
      const ipAddress = asked.get(deviceId) ?? line.ipAddress ?? '';
      return [deviceId, { ids: numbers, ipAddress, credential }];
    }),
  );
}

const wordOf = ({ kind, value }: DeviceId): string => `${kind} ${value}`;

const newIdsOf = (device: LockedDevice): readonly DeviceId[] =>
  device.answered.deviceIds.flatMap(({ id, kind: word }) => {
    const kind = parseDeviceIdKind(word);
    return kind === undefined || device[kind] === id ? [] : [{ kind, value: id }];
  });

interface NamedDevice {
  readonly device: LockedDevice;
  /** The identifiers in the request that the device does not have yet. */
  readonly ids: readonly DeviceId[];
}

/**
 * Returns the devices whose new identifiers can be added. Leaves out a device that already has an identifier of that
 * kind, or whose new one is taken.
 */
export async function findNamedIds(
  ctx: Ctx,
  devices: readonly LockedDevice[],
): Promise<readonly NamedDevice[]> {
  const asked = devices.map((device) => ({ device, ids: newIdsOf(device) }));
  const wanted = asked.flatMap(({ ids }) => ids);
  const taken = new Set(wanted.length > 0 ? await listTaken(ctx.db, wanted) : []);
  return asked.filter(({ device, ids }) => {
    if (ids.some((id) => device[id.kind] !== null || taken.has(wordOf(id)))) return false;
    for (const id of ids) taken.add(wordOf(id));
    return true;
  });
}

/**
 * Adds the new identifiers from the request to the devices, such as the SIM that is in it now, and returns the devices
 * with them. If another transaction takes one between the check and the write, this transaction rolls back, and the
 * next attempt sees it.
 */
export async function addNamedIds(
  ctx: Ctx,
  tenant: Tenant,
  named: readonly NamedDevice[],
): Promise<readonly LockedDevice[]> {
  const added = named.filter(({ ids }) => ids.length > 0);
  await addIdentifiers(
    ctx,
    tenant,
    added.map(({ device: { deviceId }, ids }) => ({ deviceId, ids })),
  );
  // The account's list may exclude what has such an identifier.
  const changed = added.map(({ device: { deviceId } }) => deviceId);
  if (changed.length > 0) await withdrawFromEarlier(ctx.db, tenant.ecpdId, [tenant.accountName], changed);
  return named.map(({ device, ids }) => ({
    ...device,
    ...Object.fromEntries(ids.map(({ kind, value }) => [kind, value])),
  }));
}
