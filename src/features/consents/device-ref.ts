import {
  type DeviceId,
  type DeviceIdKind,
  parseDeviceId,
  parseDeviceIdKind,
} from '../../kernel/device-id.ts';

/** The kinds by which the location area names a device. An identifier without a kind is tried in this order. */
export const LOCATION_KINDS = ['imei', 'meid', 'esn'] as const satisfies readonly DeviceIdKind[];
export type LocationKind = (typeof LOCATION_KINDS)[number];

export function parseLocationKind(text: string): LocationKind | undefined {
  const kind = parseDeviceIdKind(text);
  return LOCATION_KINDS.find((known) => known === kind);
}

const IMEI = /^[0-9]{15}$/;

/** Stricter than elsewhere: an IMEI must have the 15 digits of the interface. Undefined if the text does not fit. */
export function parseLocationDevice(kind: LocationKind, text: string): DeviceId | undefined {
  const id = parseDeviceId(kind, text);
  return kind !== 'imei' || IMEI.test(id?.value ?? '') ? id : undefined;
}

/** The canonical spelling of an identifier without a kind; undefined if it fits none. */
export const parseLocationId = (text: string): string | undefined =>
  LOCATION_KINDS.map((kind) => parseLocationDevice(kind, text)).find((id) => id !== undefined)?.value;

/**
 * Whether a device has the number that the caller gave. An empty text means that none was given, which fits any device.
 * For a telephone number, the ten digits that answers show are enough.
 */
export function hasNumber(
  { mdn, msisdn }: { readonly mdn: string | null; readonly msisdn: string | null },
  given: string | undefined,
): boolean {
  const number = given?.trim() ?? '';
  return number === '' || number === mdn || number === msisdn || number === msisdn?.slice(-10);
}
