/** The types of attribute values. */
interface Kinds {
  text: string;
  octets: Buffer;
  /** Unsigned, 32 bits. */
  integer: number;
  byte: number;
  ipv4: string;
  /** Seconds since 1970. */
  time: Date;
}

type Kind = keyof Kinds;

export interface Definition {
  readonly type: number;
  readonly kind: Kind;
  /** The vendor of the attribute, inside a Vendor-Specific one. */
  readonly vendor?: number;
}

export const VENDOR_SPECIFIC = 26;
export const MESSAGE_AUTHENTICATOR = 80;
const VENDOR_3GPP = 10_415;

const of = <K extends Kind>(type: number, kind: K) => ({ type, kind }) as const;
const of3gpp = <K extends Kind>(type: number, kind: K) => ({ type, kind, vendor: VENDOR_3GPP }) as const;

/** RFC 2865, 2866, 2869, 5176 and TS 29.061: the identity and usage of a session, and the reasons of refusals. */
export const DICTIONARY = {
  'User-Name': of(1, 'text'),
  'NAS-IP-Address': of(4, 'ipv4'),
  'NAS-Port': of(5, 'integer'),
  'Service-Type': of(6, 'integer'),
  'Framed-Protocol': of(7, 'integer'),
  'Framed-IP-Address': of(8, 'ipv4'),
  'Filter-Id': of(11, 'text'),
  'Reply-Message': of(18, 'text'),
  State: of(24, 'octets'),
  Class: of(25, 'octets'),
  'Session-Timeout': of(27, 'integer'),
  'Called-Station-Id': of(30, 'text'),
  'Calling-Station-Id': of(31, 'text'),
  'NAS-Identifier': of(32, 'text'),
  'Proxy-State': of(33, 'octets'),
  'Acct-Status-Type': of(40, 'integer'),
  'Acct-Delay-Time': of(41, 'integer'),
  'Acct-Input-Octets': of(42, 'integer'),
  'Acct-Output-Octets': of(43, 'integer'),
  'Acct-Session-Id': of(44, 'text'),
  'Acct-Authentic': of(45, 'integer'),
  'Acct-Session-Time': of(46, 'integer'),
  'Acct-Input-Packets': of(47, 'integer'),
  'Acct-Output-Packets': of(48, 'integer'),
  'Acct-Terminate-Cause': of(49, 'integer'),
  'Acct-Multi-Session-Id': of(50, 'text'),
  'Acct-Input-Gigawords': of(52, 'integer'),
  'Acct-Output-Gigawords': of(53, 'integer'),
  'Event-Timestamp': of(55, 'time'),
  'NAS-Port-Type': of(61, 'integer'),
  'Message-Authenticator': of(MESSAGE_AUTHENTICATOR, 'octets'),
  'NAS-Port-Id': of(87, 'text'),
  'NAS-IPv6-Address': of(95, 'octets'),
  'Framed-IPv6-Prefix': of(97, 'octets'),
  'Error-Cause': of(101, 'integer'),
  '3GPP-IMSI': of3gpp(1, 'text'),
  '3GPP-Charging-ID': of3gpp(2, 'integer'),
  '3GPP-PDP-Type': of3gpp(3, 'integer'),
  '3GPP-GPRS-Negotiated-QoS-profile': of3gpp(5, 'text'),
  '3GPP-SGSN-Address': of3gpp(6, 'ipv4'),
  '3GPP-GGSN-Address': of3gpp(7, 'ipv4'),
  '3GPP-IMSI-MCC-MNC': of3gpp(8, 'text'),
  '3GPP-GGSN-MCC-MNC': of3gpp(9, 'text'),
  '3GPP-NSAPI': of3gpp(10, 'text'),
  '3GPP-Session-Stop-Indicator': of3gpp(11, 'byte'),
  '3GPP-Selection-Mode': of3gpp(12, 'text'),
  '3GPP-Charging-Characteristics': of3gpp(13, 'text'),
  '3GPP-SGSN-MCC-MNC': of3gpp(18, 'text'),
  '3GPP-IMEISV': of3gpp(20, 'text'),
  '3GPP-RAT-Type': of3gpp(21, 'byte'),
  '3GPP-User-Location-Info': of3gpp(22, 'octets'),
  '3GPP-MS-Time-Zone': of3gpp(23, 'octets'),
} as const satisfies Readonly<Record<string, Definition>>;

export type AttributeName = keyof typeof DICTIONARY;
export type ValueOf<N extends AttributeName> = Kinds[(typeof DICTIONARY)[N]['kind']];

const TEXT_MAX = 253;

function fixed(bytes: number, fill: (value: Buffer) => void): Buffer {
  const value = Buffer.alloc(bytes);
  fill(value);
  return value;
}

function ipv4Octets(address: string): Buffer {
  const octets = address.split('.').map(Number);
  if (octets.length !== 4 || octets.some((octet) => !Number.isInteger(octet) || octet < 0 || octet > 255))
    throw new RangeError(`${address} is not an IPv4 address`);
  return Buffer.from(octets);
}

/** Throws a RangeError if the value does not fit. */
export function writeValue(kind: Kind, value: Kinds[Kind]): Buffer {
  const written = WRITE[kind](value as never);
  if (written.length > TEXT_MAX) throw new RangeError(`an attribute has at most ${TEXT_MAX} octets`);
  return written;
}

const WRITE: { readonly [K in Kind]: (value: Kinds[K]) => Buffer } = {
  text: (value) => Buffer.from(value, 'utf8'),
  octets: (value) => value,
  integer: (value) => fixed(4, (buffer) => buffer.writeUInt32BE(value)),
  byte: (value) => fixed(1, (buffer) => buffer.writeUInt8(value)),
  ipv4: ipv4Octets,
  time: (value) => fixed(4, (buffer) => buffer.writeUInt32BE(Math.floor(value.getTime() / 1_000))),
};

const READ: { readonly [K in Kind]: (octets: Buffer) => Kinds[K] | undefined } = {
  text: (octets) => octets.toString('utf8'),
  octets: (octets) => octets,
  integer: (octets) => (octets.length === 4 ? octets.readUInt32BE() : undefined),
  byte: (octets) => (octets.length === 1 ? octets.readUInt8() : undefined),
  ipv4: (octets) => (octets.length === 4 ? octets.join('.') : undefined),
  time: (octets) => (octets.length === 4 ? new Date(octets.readUInt32BE() * 1_000) : undefined),
};

/** Undefined if the octets are not a valid value of that kind. */
export const readValue = (kind: Kind, octets: Buffer): Kinds[Kind] | undefined => READ[kind](octets);
