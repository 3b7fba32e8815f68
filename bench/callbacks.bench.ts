import { createCallbackHttp } from '../src/adapters/callback-http/index.ts';
import { minus, readCounts, run, type ServerCounts, startBenchPostgres } from './support/bench-postgres.ts';
import { makeListeners, openScene } from './support/callback-scene.ts';
import type { Contender } from './support/contenders/contender.ts';
import { graphileWorker } from './support/contenders/graphile-worker.ts';
import { linekeeper } from './support/contenders/linekeeper.ts';
import { sendWithoutDatabase } from './support/contenders/no-database.ts';
import { pgBoss } from './support/contenders/pg-boss.ts';
import { createUndiciSender } from './support/contenders/undici-sender.ts';
import { readCpuMs } from './support/cpu-time.ts';
import { makeMessages, prepareListeners } from './support/prepared-listeners.ts';
import { alone, beside, type Finding, type Target } from './support/report.ts';
import { roundsOr } from './support/rounds.ts';
import { startSink } from './support/start-sink.ts';
import { show } from './support/statistics.ts';

const ROUNDS = roundsOr(5);
const CALLBACKS = 20_000;
const LANES = 10;
/** The peers send through undici. With this setting they send through our sender. */
const IS_OUR_SENDER_FOR_ALL = process.env['BENCH_SENDER'] === 'ours';

/** One round of one contender: callbacks per second, and the server's work for each callback. */
interface Round {
  readonly rate: number;
  readonly delivering: ServerCounts;
  /** From posting until all messages are done. */
  readonly walBytesInAll: number;
  readonly cpuMicros: number | undefined;
}

async function measure(contender: Contender, serverPid: number): Promise<Round> {
  const url = contender.databaseUrl;
  const before = await readCounts(url);
  await contender.post(CALLBACKS);
  const posted = await readCounts(url);
  await run(url, 'vacuum analyze');
  const ready = await readCounts(url);
  const cpuBefore = readCpuMs(serverPid);
  const seconds = await contender.deliver(CALLBACKS);
  const cpuAfter = readCpuMs(serverPid);
  const delivering = minus(await readCounts(url), ready);
  return {
    rate: CALLBACKS / seconds,
    delivering: {
      commits: delivering.commits / CALLBACKS,
      statements: delivering.statements / CALLBACKS,
      walBytes: delivering.walBytes / CALLBACKS,
    },
    walBytesInAll: (delivering.walBytes + minus(posted, before).walBytes) / CALLBACKS,
    cpuMicros:
      cpuBefore === undefined || cpuAfter === undefined
        ? undefined
        : ((cpuAfter - cpuBefore) * 1_000) / CALLBACKS,
  };
}

/** Delivery of a backlog, compared with two other queues on PostgreSQL, and with the same POSTs without a database. */
export async function callbacks(): Promise<Finding[]> {
  const postgres = await startBenchPostgres();
  const sink = await startSink();
  const http = createCallbackHttp({ allow: ['loopback'] });
  const listeners = makeListeners(LANES, (n) => `${sink.url}/${n}`);
  const scene = await openScene(await postgres.createDatabase('linekeeper_bench'), listeners);
  const undici = createUndiciSender(sink.url);
  const ownSending = { send: http.send, listeners: prepareListeners(scene.ctx, listeners) };
  const sending = IS_OUR_SENDER_FOR_ALL ? ownSending : { ...ownSending, send: undici.send };
  const messages = (count: number) => makeMessages(count, LANES);
  const ours = linekeeper(scene, http.send);
  const graphile = await graphileWorker(await postgres.createDatabase('graphile_bench'), sending, messages);
  const boss = await pgBoss(await postgres.createDatabase('boss_bench'), sending, messages);
  const contenders = [ours, graphile, boss];

  const rounds = new Map<Contender, Round[]>(contenders.map((contender) => [contender, []]));
  const ceilings: number[] = [];
  // Round 0 warms up and is not counted. Each round begins with a different contender.
  for (let round = 0; round <= ROUNDS; round++) {
    const ceiling = await sendWithoutDatabase(ownSending, messages(CALLBACKS));
    if (round > 0) ceilings.push(ceiling);
    for (let turn = 0; turn < contenders.length; turn++) {
      const contender = contenders[(round + turn) % contenders.length]!;
      const measured = await measure(contender, postgres.pid);
      console.error(`  ${contender.name}: ${show(measured.rate)}/s (${show(ceiling)}/s without a database)`);
      if (round > 0) rounds.get(contender)!.push(measured);
    }
  }
  for (const contender of contenders) await contender.stop();
  await http.close();
  await undici.close();
  sink.stop();
  await postgres.stop();
  return findings(
    rounds.get(ours)!,
    [
      [graphile.name, rounds.get(graphile)!],
      [boss.name, rounds.get(boss)!],
    ],
    ceilings,
  );
}

function findings(
  ours: readonly Round[],
  peers: readonly (readonly [string, readonly Round[]])[],
  ceilings: readonly number[],
): Finding[] {
  const eachPeer = (
    what: string,
    value: (round: Round) => number,
    limits: readonly Target[] = [],
  ): Finding[] =>
    peers.map(([name, rounds], n) =>
      beside({
        what,
        ours: ours.map(value),
        against: rounds.map(value),
        is: name,
        ...(limits[n] && { target: limits[n] }),
      }),
    );
  const rates = ours.map(({ rate }) => rate);
  const better = ours.map((_, n) =>
    peers.map(([, rounds]) => rounds[n]!).reduce((best, other) => (other.rate > best.rate ? other : best)),
  );
  const cpuOf = ({ cpuMicros = Number.NaN }: Round) => cpuMicros;
  const cpu = 'Processor time per callback, of the worker and PostgreSQL, µs';
  const measuresCpu = [ours, ...peers.map(([, rounds]) => rounds)].flat().every((round) => round.cpuMicros);
  return [
    beside({
      what: 'Callbacks delivered and recorded per second',
      ours: rates,
      against: better.map(({ rate }) => rate),
      is: 'the better peer of each round',
      target: { atLeast: 1.25 },
    }),
    ...eachPeer('Callbacks delivered and recorded per second', ({ rate }) => rate),
    beside({
      what: 'Callbacks delivered and recorded per second',
      ours: rates,
      against: ceilings,
      is: 'the same POSTs without a database',
      target: { atLeast: 0.5 },
    }),
    ...(measuresCpu
      ? [
          beside({
            what: cpu,
            ours: ours.map(cpuOf),
            against: better.map(cpuOf),
            is: 'the better peer of each round',
            target: { atMost: 0.65 },
          }),
          ...eachPeer(cpu, cpuOf),
        ]
      : []),
    alone(
      'Commits per delivered callback',
      ours.map(({ delivering }) => delivering.commits),
      { atMost: 0.05 },
    ),
    alone(
      'Statements per delivered callback',
      ours.map(({ delivering }) => delivering.statements),
      { atMost: 0.2 },
    ),
    ...eachPeer(
      'Write-ahead log per callback while it is delivered, bytes',
      ({ delivering }) => delivering.walBytes,
      [{ atMost: 0.4 }, { atMost: 0.25 }],
    ),
    ...eachPeer('Write-ahead log per callback with posting it, bytes', ({ walBytesInAll }) => walBytesInAll),
  ];
}
