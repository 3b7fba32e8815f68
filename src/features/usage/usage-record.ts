import { type Static, Type } from 'typebox';
import { type FedRecord, fedRecordParser } from '../../platform/feeds/fed-record.ts';
import type { ParseRecord } from '../../platform/feeds/parse-records.ts';

const CHARGE_NAME = '"chargeAmount"';
const CHARGE = /"chargeAmount"\s*:\s*([0-9][0-9.eE+-]*)/;
const CHARGES = new RegExp(CHARGE, 'g');
const CHARGE_HERE = new RegExp(CHARGE, 'y');

/** Finer than any currency, and short enough to keep the ledger small. */
const WHOLE_MAX = 13;
const FRACTION_MAX = 12;
const PLAIN = new RegExp(`^[0-9]{1,${WHOLE_MAX}}(\\.[0-9]{1,${FRACTION_MAX}})?$`);
const WITH_EXPONENT = /^([0-9]{1,40})(?:\.([0-9]{1,40}))?[eE]([+-]?[0-9]{1,10})$/;

/** If a name occurs twice, the last one counts. A match that belongs to another field has a different number. */
function chargeDigits(amount: number, text: string): string {
  CHARGE_HERE.lastIndex = Math.max(0, text.lastIndexOf(CHARGE_NAME));
  const last = CHARGE_HERE.exec(text)?.[1];
  if (last !== undefined && Number(last) === amount) return last;
  const written = [...text.matchAll(CHARGES)].map(([, one]) => one!);
  return written.findLast((one) => Number(one) === amount) ?? String(amount);
}

/** Serialisers write small amounts with an exponent, such as 5e-7. The point moves in the text: a double would round. */
function withoutExponent(text: string): string | undefined {
  const [, whole, fraction = '', exponent] = WITH_EXPONENT.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = `${whole}${fraction}`.replace(/0+$/, '');
  if (digits === '') return '0';
  const first = digits.search(/[1-9]/);
  const point = whole.length + Number(exponent);
  if (point - first > WHOLE_MAX || digits.length - point > FRACTION_MAX) return undefined;
  const before = digits.slice(first, Math.max(first, point)).padEnd(point - first, '0') || '0';
  const after = point < 0 ? '0'.repeat(-point) + digits : digits.slice(point);
  return after === '' ? before : `${before}.${after}`;
}

/** The amount as it was written: a parsed number has lost digits. Undefined if it cannot be stored. */
export function exactCharge(amount: number, text: string): string | undefined {
  const digits = chargeDigits(amount, text);
  return PLAIN.test(digits) ? digits : withoutExponent(digits);
}

/** One usage report, as the network sent it. */
export interface UsageRecord extends FedRecord {
  readonly id: string;
  readonly bytes: number;
  readonly apn: string | undefined;
  readonly ratingGroup: string | undefined;
  readonly countryCode: string | undefined;
  /** Decimal digits as they were written, without an exponent. */
  readonly chargeAmount: string | undefined;
  readonly serviceName: 'fota' | undefined;
}

/** Null and empty text mean absent: network elements send them for missing values. */
const Text = (maxLength: number) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength }));
const textOf = (value: string | null | undefined): string | undefined => value || undefined;

/** A pebibyte. No line uses that much between two records, so a wrong unit cannot fill a counter. */
const BYTES_MAX = 2 ** 50;

/** Unknown fields are ignored, as everywhere in the interface. */
const WireUsageRecord = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 128 }),
  kind: Type.String({ maxLength: 16 }),
  device: Type.String({ maxLength: 64 }),
  at: Type.String({ maxLength: 64 }),
  bytes: Type.Integer({ minimum: 0, maximum: BYTES_MAX }),
  apn: Text(128),
  ratingGroup: Text(64),
  countryCode: Text(8),
  chargeAmount: Type.Optional(Type.Number({ minimum: 0, maximum: 1e12 })),
  serviceName: Type.Optional(Type.Enum(['fota'])),
});
type WireUsageRecord = Static<typeof WireUsageRecord>;

const parseBeginning = fedRecordParser<WireUsageRecord>(WireUsageRecord);

export const parseUsageRecord: ParseRecord<UsageRecord> = (value, text) => {
  const parsed = parseBeginning(value);
  if ('reason' in parsed) return parsed;
  const { wire, record } = parsed;
  const { id, bytes, serviceName } = wire;
  const chargeAmount = wire.chargeAmount === undefined ? undefined : exactCharge(wire.chargeAmount, text);
  if (wire.chargeAmount !== undefined && chargeAmount === undefined)
    return { reason: 'chargeAmount has more digits than can be kept' };
  return {
    record: {
      device: record.device,
      atMs: record.atMs,
      id,
      bytes,
      apn: textOf(wire.apn),
      ratingGroup: textOf(wire.ratingGroup),
      countryCode: textOf(wire.countryCode),
      chargeAmount,
      serviceName,
    },
  };
};
