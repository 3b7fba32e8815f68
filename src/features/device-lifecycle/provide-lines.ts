import type { Ctx, Tenant } from '../../platform/context.ts';
import type { LockedDevice } from '../carrier-requests/index.ts';
import { addNumbers, type LineNumbers, listTaken } from '../devices/index.ts';
import { ipAddressOf, mdnOf, needsNumbers, numbersFrom } from './line-number.ts';
import { insertLines, type Line, listLines, takeLineNumbers, updateActivation } from './sql-line.ts';

/** Only numbers that an import has brought can be taken: so many in a row are not. */
const ATTEMPTS_MAX = 20;

const isFree = ({ mdn, msisdn, min, imsi }: LineNumbers, taken: ReadonlySet<string>): boolean =>
  Object.entries({ mdn, msisdn, min, imsi }).every(([kind, value]) => !taken.has(`${kind} ${value}`));

const idsOf = ({ mdn, msisdn, min, imsi }: LineNumbers) =>
  Object.entries({ mdn, msisdn, min, imsi } as const).flatMap(([kind, value]) =>
    value === null ? [] : [{ kind: kind as 'mdn' | 'msisdn' | 'min' | 'imsi', value }],
  );

/** Numbers for the devices that lack some, none of which anybody has. */
async function findNumbers({ db }: Ctx, devices: readonly LockedDevice[]): Promise<readonly LineNumbers[]> {
  const found: LineNumbers[] = [];
  let open = devices.filter(needsNumbers);
  for (let attempt = 0; open.length > 0; attempt++) {
    if (attempt === ATTEMPTS_MAX) throw new Error('no free telephone numbers were found');
    const fresh = await takeLineNumbers(db, open.length);
    // The telephone number that a device has gives the others their digits, unless somebody has those.
    const made = open.map((device, n) =>
      numbersFrom(device, (attempt === 0 ? device.mdn : null) ?? mdnOf(fresh[n]!)),
    );
    const taken = await listTaken(db, made.flatMap(idsOf));
    found.push(...made.filter((numbers) => isFree(numbers, taken)));
    open = open.filter((_, n) => !isFree(made[n]!, taken));
  }
  return found;
}

/** A line as its owner is told of it. */
export interface ProvidedLine {
  readonly ids: LineNumbers;
  readonly ipAddress: string;
  readonly credential: { readonly username: string; readonly password: string };
}

/** The password is never stored: it follows from the secret key and the device. */
const passwordOf = ({ secrets }: Ctx, { deviceId, credentialKeyId }: Line): string =>
  secrets.mac(credentialKeyId, `line ${deviceId}`) ??
  secrets.mac(secrets.currentKeyId, `line ${deviceId}`) ??
  '';

/** Gives devices what a line needs and they do not have: telephone numbers, an address, a credential. */
export async function provideLines(
  ctx: Ctx,
  tenant: Tenant,
  devices: readonly LockedDevice[],
  activatedBy: string,
): Promise<ReadonlyMap<string, ProvidedLine>> {
  const { db } = ctx;
  const by = { now: ctx.now(), activatedBy };
  const added = await findNumbers(ctx, devices);
  await addNumbers(db, tenant, added, by.now);
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
  const fresh = await takeLineNumbers(db, without.length);
  const lines = without.map(({ deviceId, mdn }, n) => ({
    deviceId,
    lineNumber: fresh[n]!,
    ipAddress: ipAddressOf(fresh[n]!),
    credentialUsername: mdn ?? deviceId,
    credentialKeyId: ctx.secrets.currentKeyId,
  }));
  await updateActivation(db, tenant, [...known.keys()], by);
  await insertLines(db, tenant, lines, by);
  for (const line of lines) known.set(line.deviceId, line);
  return new Map(
    complete.map((numbers) => {
      const line = known.get(numbers.deviceId)!;
      const credential = { username: line.credentialUsername, password: passwordOf(ctx, line) };
      return [numbers.deviceId, { ids: numbers, ipAddress: line.ipAddress, credential }];
    }),
  );
}
