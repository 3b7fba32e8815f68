import ipaddr from 'ipaddr.js';
import type { LineNumbers } from '../../devices/index.ts';

const SUBSCRIBERS = 10_000;
const EXCHANGES = 800;
const FIRST_EXCHANGE = 200;
/** 521 to 529: non-geographic area codes meant for machines. */
const FIRST_AREA = 521;
/** A network code that no operator has: numbers under it are valid only in private networks. */
const PRIVATE_NETWORK = '99999';

/** Maps each line number to its own telephone number. The first of an area follows the last of the area before. */
export function mdnOf(lineNumber: number): string {
  const exchange = Math.floor(lineNumber / SUBSCRIBERS);
  const area = FIRST_AREA + Math.floor(exchange / EXCHANGES);
  const subscriber = String(lineNumber % SUBSCRIBERS).padStart(4, '0');
  return `${area}${FIRST_EXCHANGE + (exchange % EXCHANGES)}${subscriber}`;
}

/** The hosts of 10.0.0.0/8, without the first and the last address, which belong to the network. */
const HOSTS = 2 ** 24 - 2;

/** An address of a private range; it repeats after 16 million lines. */
export function ipAddressOf(lineNumber: number): string {
  const host = 1 + (lineNumber % HOSTS);
  return [10, (host >> 16) & 255, (host >> 8) & 255, host & 255].join('.');
}

type NumberedDevice = Pick<LineNumbers, 'deviceId' | 'mdn' | 'msisdn' | 'min' | 'imsi'>;

export const needsNumbers = ({ mdn, msisdn, min, imsi }: NumberedDevice): boolean =>
  mdn === null || msisdn === null || min === null || imsi === null;

/** The missing numbers of a device, derived from a telephone number; null where it has its own. */
export const numbersFrom = (device: NumberedDevice, mdn: string): LineNumbers => ({
  deviceId: device.deviceId,
  mdn: device.mdn === null ? mdn : null,
  msisdn: device.msisdn === null ? `1${mdn}` : null,
  min: device.min === null ? mdn : null,
  imsi: device.imsi === null ? `${PRIVATE_NETWORK}${mdn}` : null,
});

/** Ranges that contain no address for a line. */
const UNUSABLE: readonly string[] = [
  'unspecified',
  'broadcast',
  'multicast',
  'linkLocal',
  'loopback',
  'reserved',
];

/** Parses an IPv4 address that a line can have into canonical spelling; undefined for everything else. */
export function parseIpAddress(text: string): string | undefined {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text)) return undefined;
  const address = ipaddr.IPv4.parse(text);
  return UNUSABLE.includes(address.range()) ? undefined : address.toString();
}
