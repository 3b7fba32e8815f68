import { type Static, Type } from 'typebox';
import { type FedRecord, fedRecordReader } from '../../platform/http/fed-record.ts';
import type { ReadOne } from '../../platform/http/record-stream.ts';

/** One report of use, as the network sent it. */
export interface UsageRecord extends FedRecord {
  readonly id: string;
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

const CHARGE_NAME = '"chargeAmount"';
const CHARGE = /"chargeAmount"\s*:\s*([0-9][0-9.eE+-]*)/;
const CHARGES = new RegExp(CHARGE, 'g');
/** Finer than any currency, and short enough that nobody fills the ledger with digits. */
const CHARGE_TEXT = /^[0-9]{1,13}(\.[0-9]{1,12})?$/;

/** Where a name stands twice, the last one counts; one that belongs to something else has another number. */
function chargeDigits(amount: number, text: string): string {
  const last = CHARGE.exec(text.slice(text.lastIndexOf(CHARGE_NAME)))?.[1];
  if (last !== undefined && Number(last) === amount) return last;
  const written = [...text.matchAll(CHARGES)].map(([, one]) => one!);
  return written.findLast((one) => Number(one) === amount) ?? String(amount);
}

/** Money as it was written: a parsed number has lost what a double cannot hold. Undefined where it cannot be kept. */
function exactCharge(amount: number, text: string): string | undefined {
  const digits = chargeDigits(amount, text);
  return CHARGE_TEXT.test(digits) ? digits : undefined;
}

const readBeginning = fedRecordReader<WireUsageRecord>(WireUsageRecord);

export const readUsageRecord: ReadOne<UsageRecord> = (value, text) => {
  const read = readBeginning(value);
  if ('reason' in read) return read;
  const {
    wire,
    record: { device, atMs },
  } = read;
  const { id, bytes, apn, ratingGroup, countryCode, serviceName } = wire;
  const chargeAmount = wire.chargeAmount === undefined ? undefined : exactCharge(wire.chargeAmount, text);
  if (wire.chargeAmount !== undefined && chargeAmount === undefined)
    return { reason: 'chargeAmount has more digits than can be kept' };
  return {
    record: { device, atMs, id, bytes, apn, ratingGroup, countryCode, chargeAmount, serviceName },
  };
};
