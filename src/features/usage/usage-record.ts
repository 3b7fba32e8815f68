import { type Static, Type } from 'typebox';
import { IsDate } from 'typebox/format';
import { DEVICE_ID_SHAPES, type DeviceId, parseDeviceId, parseDeviceIdKind } from '../../kernel/device-id.ts';
import type { ReadOne } from '../../platform/http/record-stream.ts';
import { compileEntryCheck } from '../../platform/http/validation.ts';

/** One report of use, as the network sent it. */
export interface UsageRecord {
  readonly id: string;
  readonly device: DeviceId;
  readonly atMs: number;
  readonly bytes: number;
  readonly apn: string | undefined;
  readonly ratingGroup: string | undefined;
  readonly countryCode: string | undefined;
  /** Decimal digits, as they were written. */
  readonly chargeAmount: string | undefined;
  readonly serviceName: 'fota' | undefined;
}

const Text = (maxLength: number) => Type.Optional(Type.String({ minLength: 1, maxLength }));

/** Unknown fields are ignored, as everywhere in the interface. */
export const WireUsageRecord = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 128 }),
  kind: Type.String({ maxLength: 16 }),
  device: Type.String({ maxLength: 64 }),
  at: Type.String({ maxLength: 64 }),
  bytes: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  apn: Text(128),
  ratingGroup: Text(64),
  countryCode: Text(8),
  chargeAmount: Type.Optional(Type.Number({ minimum: 0, maximum: 1e12 })),
  serviceName: Type.Optional(Type.Enum(['fota'])),
});
type WireUsageRecord = Static<typeof WireUsageRecord>;

const check = compileEntryCheck(WireUsageRecord);

const CHARGE = /"chargeAmount"\s*:\s*([0-9][0-9.eE+-]*)/g;
/** Finer than any currency, and short enough that nobody fills the ledger with digits. */
const CHARGE_TEXT = /^[0-9]{1,13}(\.[0-9]{1,12})?$/;

/** Money as it was written: a parsed number has lost what a double cannot hold. Undefined where it cannot be kept. */
function exactCharge(amount: number, text: string): string | undefined {
  const written = [...text.matchAll(CHARGE)].map(([, digits]) => digits!);
  const digits = written.findLast((one) => Number(one) === amount) ?? String(amount);
  return CHARGE_TEXT.test(digits) ? digits : undefined;
}

const DATE_TIME =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

/** Date.parse takes 30 February for 2 March. */
const toMs = (text: string): number | undefined =>
  DATE_TIME.test(text) && (text.slice(8, 10) < '29' || IsDate(text.slice(0, 10)))
    ? Date.parse(text)
    : undefined;

function describe({ pointer, detail }: { pointer: string; detail: string }): string {
  const what = detail.startsWith('must have required property') ? 'is missing' : detail;
  return `${pointer.slice(1)} ${what}`.trim();
}

export const readUsageRecord: ReadOne<UsageRecord> = (value, text) => {
  const [problem] = check(value);
  if (problem !== undefined) return { reason: describe(problem) };
  const { id, bytes, apn, ratingGroup, countryCode, serviceName, ...wire } = value as WireUsageRecord;
  const kind = parseDeviceIdKind(wire.kind);
  if (kind === undefined) return { reason: 'kind is not a kind of identifier' };
  const device = parseDeviceId(kind, wire.device);
  if (device === undefined) return { reason: `device is no ${kind}: ${DEVICE_ID_SHAPES[kind]}` };
  const atMs = toMs(wire.at);
  if (atMs === undefined) return { reason: 'at is not a date-time' };
  const chargeAmount = wire.chargeAmount === undefined ? undefined : exactCharge(wire.chargeAmount, text);
  if (wire.chargeAmount !== undefined && chargeAmount === undefined)
    return { reason: 'chargeAmount has more digits than can be kept' };
  return { record: { id, device, atMs, bytes, apn, ratingGroup, countryCode, chargeAmount, serviceName } };
};
