import { type Static, Type } from 'typebox';
import type { DeviceId } from '../../kernel/device-id.ts';
import type { Ctx } from '../../platform/context.ts';
import { type FedRecord, fedRecordReader } from '../../platform/http/fed-record.ts';
import { FeedError } from '../../platform/http/record-lines.ts';
import { type RecordBatch, type RejectedRecord, readRecords } from '../../platform/http/record-stream.ts';
import type { Turnstile } from '../../platform/turnstile.ts';
import type { Accuracy } from '../consents/index.ts';
import { cachedForms } from './cached-position.ts';
import type { Fix } from './location.ts';
import { listDevicesAnywhere } from './sql-device.ts';
import { upsertPositions } from './sql-position.ts';

const BATCH = { recordsMax: 5_000, charsMax: 4 * 1024 * 1024 };
/** As many of the rejected records are named; all are counted. */
const REJECTED_MAX = 1_000;
/** Of a position whose radius is not told. */
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

const readBeginning = fedRecordReader<Static<typeof WirePosition>>(WirePosition);

function readPosition(value: unknown): { record: FedPosition } | { reason: string } {
  const read = readBeginning(value);
  if ('reason' in read) return read;
  const { lat, lon, radius = RADIUS_M, accuracy = 'coarse' } = read.wire;
  return { record: { ...read.record, latitude: lat, longitude: lon, radiusM: radius, accuracy } };
}

export interface PositionsPolicy {
  /** Shared by all feeds of a process, so that they leave connections to others. */
  readonly turns: Turnstile;
}

export interface TakenPositions {
  accepted: number;
  rejectedTotal: number;
  rejected: RejectedRecord[];
  /** Set where the body could not be read to its end: completes "The body …". */
  brokenBecause?: string;
}

const nameOf = ({ kind, value }: DeviceId): string => `${kind} ${value}`;

async function takeBatch(
  ctx: Ctx,
  { records }: RecordBatch<FedPosition>,
  { turns }: PositionsPolicy,
): Promise<{ accepted: number; rejected: RejectedRecord[] }> {
  const ids = [...new Map(records.map(({ record }) => [nameOf(record.device), record.device])).values()];
  const found = await turns.pass(() => listDevicesAnywhere(ctx.db, ids));
  const byName = new Map(found.map((device) => [nameOf(ids[device.nth]!), device]));
  const now = ctx.now();
  const rejected: RejectedRecord[] = [];
  const positions = records.flatMap(({ line, record: { device, atMs, accuracy, ...place } }) => {
    const known = byName.get(nameOf(device));
    const reason =
      known === undefined
        ? 'device is not known'
        : atMs > now.getTime()
          ? 'at lies in the future'
          : undefined;
    if (known === undefined || reason !== undefined) {
      rejected.push({ line, reason: reason ?? '' });
      return [];
    }
    const fix = { ...place, at: new Date(atMs) };
    return [{ ecpdId: known.ecpdId, forms: cachedForms(known.deviceId, fix, accuracy) }];
  });
  for (const [ecpdId, its] of Map.groupBy(positions, (position) => position.ecpdId))
    await turns.pass(() =>
      upsertPositions(
        ctx.db,
        ecpdId,
        its.flatMap(({ forms }) => forms),
        now,
      ),
    );
  return { accepted: positions.length, rejected };
}

/**
 * Takes positions that others have found into the cache, batch by batch; of each device the newest stays. Feeding the
 * same again changes nothing.
 */
export async function takePositions(
  ctx: Ctx,
  bytes: AsyncIterable<Buffer>,
  policy: PositionsPolicy,
): Promise<TakenPositions> {
  const taken: TakenPositions = { accepted: 0, rejectedTotal: 0, rejected: [] };
  const reject = (records: readonly RejectedRecord[]) => {
    taken.rejectedTotal += records.length;
    taken.rejected.push(...records.slice(0, REJECTED_MAX - taken.rejected.length));
  };
  try {
    for await (const batch of readRecords(bytes, readPosition, BATCH)) {
      const { accepted, rejected } = await takeBatch(ctx, batch, policy);
      taken.accepted += accepted;
      reject([...batch.rejected, ...rejected].sort((a, b) => a.line - b.line));
    }
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    taken.brokenBecause = error.message;
  }
  return taken;
}
