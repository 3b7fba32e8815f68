/** The identifiers by which a device can be named, in the order in which a listing shows them. */
export const DEVICE_ID_KINDS = [
  'imei',
  'iccid',
  'imsi',
  'msisdn',
  'mdn',
  'min',
  'meid',
  'esn',
  'eid',
  'mac',
  'deveui',
] as const;

export type DeviceIdKind = (typeof DEVICE_ID_KINDS)[number];

export interface DeviceId {
  readonly kind: DeviceIdKind;
  /** In the canonical spelling of its kind, so that equal identifiers are equal strings. */
  readonly value: string;
}

const SHAPES: Readonly<Record<DeviceIdKind, RegExp>> = {
  imei: /^[0-9]{14,16}$/,
  iccid: /^[0-9]{18,22}$/,
  imsi: /^[0-9]{6,15}$/,
  msisdn: /^[0-9]{7,15}$/,
  mdn: /^[0-9]{10}$/,
  min: /^[0-9]{10}$/,
  meid: /^([0-9A-F]{14}|[0-9]{18})$/,
  esn: /^([0-9A-F]{8}|[0-9]{1,20})$/,
  eid: /^[0-9]{32}$/,
  mac: /^[0-9A-F]{2}(:[0-9A-F]{2}){5}$/,
  deveui: /^[0-9A-F]{16}$/,
};

/** The text for messages about an identifier that does not match its kind. */
export const DEVICE_ID_SHAPES: Readonly<Record<DeviceIdKind, string>> = {
  imei: '14 to 16 digits',
  iccid: '18 to 22 digits',
  imsi: '6 to 15 digits',
  msisdn: '7 to 15 digits',
  mdn: '10 digits',
  min: '10 digits',
  meid: '14 hexadecimal or 18 decimal digits',
  esn: '8 hexadecimal or up to 20 decimal digits',
  eid: '32 digits',
  mac: 'six pairs of hexadecimal digits joined by : or -',
  deveui: '16 hexadecimal digits',
};

const kinds: ReadonlySet<string> = new Set(DEVICE_ID_KINDS);

/** Clients write IMEI, Imei and imei: the kind is the same in any letter case. */
export function parseDeviceIdKind(text: string): DeviceIdKind | undefined {
  const kind = text.toLowerCase();
  return kinds.has(kind) ? (kind as DeviceIdKind) : undefined;
}

function canonical(kind: DeviceIdKind, text: string): string {
  const value = text.trim().toUpperCase();
  if (kind === 'mac') return value.replaceAll('-', ':');
  return kind === 'deveui' ? value.replaceAll(/[:-]/g, '') : value;
}

/** Undefined if the text is not an identifier of that kind. */
export function parseDeviceId(kind: DeviceIdKind, text: string): DeviceId | undefined {
  const value = canonical(kind, text);
  return SHAPES[kind].test(value) ? { kind, value } : undefined;
}

/** A map from names to columns in which each identifier kind is its own column. */
export const asThemselves = (kinds: readonly DeviceIdKind[]): Readonly<Record<string, string>> =>
  Object.fromEntries(kinds.map((kind) => [kind, kind]));

/** The identifiers of a device, as columns of its row. */
export type DeviceIdColumns = { readonly [K in DeviceIdKind]: string | null };

/** All identifiers of a device, in the form used in callbacks. */
export const toDeviceRefs = (
  device: DeviceIdColumns,
  kinds: readonly DeviceIdKind[] = DEVICE_ID_KINDS,
): { readonly id: string; readonly kind: DeviceIdKind }[] =>
  kinds.flatMap((kind) => {
    const id = device[kind];
    return id === null ? [] : [{ id, kind }];
  });
