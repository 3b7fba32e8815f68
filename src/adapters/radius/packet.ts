import {
  type AttributeName,
  type Definition,
  DICTIONARY,
  readValue,
  type ValueOf,
  VENDOR_SPECIFIC,
  writeValue,
} from './dictionary.ts';

export const CODES = {
  'Accounting-Request': 4,
  'Accounting-Response': 5,
  'Status-Server': 12,
  'Disconnect-Request': 40,
  'Disconnect-ACK': 41,
  'Disconnect-NAK': 42,
  'CoA-Request': 43,
  'CoA-ACK': 44,
  'CoA-NAK': 45,
} as const;

export type CodeName = keyof typeof CODES;

/** An attribute on the wire. One inside a Vendor-Specific attribute has that vendor's number. */
export interface Attribute {
  readonly type: number;
  readonly vendor?: number | undefined;
  readonly value: Buffer;
}

export interface Packet {
  readonly code: number;
  readonly identifier: number;
  readonly authenticator: Buffer;
  readonly attributes: readonly Attribute[];
}

/** The input is not a RADIUS packet. */
export class BadPacket extends Error {}
/** The packet is not correctly signed. */
export class UntrustedPacket extends BadPacket {}

export const HEAD = 20;
const PACKET_MAX = 4_096;
const VENDOR_HEAD = 4;

export function attribute<N extends AttributeName>(name: N, value: ValueOf<N>): Attribute {
  const { type, kind, vendor }: Definition = DICTIONARY[name];
  return { type, vendor, value: writeValue(kind, value) };
}

/** The octets of the first attribute with this name. */
export function findOctets(
  { attributes }: Pick<Packet, 'attributes'>,
  name: AttributeName,
): Buffer | undefined {
  const { type, vendor }: Definition = DICTIONARY[name];
  return attributes.find((each) => each.type === type && each.vendor === vendor)?.value;
}

/** The first value with this name; undefined if there is none, or if its octets are not valid. */
export function readAttribute<N extends AttributeName>(
  packet: Pick<Packet, 'attributes'>,
  name: N,
): ValueOf<N> | undefined {
  const { kind }: Definition = DICTIONARY[name];
  const octets = findOctets(packet, name);
  return octets && (readValue(kind, octets) as ValueOf<N> | undefined);
}

function octetsOf({ type, vendor, value }: Attribute): Buffer {
  const own = Buffer.concat([Buffer.from([type, 2 + value.length]), value]);
  if (vendor === undefined) return own;
  const head = Buffer.alloc(2 + VENDOR_HEAD);
  head[0] = VENDOR_SPECIFIC;
  head[1] = head.length + own.length;
  head.writeUInt32BE(vendor, 2);
  return Buffer.concat([head, own]);
}

export function encodePacket({ code, identifier, authenticator, attributes }: Packet): Buffer {
  const packet = Buffer.concat([Buffer.alloc(HEAD), ...attributes.map(octetsOf)]);
  if (packet.length > PACKET_MAX) throw new RangeError(`a packet has at most ${PACKET_MAX} octets`);
  packet[0] = code;
  packet[1] = identifier;
  packet.writeUInt16BE(packet.length, 2);
  authenticator.copy(packet, 4);
  return packet;
}

/** Reads consecutive attributes: type, length, value. */
function* readRow(octets: Buffer, what: string): Generator<Attribute> {
  for (let at = 0; at < octets.length; ) {
    const [type, length] = [octets[at]!, octets[at + 1] ?? 0];
    if (length < 2 || at + length > octets.length)
      throw new BadPacket(`${what} do not fit into their length`);
    yield { type, value: octets.subarray(at + 2, at + length) };
    at += length;
  }
}

/** A vendor may use its own format inside its attribute, which then stays in one piece. */
function readVendor(whole: Attribute): Attribute[] {
  if (whole.value.length <= VENDOR_HEAD) return [whole];
  const vendor = whole.value.readUInt32BE();
  try {
    return [...readRow(whole.value.subarray(VENDOR_HEAD), 'the attributes of a vendor')].map((each) => ({
      ...each,
      vendor,
    }));
  } catch {
    return [whole];
  }
}

/** Throws `BadPacket`. Octets beyond the length field of the packet are padding. */
export function decodePacket(octets: Buffer): Packet {
  if (octets.length < HEAD) throw new BadPacket('a packet has at least 20 octets');
  const length = octets.readUInt16BE(2);
  if (length < HEAD || length > PACKET_MAX || length > octets.length)
    throw new BadPacket('the length of the packet is wrong');
  const row = readRow(octets.subarray(HEAD, length), 'the attributes');
  return {
    code: octets[0]!,
    identifier: octets[1]!,
    authenticator: octets.subarray(4, HEAD),
    attributes: [...row].flatMap((each) => (each.type === VENDOR_SPECIFIC ? readVendor(each) : [each])),
  };
}
