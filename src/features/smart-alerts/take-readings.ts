import { type Static, Type } from 'typebox';
import { type Ctx, forWork } from '../../platform/context/context.ts';
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
import { isBannedName, type Values } from '../device-management/index.ts';
import { type DeviceKey, findDeviceKeys } from '../devices/index.ts';
import type { RuleDeps } from './apply-due.ts';
import { type FoundReading, writeReadings } from './write-readings.ts';

const READING_LIMITS = { fields: 64, nameLength: 100, levels: 8, chars: 16 * 1024 } as const;

const WireReading = Type.Object({
  kind: Type.String({ maxLength: 16 }),
  device: Type.String({ maxLength: 64 }),
  at: Type.String({ maxLength: 64 }),
  values: Type.Unsafe<Values>(
    Type.Object({}, { additionalProperties: true, minProperties: 1, maxProperties: READING_LIMITS.fields }),
  ),
});

interface Reading extends FedRecord {
  readonly values: Values;
}

const parseBeginning = fedRecordParser<Static<typeof WireReading>>(WireReading);

/** The rest of a sentence that starts with "values"; the depth of a record is limited before it is parsed. */
function refusalOf(value: unknown, level = 1): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (level > READING_LIMITS.levels) return `have more than ${READING_LIMITS.levels} levels`;
  for (const [name, member] of Object.entries(value)) {
    if (isBannedName(name)) return `have ${name}, which is not a field name`;
    if (name.length > READING_LIMITS.nameLength)
      return `have a name of more than ${READING_LIMITS.nameLength} characters`;
    const refusal = refusalOf(member, level + 1);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function parseReading(value: unknown, text: string): { record: Reading } | { reason: string } {
  if (text.length > READING_LIMITS.chars)
    return { reason: `is longer than ${READING_LIMITS.chars} characters` };
  const parsed = parseBeginning(value);
  if ('reason' in parsed) return parsed;
  const { values } = parsed.wire;
  const refusal = refusalOf(values);
  return refusal === undefined ? { record: { ...parsed.record, values } } : { reason: `values ${refusal}` };
}

/** Older readings come from a device clock that was reset, for example to 1970. */
const AGE_MAX_MS = 366 * 86_400_000;

export interface ReadingsPolicy extends RuleDeps {
  readonly share: FeedShare;
  readonly countReadings: (outcome: 'accepted' | 'duplicate' | 'late' | 'rejected', count: number) => void;
}

function assignToProfiles(
  records: readonly ParsedRecord<Reading>[],
  devices: readonly (DeviceKey | undefined)[],
  { nowMs, aheadMs }: { nowMs: number; aheadMs: number },
) {
  const rejected: RejectedRecord[] = [];
  const parts = new Map<string, FoundReading[]>();
  for (const [n, { line, record }] of records.entries()) {
    const device = devices[n];
    const { values } = record;
    const atMs = occurredAt(record.atMs, nowMs, aheadMs);
    if (device === undefined) rejected.push({ line, reason: 'device is not known' });
    else if (atMs === undefined) rejected.push({ line, reason: aheadReason(aheadMs) });
    else if (atMs < nowMs - AGE_MAX_MS) rejected.push({ line, reason: 'at is more than 366 days ago' });
    else {
      const { ecpdId, accountName, deviceId } = device;
      const part = parts.get(ecpdId);
      const reading = { line, accountName, deviceId, atMs, saidMs: record.atMs, values };
      if (part === undefined) parts.set(ecpdId, [reading]);
      else part.push(reading);
    }
  }
  return { parts, rejected, counts: {} };
}

/**
 * Takes a feed of readings. A repeated feed changes only what is new: the time of each device's newest reading
 * separates known readings from new ones, and older ones are late. A reading dated in the future gets the time at
 * which it is taken, so if repeated it counts as another, later reading.
 */
export const takeReadings = (
  ctx: Ctx,
  bytes: AsyncIterable<Buffer>,
  policy: ReadingsPolicy,
): Promise<Taken<'accepted' | 'duplicates' | 'late'>> =>
  takeFeed(bytes, {
    name: 'readings',
    ctx,
    share: policy.share,
    outcomes: ['accepted', 'duplicates', 'late'],
    parse: parseReading,
    compare: asDated,
    lookUp: (records) =>
      findDeviceKeys(
        ctx.db,
        records.map(({ record: { device, atMs } }) => ({ id: device, atMs })),
      ),
    evaluate: (records, devices) =>
      assignToProfiles(records, devices, { nowMs: ctx.now().getTime(), aheadMs: policy.share.aheadMs }),
    async write(ecpdId, readings) {
      const { rejected, ...counts } = await writeReadings(
        forWork(ctx, () => `readings ${ecpdId} ${readings[0]?.line}`),
        ecpdId,
        readings,
        policy,
      );
      return { counts, rejected };
    },
    measure({ accepted, duplicates, late, rejected }) {
      policy.countReadings('accepted', accepted);
      policy.countReadings('duplicate', duplicates);
      policy.countReadings('late', late);
      policy.countReadings('rejected', rejected);
    },
  });
