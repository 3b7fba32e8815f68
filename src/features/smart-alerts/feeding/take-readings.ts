import type { Ctx } from '../../../platform/context.ts';
import { FeedError } from '../../../platform/http/record-lines.ts';
import { type RecordBatch, type RejectedRecord, readRecords } from '../../../platform/http/record-stream.ts';
import type { Turnstile } from '../../../platform/turnstile.ts';
import type { WatchDeps } from '../watching/follow-due.ts';
import { type Reading, readReading } from './reading.ts';
import type { FoundReading, Written } from './show-device.ts';
import { listDevicesAnywhere } from './sql-device.ts';
import { writeReadings } from './write-readings.ts';

/** What commits at once, in each profile. */
const BATCH = { recordsMax: 5_000, charsMax: 4 * 1024 * 1024 };
/** A clock that begins in 1970 is no news of then. */
const AGE_MAX_MS = 366 * 86_400_000;
/** As many of the rejected records are named; all are counted. */
const REJECTED_MAX = 1_000;

export interface ReadingsPolicy extends WatchDeps {
  /** Shared by all feeds of a process, so that they leave connections to others. */
  readonly turns: Turnstile;
  readonly countReadings: (outcome: 'accepted' | 'duplicate' | 'late' | 'rejected', count: number) => void;
}

export interface TakenReadings {
  accepted: number;
  duplicates: number;
  /** Older than what the device had told already. */
  late: number;
  rejectedTotal: number;
  rejected: RejectedRecord[];
  /** Set where the body could not be read to its end: completes "The body …". */
  brokenBecause?: string;
}

interface Judged {
  readonly parts: ReadonlyMap<string, readonly FoundReading[]>;
  readonly rejected: readonly RejectedRecord[];
}

async function judge(ctx: Ctx, { records }: RecordBatch<Reading>): Promise<Judged> {
  const nameOf = ({ device }: Reading) => `${device.kind} ${device.value}`;
  const ids = new Map(records.map(({ record }) => [nameOf(record), record.device]));
  const names = [...ids.keys()];
  const found = await listDevicesAnywhere(ctx.db, [...ids.values()]);
  const byName = new Map(found.map((device) => [names[device.nth], device]));
  const nowMs = ctx.now().getTime();
  const rejected: RejectedRecord[] = [];
  const parts = new Map<string, FoundReading[]>();
  for (const { line, record } of records) {
    const device = byName.get(nameOf(record));
    const { atMs, values } = record;
    if (device === undefined) rejected.push({ line, reason: 'device is not known' });
    else if (atMs < nowMs - AGE_MAX_MS) rejected.push({ line, reason: 'at lies more than 366 days back' });
    else if (atMs > nowMs) rejected.push({ line, reason: 'at lies in the future' });
    else {
      const { ecpdId, accountName, deviceId } = device;
      const part = parts.get(ecpdId);
      const reading = { line, accountName, deviceId, atMs, values };
      if (part === undefined) parts.set(ecpdId, [reading]);
      else part.push(reading);
    }
  }
  return { parts, rejected };
}

/**
 * Takes a feed of readings batch by batch, in its order: while one is written the next is read and looked up. What was committed when a feed breaks off stays, and feeding it
 * again changes only what is new: the moment of the newest reading of each device says what was taken.
 */
export async function takeReadings(
  ctx: Ctx,
  bytes: AsyncIterable<Buffer>,
  policy: ReadingsPolicy,
): Promise<TakenReadings> {
  const taken: TakenReadings = { accepted: 0, duplicates: 0, late: 0, rejectedTotal: 0, rejected: [] };

  const add = (written: readonly Written[], rejected: readonly RejectedRecord[]) => {
    const sum = (of: 'accepted' | 'duplicates' | 'late') => written.reduce((n, part) => n + part[of], 0);
    const [accepted, duplicates, late] = [sum('accepted'), sum('duplicates'), sum('late')];
    taken.accepted += accepted;
    taken.duplicates += duplicates;
    taken.late += late;
    taken.rejectedTotal += rejected.length;
    taken.rejected.push(...rejected.slice(0, REJECTED_MAX - taken.rejected.length));
    policy.countReadings('accepted', accepted);
    policy.countReadings('duplicate', duplicates);
    policy.countReadings('late', late);
    policy.countReadings('rejected', rejected.length);
  };

  const write = async (batch: RecordBatch<Reading>, { parts, rejected }: Judged) => {
    const written = await Promise.all(
      [...parts].map(([ecpdId, readings]) =>
        policy.turns.pass(() => writeReadings(ctx, ecpdId, readings, policy)),
      ),
    );
    const lost = written.flatMap((part) => part.rejected);
    add(
      written,
      [...batch.rejected, ...rejected, ...lost].sort((a, b) => a.line - b.line),
    );
  };

  let writing: Promise<void> = Promise.resolve();
  try {
    for await (const batch of readRecords(bytes, readReading, BATCH)) {
      const judged = await policy.turns.pass(() => judge(ctx, batch));
      await writing;
      writing = write(batch, judged);
      // Awaited one batch later, or at the end; until then a failure must not end the process.
      writing.catch(() => {});
    }
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    taken.brokenBecause = error.message;
  }
  await writing;
  return taken;
}
