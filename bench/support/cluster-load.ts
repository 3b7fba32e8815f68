import {
  createDeliveryEngine,
  postCallbacks,
  type SendCallback,
} from '../../src/features/callbacks/index.ts';
import { run } from './bench-postgres.ts';
import { makeCallbacks } from './callback-scene.ts';
import { type BenchProfile, imeiOf, listenersOf } from './cluster-fleet.ts';
import type { Side } from './cluster-scene.ts';
import { readServerCpuMs } from './cpu-time.ts';
import { BATCH } from './usage-bare.ts';
import { send } from './usage-feed.ts';

export interface FeedSize {
  readonly recordsEach: number;
  readonly devicesEach: number;
  /** Makes the ids of each run unique. */
  readonly run: string;
}

/** Records over all devices, ordered neither by device nor by id. */
export function usageLines(
  profile: BenchProfile,
  { recordsEach, devicesEach, run }: FeedSize,
  at: Date,
): Buffer[] {
  const line = (n: number) =>
    `${JSON.stringify({
      id: `${run}-${(Math.imul(n + 1, 0x9e3779b1) >>> 0).toString(16)}-${n}`,
      kind: 'imei',
      device: imeiOf(profile, (n * 7_919) % devicesEach),
      at,
      ...{
        bytes: 1_000 + (n % 5_000),
        apn: 'iot.apn',
        ratingGroup: '100',
        countryCode: 'USA',
        chargeAmount: 0.12,
      },
    })}\n`;
  return Array.from({ length: Math.ceil(recordsEach / BATCH) }, (_, b) => {
    const count = Math.min(BATCH, recordsEach - b * BATCH);
    return Buffer.from(Array.from({ length: count }, (_, i) => line(b * BATCH + i)).join(''));
  });
}

const toDisk = async ({ servers }: Side) => {
  for (const { url } of servers) await run(url, 'checkpoint');
};

/** Records per second over HTTP, with one feed for each profile, all at the same time. */
export async function feedRate(
  side: Side,
  profiles: readonly BenchProfile[],
  size: FeedSize,
): Promise<number> {
  const at = new Date();
  const feeds = profiles.map((profile) => usageLines(profile, size, at));
  await toDisk(side);
  const before = performance.now();
  const accepted = await Promise.all(
    feeds.map((parts) => send(`${side.serviceUrl}/operator/v1/usage`, parts)),
  );
  const seconds = (performance.now() - before) / 1_000;
  if (accepted.some((count) => count !== size.recordsEach)) throw new Error(`accepted ${accepted}`);
  return (size.recordsEach * profiles.length) / seconds;
}

/** Callbacks of all profiles per second, from the first claim until all are recorded. They are posted in advance. */
export async function deliveryRate(
  side: Side,
  profiles: readonly BenchProfile[],
  { each, sendCallback, sinkUrl }: { each: number; sendCallback: SendCallback; sinkUrl: string },
): Promise<number> {
  const { ctx } = side;
  for (const profile of profiles)
    await postCallbacks(ctx, profile.ecpdId, makeCallbacks(each, listenersOf(profile, sinkUrl)));
  await toDisk(side);
  const engine = createDeliveryEngine(ctx, {
    send: sendCallback,
    userAgent: 'Linekeeper/bench',
    withhold: async () => new Map(),
  });
  const before = performance.now();
  const recorded = await engine.settle();
  const seconds = (performance.now() - before) / 1_000;
  await engine.stop();
  const count = each * profiles.length;
  if (recorded !== count || engine.counts.acknowledged !== count) throw new Error(`recorded ${recorded}`);
  return count / seconds;
}

/** Processor time so far of each server with all its connections, in ms. Undefined if the system does not report it. */
export async function readCpuOf({ servers }: Side): Promise<readonly (number | undefined)[]> {
  const times: (number | undefined)[] = [];
  for (const { url } of servers) {
    const [file] = await run<{ pid: string }>(
      url,
      `select split_part(pg_read_file('postmaster.pid'), e'\\n', 1) as pid`,
    );
    times.push(readServerCpuMs(Number(file!.pid)));
  }
  return times;
}
