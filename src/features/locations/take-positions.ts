import { type Static, Type } from 'typebox';
import type { Ctx } from '../../platform/context/context.ts';
import {
  aheadReason,
  asDated,
  type FedRecord,
  fedRecordParser,
  occurredAt,
} from '../../platform/feeds/fed-record.ts';
import type { FeedShare } from '../../platform/feeds/feed.ts';
import type { ParsedRecord, RejectedRecord } from '../../platform/feeds/parse-records.ts';
import { type Taken, takeFeed } from '../../platform/feeds/take-feed.ts';
import type { Accuracy } from '../consents/index.ts';
import { type DeviceKey, findDeviceKeys } from '../devices/index.ts';
import type { Fix, TakenFix } from './location.ts';
import { keepFixes } from './sql-position.ts';

/** The radius of a position that states none. */
const RADIUS_M = 300;

const WirePosition = Type.Object({
  kind: Type.String({ maxLength: 16 }),
  device: Type.String({ maxLength: 64 }),
  at: Type.String({ maxLength: 64 }),
  lat: Type.Number({ minimum: -90, maximum: 90 }),
  lon: Type.Number({ minimum: -180, maximum: 180 }),
  radius: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 })),
  accuracy: Type.Optional(Type.Enum(['coarse', 'precise'])),
});

type FedPosition = FedRecord & Omit<Fix, 'at'> & { readonly accuracy: Accuracy };

const parseBeginning = fedRecordParser<Static<typeof WirePosition>>(WirePosition);

function parsePosition(value: unknown): { record: FedPosition } | { reason: string } {
  const parsed = parseBeginning(value);
  if ('reason' in parsed) return parsed;
  const { lat, lon, radius = RADIUS_M, accuracy = 'coarse' } = parsed.wire;
  return { record: { ...parsed.record, latitude: lat, longitude: lon, radiusM: radius, accuracy } };
}

export interface PositionsPolicy {
  readonly share: FeedShare;
}

function evaluate(
  records: readonly ParsedRecord<FedPosition>[],
  devices: readonly (DeviceKey | undefined)[],
  { nowMs, aheadMs }: { nowMs: number; aheadMs: number },
) {
  const rejected: RejectedRecord[] = [];
  const parts = new Map<string, { readonly line: number; readonly fix: TakenFix }[]>();
  for (const [n, { line, record }] of records.entries()) {
    const device = devices[n];
    const { accuracy, latitude, longitude, radiusM } = record;
    const atMs = occurredAt(record.atMs, nowMs, aheadMs);
    if (device === undefined) rejected.push({ line, reason: 'device is not known' });
    else if (atMs === undefined) rejected.push({ line, reason: aheadReason(aheadMs) });
    else {
      const { deviceId } = device;
      const fix = { deviceId, accuracy, latitude, longitude, radiusM, at: new Date(atMs) };
      const position = { line, fix };
      const part = parts.get(device.ecpdId);
      if (part === undefined) parts.set(device.ecpdId, [position]);
      else part.push(position);
    }
  }
  return { parts, rejected, counts: {} };
}

/** Stores positions in the history and each device's newest in the cache. Feeding the same again changes nothing. */
export const takePositions = (
  ctx: Ctx,
  bytes: AsyncIterable<Buffer>,
  { share }: PositionsPolicy,
): Promise<Taken<'accepted'>> =>
  takeFeed(bytes, {
    name: 'positions',
    ctx,
    share,
    outcomes: ['accepted'],
    parse: parsePosition,
    // In the order of their own dates: positions dated ahead are stored with the time of receipt, but keep their order.
    compare: asDated,
    lookUp: (records) =>
      findDeviceKeys(
        ctx.db,
        records.map(({ record: { device, atMs } }) => ({ id: device, atMs })),
      ),
    evaluate: (records, devices) =>
      evaluate(records, devices, { nowMs: ctx.now().getTime(), aheadMs: share.aheadMs }),
    async write(ecpdId, positions) {
      const fixes = positions.map(({ fix }) => fix);
      await keepFixes(ctx.db, ecpdId, fixes, ctx.now());
      return { counts: { accepted: positions.length }, rejected: [] };
    },
  });
