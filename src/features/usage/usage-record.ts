import { type Static, Type } from 'typebox';
import { type FedRecord, fedRecordParser } from '../../platform/feeds/fed-record.ts';
import type { ParseRecord } from '../../platform/feeds/parse-records.ts';
import { exactCharge } from './charge.ts';

/** One report of use, as the network sent it. */
export interface UsageRecord extends FedRecord {
  readonly id: string;
  readonly bytes: number;
  readonly apn: string | undefined;
  readonly ratingGroup: string | undefined;
  readonly countryCode: string | undefined;
  /** Decimal digits, as they were written but for an exponent. */
  readonly chargeAmount: string | undefined;
  readonly serviceName: 'fota' | undefined;
}

/** Null and empty text say as little as nothing: network elements send them where they have no value. */
const Text = (maxLength: number) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength }));
const textOf = (value: string | null | undefined): string | undefined => value || undefined;

/** A pebibyte, which no line uses between two records: a slip in a unit does not fill a counter. */
const BYTES_MAX = 2 ** 50;

/** Unknown fields are ignored, as everywhere in the interface. */
export const WireUsageRecord = Type.Object({
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

const readBeginning = fedRecordParser<WireUsageRecord>(WireUsageRecord);

export const readUsageRecord: ParseRecord<UsageRecord> = (value, text) => {
  const read = readBeginning(value);
  if ('reason' in read) return read;
  const {
    wire,
    record: { device, atMs },
  } = read;
  const { id, bytes, serviceName } = wire;
  const chargeAmount = wire.chargeAmount === undefined ? undefined : exactCharge(wire.chargeAmount, text);
  if (wire.chargeAmount !== undefined && chargeAmount === undefined)
    return { reason: 'chargeAmount has more digits than can be kept' };
  return {
    record: {
      device,
      atMs,
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
