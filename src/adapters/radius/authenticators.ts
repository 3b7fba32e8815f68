import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { MESSAGE_AUTHENTICATOR } from './dictionary.ts';
import {
  type Attribute,
  attribute,
  CODES,
  type CodeName,
  decodePacket,
  encodePacket,
  HEAD,
  type Packet,
  UntrustedPacket,
} from './packet.ts';

const ZERO = Buffer.alloc(16);
/** No standard defines the Message-Authenticator of this packet, and implementations differ. */
const UNSIGNED = CODES['Accounting-Response'];

const sumOf = (packet: Buffer, secret: string): Buffer =>
  createHash('md5').update(packet).update(secret, 'utf8').digest();

/** A copy of the packet with this authenticator. */
function withAuthenticator(packet: Buffer, authenticator: Buffer): Buffer {
  const copy = Buffer.from(packet);
  authenticator.copy(copy, 4);
  return copy;
}

/** Offset of the value of the Message-Authenticator, in a valid packet. */
function findMessageAuthenticator(packet: Buffer): number | undefined {
  for (let at = HEAD; at < packet.length; at += packet[at + 1]!)
    if (packet[at] === MESSAGE_AUTHENTICATOR && packet[at + 1] === 18) return at + 2;
  return undefined;
}

/** Computed over the packet with a zeroed Message-Authenticator, and with `authenticator` instead of its own. */
function messageAuthenticatorOf(packet: Buffer, at: number, authenticator: Buffer, secret: string): Buffer {
  const copy = withAuthenticator(packet, authenticator);
  ZERO.copy(copy, at);
  return createHmac('md5', secret).update(copy).digest();
}

const withPlace = (attributes: readonly Attribute[]): Attribute[] => [
  // First, so that an attacker who changes the rest cannot choose the octets before it.
  attribute('Message-Authenticator', ZERO),
  ...attributes,
];

interface Draft {
  readonly code: CodeName;
  readonly identifier: number;
  readonly attributes: readonly Attribute[];
  readonly secret: string;
}

function write(
  { code, identifier, attributes, secret }: Draft,
  /** The authenticator of the packet while its own is computed. */
  base: Buffer,
): Buffer {
  const isSigned = CODES[code] !== UNSIGNED;
  const packet = encodePacket({
    code: CODES[code],
    identifier,
    authenticator: base,
    attributes: isSigned ? withPlace(attributes) : attributes,
  });
  const at = isSigned ? findMessageAuthenticator(packet) : undefined;
  if (at !== undefined) messageAuthenticatorOf(packet, at, base, secret).copy(packet, at);
  return packet;
}

/** An Accounting-, Disconnect- or CoA-Request: its authenticator is a digest of the packet and the secret. */
export function writeRequest(draft: Draft): Buffer {
  const packet = write(draft, ZERO);
  return withAuthenticator(packet, sumOf(packet, draft.secret));
}

/** Asks whether a server is up. `authenticator` is 16 unpredictable octets. */
export const writeStatusServer = (draft: Omit<Draft, 'code'>, authenticator: Buffer): Buffer =>
  write({ ...draft, code: 'Status-Server' }, authenticator);

/** An answer to the request with this authenticator. */
export function writeResponse(draft: Draft, requestAuthenticator: Buffer): Buffer {
  const packet = write(draft, requestAuthenticator);
  return withAuthenticator(packet, sumOf(packet, draft.secret));
}

/** Padding is not signed. */
const cut = (octets: Buffer): Buffer => octets.subarray(0, octets.readUInt16BE(2));

function check(packet: Packet, octets: Buffer, base: Buffer, secret: string, ownIsSum: boolean): Packet {
  const whole = cut(octets);
  if (ownIsSum && !timingSafeEqual(packet.authenticator, sumOf(withAuthenticator(whole, base), secret)))
    throw new UntrustedPacket('the authenticator is wrong: is the secret the same on both sides?');
  const at = packet.code === UNSIGNED ? undefined : findMessageAuthenticator(whole);
  if (at === undefined) {
    if (!ownIsSum) throw new UntrustedPacket('the packet has no Message-Authenticator');
  } else if (!timingSafeEqual(whole.subarray(at, at + 16), messageAuthenticatorOf(whole, at, base, secret)))
    throw new UntrustedPacket('the Message-Authenticator is wrong');
  return packet;
}

/** Reads a request, and checks its authenticator and its Message-Authenticator, if present. Throws `BadPacket`. */
export function readRequest(octets: Buffer, secret: string): Packet {
  const packet = decodePacket(octets);
  return packet.code === CODES['Status-Server']
    ? check(packet, octets, packet.authenticator, secret, false)
    : check(packet, octets, ZERO, secret, true);
}

/** Reads an answer to the request with this authenticator. Throws `BadPacket`. */
export const readResponse = (octets: Buffer, requestAuthenticator: Buffer, secret: string): Packet =>
  check(decodePacket(octets), octets, requestAuthenticator, secret, true);
