import { setTimeout as sleep } from 'node:timers/promises';
import { createCallbackHttp } from '../src/adapters/callback-http/index.ts';
import { CALLBACK_CHANNEL, createDeliveryEngine, postCallbacks } from '../src/features/callbacks/index.ts';
import { openNotificationFeed } from '../src/platform/db/listen.ts';
import { run, startBenchPostgres } from './support/bench-postgres.ts';
import {
  type CallbackScene,
  ECPD,
  makeCallbacks,
  makeListeners,
  openScene,
} from './support/callback-scene.ts';
import { beside, type Finding } from './support/report.ts';
import { roundsOr } from './support/rounds.ts';
import { type Sink, startSink } from './support/start-sink.ts';
import { percentile } from './support/statistics.ts';

const ROUNDS = roundsOr(5);
const LANES = 100;
const DEAD = 10_000;
const BACKLOG = 19_800;
/** A steady load below the machine's limit: one message to each healthy listener at this interval. */
const EVERY_MS = 100;
const TICKS = 50;

interface Round {
  readonly rate: number;
  readonly p99Ms: number;
}

const realTime = () => performance.timeOrigin + performance.now();

/** The 99 others: delivers a backlog as fast as possible, then measures commit to arrival under a steady load. */
async function measure(scene: CallbackScene, sink: Sink, withDead: boolean): Promise<Round> {
  const { ctx, db, listeners } = scene;
  const [dead, ...living] = listeners;
  const http = createCallbackHttp({ allow: ['loopback'] });
  if (withDead) await postCallbacks(ctx, ECPD, makeCallbacks(DEAD, [dead!]));
  await postCallbacks(ctx, ECPD, makeCallbacks(BACKLOG, living));
  await run(db.url, 'vacuum analyze');
  const feed = await openNotificationFeed(db.url, [CALLBACK_CHANNEL]);
  const engine = createDeliveryEngine(ctx, {
    send: http.send,
    userAgent: 'Linekeeper/bench',
    withhold: async () => new Map(),
    feed,
  });
  const startedAt = performance.now();
  engine.start();
  while (engine.counts.acknowledged < BACKLOG) await sleep(5);
  const rate = BACKLOG / ((performance.now() - startedAt) / 1_000);
  await sleep(1_000);
  await sink.takeArrivals();

  const committedAt = new Map<string, number>();
  for (let tick = 0; tick < TICKS; tick++) {
    const ids = await postCallbacks(ctx, ECPD, makeCallbacks(living.length, living));
    const at = realTime();
    for (const id of ids) committedAt.set(id, at);
    await sleep(EVERY_MS);
  }
  await sleep(1_000);
  const arrivals = await sink.takeArrivals();
  const latencies = [...committedAt].map(([id, at]) => Math.max(0, (arrivals.get(id) ?? Infinity) - at));

  // Releases the requests held by the dead listener, so that the round does not wait for their time-outs.
  await http.close();
  await engine.stop();
  await feed.close();
  await run(db.url, 'delete from callback_pending');
  return { rate, p99Ms: percentile(latencies, 99) };
}

/** Measures how one of a hundred listeners that accepts and never answers affects the others. */
export async function callbackDeadListener(): Promise<Finding[]> {
  const postgres = await startBenchPostgres();
  const sink = await startSink();
  const listeners = makeListeners(LANES, (n) => `${sink.url}/${n === 0 ? 'never' : `timed/${n}`}`);
  const scene = await openScene(await postgres.createDatabase('dead_bench'), listeners);
  await measure(scene, sink, false);
  const rounds: { readonly all: Round; readonly dead: Round }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const first = await measure(scene, sink, round % 2 === 0);
    const second = await measure(scene, sink, round % 2 !== 0);
    rounds.push(round % 2 === 0 ? { dead: first, all: second } : { dead: second, all: first });
  }
  sink.stop();
  await scene.db.close();
  await postgres.stop();

  const compare = (value: (round: Round) => number) => ({
    ours: rounds.map(({ dead }) => value(dead)),
    against: rounds.map(({ all }) => value(all)),
    is: 'all alive',
  });
  return [
    beside({
      what: 'Callbacks per second to 99 listeners while one more never answers',
      ...compare((round) => round.rate),
      target: { atLeast: 0.95 },
    }),
    beside({
      what: 'Commit to arrival for those 99 under a steady load, p99, ms',
      ...compare((round) => round.p99Ms),
      target: { atMost: 1.5 },
    }),
  ];
}
