import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { findAccount } from '../accounts/index.ts';
import { type LocationKind, parseLocationDevice, parseLocationKind } from './device-ref.ts';
import { deviceListFaults } from './errors.ts';

/** For every call about locations: the account must be registered for device location. */
export async function requireRegistered({ db }: Pick<Ctx, 'db'>, tenant: Tenant): Promise<void> {
  // A deleted account is not registered either.
  if (!(await findAccount(db, tenant))?.locationRegistered) refuse(deviceListFaults.unregisteredAccount);
}

export interface ListedDevice {
  readonly kind: LocationKind;
  readonly value: string;
  /** The identifier as the caller wrote it, for refusals. */
  readonly sent: string;
}

export const sentFor = ({ sent }: Pick<ListedDevice, 'sent'>): string => sent;

/** All items that share their key with another one. */
export const repeated = <T>(all: readonly T[], keyOf: (one: T, nth: number) => string): readonly T[] =>
  [...Map.groupBy(all.entries(), ([nth, one]) => keyOf(one, nth)).values()]
    .filter((same) => same.length > 1)
    .flatMap((same) => same.map(([, one]) => one));

/** Parses the deviceList of any call of the location area, or refuses its first error. */
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
