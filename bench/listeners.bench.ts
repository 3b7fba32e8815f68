import { setTimeout as sleep } from 'node:timers/promises';
import { createCallbackHttp } from '../src/adapters/callback-http/index.ts';
import {
  CALLBACK_CHANNEL,
  createDeliveryEngine,
  postCallbacks,
  type SendCallback,
} from '../src/features/callbacks/index.ts';
import { openNotificationFeed } from '../src/platform/db/listen.ts';
import { run, startBenchPostgres } from './support/bench-postgres.ts';
import { type CallbackScene, makeCallbacks, openScene } from './support/callback-scene.ts';
import { type ManyListeners, makeManyListeners } from './support/many-listeners.ts';
import { beside, type Finding } from './support/report.ts';
import { roundsOr } from './support/rounds.ts';
import { type Sink, startSink } from './support/start-sink.ts';
import { percentile, show } from './support/statistics.ts';

const ROUNDS = roundsOr(3);
const BURIED = Number(process.env['BENCH_BURIED'] ?? 1_000_000);
/** Messages for each dead or slow listener. */
const STUCK_EACH = 100;
/** Messages for each of the others, delivered as fast as possible. */
const BACKLOG_EACH = 2;
/** Then a steady load below the machine's limit: every EVERY_MS, a message to AT_ONCE listeners of the next customer. */
const [AT_ONCE, EVERY_MS, TICKS] = [5, 50, 200];
const SETTLE_MS = 2_000;
/** Messages that have not arrived by then count as lost. */
const ARRIVAL_MAX_MS = 30_000;

interface Side {
  readonly name: string;
  readonly url: string;
  readonly scene: CallbackScene;
  readonly isTroubled: boolean;
}

interface Round {
  readonly rate: number;
  /** To all listeners in the same time, including the dead and slow ones. */
  readonly rateOfAll: number;
  readonly p99Ms: number;
}

const realTime = () => performance.timeOrigin + performance.now();

/** Directly into the tables, because the benchmark measures their cost for the others, not their insertion. */
const bury = ({ url }: Side, { buried: { ecpdId, accountName, serviceName } }: ManyListeners) =>
  run(
    url,
    `with posted as (
       insert into callback_message (ecpd_id, message_id, account_name, service_name, request_id, payload, created_at)
       select '${ecpdId}', gen_random_uuid(), '${accountName}', '${serviceName}', 'r', '{"waits":true}', now()
       from generate_series(1, ${BURIED}) returning *)
     insert into callback_pending (ecpd_id, account_name, service_name, due_at, message_id, series, attempts_made)
     select ecpd_id, account_name, service_name, created_at, message_id, 1, 0 from posted`,
  );

async function prepare({ scene: { ctx }, url, isTroubled }: Side, listeners: ManyListeners): Promise<void> {
  const { ecpdId, accountName, serviceName } = listeners.buried;
  await run(
    url,
    `delete from callback_pending
     where (ecpd_id, account_name, service_name) <> ('${ecpdId}', '${accountName}', '${serviceName}')`,
  );
  if (isTroubled)
    for (const [profile, stuck] of Map.groupBy([...listeners.dead, ...listeners.slow], (one) => one.ecpdId))
      await postCallbacks(ctx, profile, makeCallbacks(STUCK_EACH * stuck.length, stuck));
  for (const [profile, living] of listeners.living)
    await postCallbacks(ctx, profile, makeCallbacks(BACKLOG_EACH * living.length, living));
  await run(url, 'vacuum analyze');
  await run(url, 'checkpoint');
}

/** Time from commit to arrival of each message in ms, under a steady load that rotates over customers. */
async function steadyLatencies({ ctx }: CallbackScene, { living }: ManyListeners, sink: Sink) {
  const profiles = [...living];
  const committedAt = new Map<string, number>();
  for (let tick = 0; tick < TICKS; tick++) {
    const [profile, own] = profiles[tick % profiles.length]!;
    const from = (Math.floor(tick / profiles.length) * AT_ONCE) % (own.length - AT_ONCE);
    const some = own.slice(from, from + AT_ONCE);
    const ids = await postCallbacks(ctx, profile, makeCallbacks(some.length, some));
    for (const id of ids) committedAt.set(id, realTime());
    await sleep(EVERY_MS);
  }
  const latencies: number[] = [];
  for (const untilMs = performance.now() + ARRIVAL_MAX_MS; performance.now() < untilMs; await sleep(100)) {
    for (const [id, at] of await sink.takeArrivals()) {
      latencies.push(Math.max(0, at - (committedAt.get(id) ?? at)));
      committedAt.delete(id);
    }
    if (committedAt.size === 0) break;
  }
  return [...latencies, ...[...committedAt].map(() => Infinity)];
}

