import { setTimeout as sleep } from 'node:timers/promises';
import { createCallbackHttp } from '../src/adapters/callback-http/index.ts';
import { CALLBACK_CHANNEL, createDeliveryEngine, postCallbacks } from '../src/features/callbacks/index.ts';
import { openNotificationFeed } from '../src/platform/db/listen.ts';
import { minus, readCounts, startBenchPostgres } from './support/bench-postgres.ts';
import {
  type CallbackScene,
  ECPD,
  makeCallbacks,
  makeListeners,
  openScene,
} from './support/callback-scene.ts';
import { alone, type Finding } from './support/report.ts';
import { startSink } from './support/start-sink.ts';
import { median, percentile, show } from './support/statistics.ts';

const LANES = 100;
const PAUSE_MS = 50;
const IDLE_P50_MS_MAX = 10;
const FAN_OUT = 10_000;
const FAN_OUTS = 5;

const realTime = () => performance.timeOrigin + performance.now();

/** Posts one message to each lane in rotation, with pauses; returns the times from commit to arrival, in ms. */
async function postOneByOne(
  { ctx, listeners }: CallbackScene,
  takeArrivals: () => Promise<ReadonlyMap<string, number>>,
): Promise<number[]> {
  const committedAt = new Map<string, number>();
  for (const listener of listeners) {
    const [id] = await postCallbacks(ctx, ECPD, makeCallbacks(1, [listener]));
    committedAt.set(id!, realTime());
    await sleep(PAUSE_MS);
  }
  await sleep(1_000);
  const arrivals = await takeArrivals();
  return [...committedAt].map(([id, at]) => {
    const arrivedAt = arrivals.get(id);
    if (arrivedAt === undefined) throw new Error(`${id} did not arrive`);
    return Math.max(0, arrivedAt - at);
  });
}

const idleFinding = (what: string, latencies: readonly number[]): Finding => ({
  ...alone(`Commit to arrival of one callback, ${what}, the middle one, ms`, [median(latencies)], {
    atMost: IDLE_P50_MS_MAX,
  }),
  ours: `${show(median(latencies))} (p99 ${show(percentile(latencies, 99))})`,
});

/** Measures how soon an idle service sends a callback, and the cost of posting many at once. */
export async function callbackLatency(): Promise<Finding[]> {
  const postgres = await startBenchPostgres();
  const sink = await startSink();
  const http = createCallbackHttp({ allow: ['loopback'] });
  const url = await postgres.createDatabase('latency_bench');
  const scene = await openScene(
    url,
    makeListeners(LANES, (n) => `${sink.url}/timed/${n}`),
  );
  const feed = await openNotificationFeed(url, [CALLBACK_CHANNEL]);
  const engine = createDeliveryEngine(scene.ctx, {
    send: http.send,
    userAgent: 'Linekeeper/bench',
    withhold: async () => new Map(),
    feed,
  });
  engine.start();
  await postOneByOne(scene, sink.takeArrivals);
  // Longer than a worker keeps an idle lane.
  await sleep(4_000);
  const free = await postOneByOne(scene, sink.takeArrivals);
  const held = await postOneByOne(
    { ...scene, listeners: Array.from({ length: LANES }, () => scene.listeners[0]!) },
    sink.takeArrivals,
  );
  await engine.stop();
  // Its heartbeats would be counted.
  await feed.close();

  const seconds: number[] = [];
  const statements: number[] = [];
  for (let n = 0; n < FAN_OUTS; n++) {
    const callbacks = makeCallbacks(FAN_OUT, scene.listeners);
    const before = await readCounts(url);
    const startedAt = performance.now();
    await postCallbacks(scene.ctx, ECPD, callbacks);
    seconds.push((performance.now() - startedAt) / 1_000);
    // Subtracts the statements of the counting itself.
    statements.push(minus(await readCounts(url), before).statements - COUNTING);
  }
  await http.close();
  sink.stop();
  await scene.db.close();
  await postgres.stop();
  return [
    idleFinding('idle, its lane free', free),
    idleFinding('idle, its lane held', held),
    alone(`Statements to post ${show(FAN_OUT)} callbacks`, statements, { atMost: 1 }),
    alone(`Seconds to post ${show(FAN_OUT)} callbacks`, seconds),
  ];
}

/** Statements that `readCounts` runs and counts itself: the flush and, after it, the count before. */
const COUNTING = 2;
