import { parseDeviceId } from '../../kernel/device-id.ts';
import { refuse } from '../../platform/fault.ts';
import { type LocationKind, parseLocationKind } from './device-ref.ts';
import { deviceListFaults } from './errors.ts';

/** The deviceList of every call of the location area: what it names, or the refusal of the first thing wrong with it. */
export function readDeviceList(
  list: readonly { readonly id: string; readonly kind: string }[],
  devicesMax: number,
): readonly { readonly kind: LocationKind; readonly value: string }[] {
  if (list.length === 0) refuse(deviceListFaults.emptyDeviceList);
  if (list.length > devicesMax) refuse(deviceListFaults.tooManyDevices);
  const devices = list.map(({ id, kind }) => {
    const known = parseLocationKind(kind) ?? refuse(deviceListFaults.invalidDeviceKind);
    const { value } = parseDeviceId(known, id) ?? refuse(deviceListFaults.badDeviceId);
    return { kind: known, value };
  });
  if (new Set(devices.map(({ kind, value }) => `${kind} ${value}`)).size < devices.length)
    refuse(deviceListFaults.duplicateDevices);
  return devices;
}