async function measure(side: Side, listeners: ManyListeners, sink: Sink): Promise<Round> {
  await prepare(side, listeners);
  const { scene, url } = side;
  const http = createCallbackHttp({ allow: ['loopback'] });
  let [answered, answeredByAll] = [0, 0];
  const send: SendCallback = async (callback, options) => {
    const outcome = await http.send(callback, options);
    if (outcome.status !== 200) return outcome;
    answeredByAll++;
    if (callback.url.includes('/timed/')) answered++;
    return outcome;
  };
  const feed = await openNotificationFeed(url, [CALLBACK_CHANNEL]);
  const engine = createDeliveryEngine(scene.ctx, {
    send,
    userAgent: 'Linekeeper/bench',
    withhold: async () => new Map(),
    feed,
  });
  const backlog = [...listeners.living.values()].flat().length * BACKLOG_EACH;
  const startedAt = performance.now();
  engine.start();
  while (answered < backlog) await sleep(5);
  const seconds = (performance.now() - startedAt) / 1_000;
  const [rate, rateOfAll] = [backlog / seconds, answeredByAll / seconds];
  await sleep(SETTLE_MS);
  await sink.takeArrivals();
  const p99Ms = percentile(await steadyLatencies(scene, listeners, sink), 99);
  // Releases the requests held by the dead listeners, so that the round does not wait for their time-outs.
  await http.close();
  await engine.stop();
  await feed.close();
  console.error(`  ${side.name}: ${show(rate)}/s of ${show(rateOfAll)}/s, p99 ${show(p99Ms)} ms`);
  return { rate, rateOfAll, p99Ms };
}

/** Measures how dead, slow and overloaded listeners among ten thousand affect the others. */
export async function listeners(): Promise<Finding[]> {
  const postgres = await startBenchPostgres();
  const sink = await startSink('0.0.0.0');
  const many = makeManyListeners(new URL(sink.url).port);
  const openSide = async (name: string, isTroubled: boolean): Promise<Side> => {
    const url = await postgres.createDatabase(name);
    return { name, url, scene: await openScene(url, many.all), isTroubled };
  };
  const [quiet, troubled] = [await openSide('quiet', false), await openSide('troubled', true)];
  await bury(troubled, many);
  await measure(quiet, many, sink);
  const rounds: { readonly quiet: Round; readonly troubled: Round }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const order = round % 2 === 0 ? [troubled, quiet] : [quiet, troubled];
    const [first, second] = [await measure(order[0]!, many, sink), await measure(order[1]!, many, sink)];
    rounds.push(round % 2 === 0 ? { troubled: first, quiet: second } : { troubled: second, quiet: first });
  }
  sink.stop();
  for (const { scene } of [quiet, troubled]) await scene.db.close();
  await postgres.stop();

  const compare = (value: (round: Round) => number) => ({
    ours: rounds.map((round) => value(round.troubled)),
    against: rounds.map((round) => value(round.quiet)),
    is: 'without these',
  });
  return [
    beside({
      what: `Callbacks per second to the others of 10,000 listeners, 1 % of them dead, 1 % slow, one with ${show(BURIED)} waiting`,
      ...compare((round) => round.rate),
      target: { atLeast: 0.95 },
    }),
    beside({
      what: 'Callbacks per second to all 10,000 in the same time',
      ...compare((round) => round.rateOfAll),
    }),
    beside({
      what: 'Commit to arrival for these others under a steady load, p99, ms',
      ...compare((round) => round.p99Ms),
      target: { atMost: 1.5 },
    }),
  ];
}
