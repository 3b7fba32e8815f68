import { IsDate } from 'typebox/format';
import {
  DEVICE_ID_SHAPES,
  type DeviceId,
  type DeviceIdKind,
  parseDeviceId,
  parseDeviceIdKind,
} from '../../kernel/device-id.ts';
import { compileEntryCheck } from '../http/schema-compilers.ts';

/** The first fields of every record of a feed: its device and time. */
export interface FedRecord {
  readonly device: DeviceId;
  readonly atMs: number;
}

/** Order for feeds in which the newest record counts; at the same time, the later line counts. */
export const asDated = (a: FedRecord, b: FedRecord): number => a.atMs - b.atMs;

interface WireFedRecord {
  readonly kind: string;
  readonly device: string;
  readonly at: string;
}

function describe({ pointer, detail }: { pointer: string; detail: string }): string {
  const what = detail.startsWith('must have required property') ? 'is missing' : detail;
  return `${pointer.slice(1)} ${what}`.trim();
}

const DATE_TIME =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

/** PostgreSQL knows no year 0. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00Z');

/** Date.parse takes 30 February for 2 March. */
function toMs(text: string): number | undefined {
  if (!DATE_TIME.test(text) || (text.slice(8, 10) >= '29' && !IsDate(text.slice(0, 10)))) return undefined;
  const atMs = Date.parse(text);
  return atMs >= EARLIEST_MS ? atMs : undefined;
}

/**
 * The time at which a record counts. Clocks of network elements differ: a record dated slightly ahead counts from its
 * arrival. Undefined if it is too far ahead.
 */
export const occurredAt = (atMs: number, nowMs: number, aheadMs: number): number | undefined =>
  atMs > nowMs + aheadMs ? undefined : Math.min(atMs, nowMs);

export const aheadReason = (aheadMs: number): string =>
  aheadMs === 0 ? 'at lies in the future' : `at lies more than ${aheadMs / 1_000} seconds in the future`;

/** Networks write numbers of lines with and without a plus sign, in every feed. */
export const parseFedDevice = (kind: DeviceIdKind, text: string): DeviceId | undefined =>
  parseDeviceId(kind, kind === 'msisdn' ? text.trim().replace(/^\+/, '') : text);

/** Parses the first fields of a record by a schema; returns the reason if the record is invalid. */
export function fedRecordParser<Wire extends WireFedRecord>(schema: object) {
  let check: ReturnType<typeof compileEntryCheck> | undefined;
  return (
    value: unknown,
  ): { readonly wire: Wire; readonly record: FedRecord } | { readonly reason: string } => {
    check ??= compileEntryCheck(schema);
    const [problem] = check(value);
    if (problem !== undefined) return { reason: describe(problem) };
    const wire = value as Wire;
    const kind = parseDeviceIdKind(wire.kind);
    if (kind === undefined) return { reason: 'kind is not a kind of identifier' };
    const device = parseFedDevice(kind, wire.device);
    if (device === undefined) return { reason: `device is not a valid ${kind}: ${DEVICE_ID_SHAPES[kind]}` };
    const atMs = toMs(wire.at);
    return atMs === undefined ? { reason: 'at is not a date-time' } : { wire, record: { device, atMs } };
  };
}
