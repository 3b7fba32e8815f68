import { IsDateTime } from 'typebox/format';
import { DEVICE_ID_SHAPES, type DeviceId, parseDeviceId, parseDeviceIdKind } from '../../kernel/device-id.ts';
import { compileEntryCheck } from './validation.ts';

/** What every record of a feed begins with: which device, and when. */
export interface FedRecord {
  readonly device: DeviceId;
  readonly atMs: number;
}

interface WireFedRecord {
  readonly kind: string;
  readonly device: string;
  readonly at: string;
}

function describe({ pointer, detail }: { pointer: string; detail: string }): string {
  const what = detail.startsWith('must have required property') ? 'is missing' : detail;
  return `${pointer.slice(1)} ${what}`.trim();
}

/** Reads the beginning of a record whose shape a schema describes; a reason where it is none. */
export function fedRecordReader<Wire extends WireFedRecord>(schema: object) {
  const check = compileEntryCheck(schema);
  return (
    value: unknown,
  ): { readonly wire: Wire; readonly record: FedRecord } | { readonly reason: string } => {
    const [problem] = check(value);
    if (problem !== undefined) return { reason: describe(problem) };
    const wire = value as Wire;
    const kind = parseDeviceIdKind(wire.kind);
    if (kind === undefined) return { reason: 'kind is not a kind of identifier' };
    const device = parseDeviceId(kind, wire.device);
    if (device === undefined) return { reason: `device is no ${kind}: ${DEVICE_ID_SHAPES[kind]}` };
    const atMs = IsDateTime(wire.at) ? Date.parse(wire.at) : Number.NaN;
    return Number.isNaN(atMs) ? { reason: 'at is not a date-time' } : { wire, record: { device, atMs } };
  };
}
