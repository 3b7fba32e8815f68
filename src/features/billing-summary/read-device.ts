import { type DeviceIdKind, parseDeviceId, parseDeviceIdKind } from '../../kernel/device-id.ts';
import { refuse } from '../../platform/context/fault.ts';
import { billingFaults } from './errors.ts';
import { DEVICES_MAX, type NamedDevice } from './summary-request.ts';

interface WireDevice {
  readonly id: string;
  readonly kind: string;
}

/** Which kinds a call takes, and what it demands of them beyond their usual shape. */
type Kinds = Partial<Record<DeviceIdKind, RegExp>>;

export const ONE_DEVICE: Kinds = { eid: /^\d{32}$/, iccid: /^\d{18,22}$/ };
export const MANY_DEVICES: Kinds = { imei: /^\d{15}$/ };

/** Every kind there is where none are given. */
export function readDevice({ id, kind: spelled }: WireDevice, kinds?: Kinds): NamedDevice {
  const kind = parseDeviceIdKind(spelled);
  if (kind === undefined || (kinds !== undefined && kinds[kind] === undefined))
    refuse(billingFaults.badKind, { reason: spelled });
  const known = parseDeviceId(kind, id);
  if (known === undefined || kinds?.[kind]?.test(known.value) === false)
    refuse(billingFaults.badIdentifier, { reason: `${spelled} ${id}` });
  return { ...known, spelled };
}

/** Each device once, however often it is named. */
export function readDevices(devices: readonly WireDevice[], kinds?: Kinds): readonly NamedDevice[] {
  if (devices.length === 0) refuse(billingFaults.noDevices);
  if (devices.length > DEVICES_MAX) refuse(billingFaults.tooManyDevices);
  const read = devices.map((device) => readDevice(device, kinds));
  return [...new Map(read.map((device) => [`${device.kind} ${device.value}`, device])).values()];
}
