import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { findAccount } from '../accounts/index.ts';
import { type LocationKind, parseLocationDevice, parseLocationKind } from './device-ref.ts';
import { deviceListFaults } from './errors.ts';

/** Every call about locating: an account takes part only when it is registered for device location. */
export async function requireRegistered({ db }: Pick<Ctx, 'db'>, tenant: Tenant): Promise<void> {
  // An account deleted since the session was checked is not registered for anything either.
  if (!(await findAccount(db, tenant))?.locationRegistered) refuse(deviceListFaults.unregisteredAccount);
}

export interface ListedDevice {
  readonly kind: LocationKind;
  readonly value: string;
  /** How the caller wrote it: a refusal names it so. */
  readonly sent: string;
}

export const sentFor = ({ sent }: Pick<ListedDevice, 'sent'>): string => sent;

/** All of those that share their key with another. */
export const repeated = <T>(all: readonly T[], keyOf: (one: T, nth: number) => string): readonly T[] =>
  [...Map.groupBy(all.entries(), ([nth, one]) => keyOf(one, nth)).values()]
    .filter((same) => same.length > 1)
    .flatMap((same) => same.map(([, one]) => one));

/** The deviceList of every call of the location area: what it names, or the refusal of the first thing wrong with it. */
export function parseDeviceList(
  list: readonly { readonly id: string; readonly kind: string }[],
  devicesMax: number,
): readonly ListedDevice[] {
  if (list.length === 0) refuse(deviceListFaults.emptyDeviceList);
  if (list.length > devicesMax) refuse(deviceListFaults.tooManyDevices);
  const devices = list.map(({ id, kind }) => {
    const known = parseLocationKind(kind) ?? refuse(deviceListFaults.invalidDeviceKind);
    const { value } = parseLocationDevice(known, id) ?? refuse(deviceListFaults.badDeviceId);
    return { kind: known, value, sent: id };
  });
  const again = repeated(devices, ({ kind, value }) => `${kind} ${value}`);
  if (again.length > 0) refuse(deviceListFaults.duplicateDevices, { named: again.map(sentFor) });
  return devices;
}
