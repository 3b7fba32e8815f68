import { OCTETS_MAX, type Restart, type SessionReport } from '../../features/data-sessions/index.ts';
import { type DeviceId, parseDeviceId } from '../../kernel/device-id.ts';
import { parseFedDevice } from '../../platform/feeds/fed-record.ts';
import type { AttributeName, ValueOf } from './dictionary.ts';
import { BadPacket, findOctets, type Packet, readAttribute } from './packet.ts';
import { cellOf } from './user-location.ts';

/** Acct-Status-Type. */
const KINDS: Readonly<Record<number, SessionReport['kind'] | 'restart'>> = {
  1: 'start',
  2: 'stop',
  3: 'interim',
  7: 'restart',
  8: 'restart',
};

/** 3GPP-RAT-Type. */
const RATS: Readonly<Record<number, string>> = {
  1: 'UTRAN',
  2: 'GERAN',
  3: 'WLAN',
  4: 'GAN',
  5: 'HSPA evolution',
  6: 'E-UTRAN',
  8: 'NB-IoT',
  9: 'LTE-M',
  10: 'NR',
};

/** Acct-Terminate-Cause, starting at 1. */
const CAUSES =
  'user request, lost carrier, lost service, idle timeout, session timeout, admin reset, admin reboot, port error, NAS error, NAS request, NAS reboot, port unneeded, port preempted, port suspended, service unavailable, callback, user error, host request'.split(
    ', ',
  );

const GIGAWORD = 2 ** 32;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The octets as storable text, or else as hexadecimal digits, so that different octets stay different. */
function textOf(octets: Buffer | undefined): string | undefined {
  if (octets === undefined || octets.length === 0) return undefined;
  try {
    const text = utf8.decode(octets);
    if (!text.includes('\0')) return text;
  } catch {
    // Not UTF-8.
  }
  return `0x${octets.toString('hex')}`;
}

/** Undefined without the attribute. Throws `BadPacket` if its octets are not a valid value. */
function read<N extends AttributeName>(packet: Packet, name: N): ValueOf<N> | undefined {
  const value = readAttribute(packet, name);
  if (value === undefined && findOctets(packet, name) !== undefined)
    throw new BadPacket(`${name} has a wrong length`);
  return value;
}

function counterOf(packet: Packet, direction: 'Input' | 'Output'): number {
  const gigawords = read(packet, `Acct-${direction}-Gigawords`) ?? 0;
  return gigawords * GIGAWORD + (read(packet, `Acct-${direction}-Octets`) ?? 0);
}

const digitsOf = (text: string | undefined): string | undefined =>
  text !== undefined && /^[0-9]{14,16}$/.test(text) ? text : undefined;

function deviceOf(packet: Packet): DeviceId {
  const imsi = textOf(findOctets(packet, '3GPP-IMSI'));
  const byImsi = imsi === undefined ? undefined : parseDeviceId('imsi', imsi);
  if (byImsi !== undefined) return byImsi;
  const number = textOf(findOctets(packet, 'Calling-Station-Id'));
  const byNumber = number === undefined ? undefined : parseFedDevice('msisdn', number);
  if (byNumber === undefined) throw new BadPacket('neither 3GPP-IMSI nor Calling-Station-Id names a line');
  return byNumber;
}

const nasOf = (packet: Packet, sender: string): string =>
  textOf(findOctets(packet, 'NAS-Identifier')) ??
  readAttribute(packet, 'NAS-IP-Address') ??
  textOf(findOctets(packet, 'NAS-IPv6-Address')) ??
  sender;

/** The time in the report, or else that of its arrival minus the reported delay. */
const timeOf = (packet: Packet, arrivedAt: Date): number =>
  read(packet, 'Event-Timestamp')?.getTime() ??
  arrivedAt.getTime() - (read(packet, 'Acct-Delay-Time') ?? 0) * 1_000;

const causeOf = (packet: Packet): string | undefined => {
  const cause = readAttribute(packet, 'Acct-Terminate-Cause');
  return cause === undefined ? undefined : (CAUSES[cause - 1] ?? `cause ${cause}`);
};

type Named = Pick<SessionReport, 'kind' | 'nas' | 'atMs' | 'directionsSwapped'>;

function readReport(packet: Packet, named: Named): SessionReport {
  const sessionId = textOf(findOctets(packet, 'Acct-Session-Id'));
  if (sessionId === undefined) throw new BadPacket('Acct-Session-Id is missing');
  const [input, output] = [counterOf(packet, 'Input'), counterOf(packet, 'Output')];
  if (input + output > OCTETS_MAX) throw new BadPacket('the counters are larger than any session can have');
  const rat = readAttribute(packet, '3GPP-RAT-Type');
  const location = findOctets(packet, '3GPP-User-Location-Info');
  const visited = textOf(findOctets(packet, '3GPP-SGSN-MCC-MNC'));
  return {
    ...named,
    sessionId,
    chargingId: read(packet, '3GPP-Charging-ID'),
    device: deviceOf(packet),
    input,
    output,
    apn: textOf(findOctets(packet, 'Called-Station-Id'))?.slice(0, 128),
    rat: rat === undefined ? undefined : (RATS[rat] ?? `type ${rat}`),
    sgsn: readAttribute(packet, '3GPP-SGSN-Address'),
    ggsn: readAttribute(packet, '3GPP-GGSN-Address'),
    visited: visited !== undefined && /^[0-9]{5,6}$/.test(visited) ? visited : undefined,
    imeisv: digitsOf(textOf(findOctets(packet, '3GPP-IMEISV'))),
    address: readAttribute(packet, 'Framed-IP-Address'),
    cell: location && cellOf(location),
    terminateCause: causeOf(packet),
  };
}

/** The content of an Accounting-Request; undefined for other kinds of it. Throws `BadPacket` if it is not valid. */
export function readAccounting(
  packet: Packet,
  {
    sender,
    arrivedAt,
    swapDirections: directionsSwapped,
  }: { readonly sender: string; readonly arrivedAt: Date; readonly swapDirections: boolean },
): SessionReport | Restart | undefined {
  const status = read(packet, 'Acct-Status-Type');
  if (status === undefined) throw new BadPacket('Acct-Status-Type is missing');
  const kind = KINDS[status];
  if (kind === undefined) return undefined;
  const [nas, atMs] = [nasOf(packet, sender), timeOf(packet, arrivedAt)];
  return kind === 'restart'
    ? { kind, nas, atMs }
    : readReport(packet, { kind, nas, atMs, directionsSwapped });
}
