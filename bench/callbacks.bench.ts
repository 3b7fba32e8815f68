import { createCallbackHttp } from '../src/adapters/callback-http/index.ts';
import { minus, readCounts, run, type ServerCounts, startBenchPostgres } from './support/bench-postgres.ts';
import { makeListeners, openScene } from './support/callback-scene.ts';
import type { Contender } from './support/contenders/contender.ts';
import { graphileWorker } from './support/contenders/graphile-worker.ts';
import { linekeeper } from './support/contenders/linekeeper.ts';
import { sendWithoutDatabase } from './support/contenders/no-database.ts';
import { pgBoss } from './support/contenders/pg-boss.ts';
import { readCpuMs } from './support/cpu-time.ts';
import { makeMessages, prepareListeners } from './support/prepared-listeners.ts';
import type { Finding } from './support/report.ts';
import { startSink } from './support/start-sink.ts';
import { median, show, spread } from './support/statistics.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const CALLBACKS = 20_000;
const LANES = 10;

/** One contender's round: callbacks a second, and what the server did for each callback. */
interface Round {
  readonly rate: number;
  readonly delivering: ServerCounts;
  /** From posting to the end. */
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

/** Delivery of a backlog beside two other queues on PostgreSQL, and beside the same POSTs without a database. */
export async function callbacks(): Promise<Finding[]> {
  const postgres = await startBenchPostgres();
  const sink = await startSink();
  const http = createCallbackHttp({ allow: ['loopback'] });
  const listeners = makeListeners(LANES, (n) => `${sink.url}/${n}`);
  const scene = await openScene(await postgres.createDatabase('linekeeper_bench'), listeners);
  const sending = { send: http.send, listeners: prepareListeners(scene.ctx, listeners) };
  const messages = (count: number) => makeMessages(count, LANES);
  const ours = linekeeper(scene, http.send);
  const graphile = await graphileWorker(await postgres.createDatabase('graphile_bench'), sending, messages);
  const boss = await pgBoss(await postgres.createDatabase('boss_bench'), sending, messages);
  const contenders = [ours, graphile, boss];

  const rounds = new Map<Contender, Round[]>(contenders.map((contender) => [contender, []]));
  const ceilings: number[] = [];
  // Round 0 warms up and is not counted. Every round begins with another contender.
  for (let round = 0; round <= ROUNDS; round++) {
    const ceiling = await sendWithoutDatabase(sending, messages(CALLBACKS));
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
  const of = (rounds: readonly Round[], value: (round: Round) => number) => median(rounds.map(value));
  const beside = (value: (round: Round) => number) =>
    peers.map(([name, rounds]) => `${show(of(rounds, value))} (${name})`).join(', ');
  const besidePeers = ours.map(
    ({ rate }, n) => rate / Math.max(...peers.map(([, rounds]) => rounds[n]!.rate)),
  );
  const besideCeiling = ours.map(({ rate }, n) => rate / ceilings[n]!);
  const atMost = (what: string, value: (round: Round) => number, limit: number): Finding => ({
    what,
    ours: show(of(ours, value)),
    against: beside(value),
    ratio: '',
    target: `at most ${limit}`,
    met: of(ours, value) <= limit,
  });
  const walOf = (rounds: readonly Round[]) => of(rounds, ({ delivering }) => delivering.walBytes);
  const shares = peers.map(([, rounds]) => walOf(ours) / walOf(rounds));
  const sharesInAll = peers.map(
    ([, rounds]) =>
      of(ours, ({ walBytesInAll }) => walBytesInAll) / of(rounds, ({ walBytesInAll }) => walBytesInAll),
  );
  const besideBoth = (values: readonly number[]) => values.map(show).join(' and ');
  const rates = ours.map(({ rate }) => rate);
  return [
    {
      what: 'Callbacks delivered and recorded per second, beside the better peer of each round',
      ours: `${show(median(rates))} (${spread(rates)})`,
      against: beside(({ rate }) => rate),
      ratio: `${show(median(besidePeers))} (${spread(besidePeers)})`,
      target: 'at least 1.15',
      met: median(besidePeers) >= 1.15,
    },
    {
      what: 'The same, beside the same POSTs without a database',
      ours: show(median(rates)),
      against: `${show(median(ceilings))} (${spread(ceilings)})`,
      ratio: `${show(median(besideCeiling))} (${spread(besideCeiling)})`,
      target: 'at least 0.5',
      met: median(besideCeiling) >= 0.5,
    },
    ...(ours.some(({ cpuMicros }) => cpuMicros === undefined)
      ? []
      : [
          {
            what: 'Processor time per callback, of the worker and PostgreSQL, µs',
            ours: show(of(ours, ({ cpuMicros }) => cpuMicros!)),
            against: beside(({ cpuMicros }) => cpuMicros!),
            ratio: besideBoth(
              peers.map(
                ([, rounds]) =>
                  of(ours, ({ cpuMicros }) => cpuMicros!) / of(rounds, ({ cpuMicros }) => cpuMicros!),
              ),
            ),
            target: '',
            met: undefined,
          },
        ]),
    atMost('Commits per delivered callback', ({ delivering }) => delivering.commits, 0.05),
    atMost('Statements per delivered callback', ({ delivering }) => delivering.statements, 0.2),
    {
      what: 'Write-ahead log per callback while it is delivered, bytes',
      ours: show(walOf(ours)),
      against: beside(({ delivering }) => delivering.walBytes),
      ratio: besideBoth(shares),
      target: 'at most 0.4 and 0.25',
      met: shares[0]! <= 0.4 && shares[1]! <= 0.25,
    },
    {
      what: 'Write-ahead log per callback with posting it, bytes',
      ours: show(of(ours, ({ walBytesInAll }) => walBytesInAll)),
      against: beside(({ walBytesInAll }) => walBytesInAll),
      ratio: besideBoth(sharesInAll),
      target: '',
      met: undefined,
    },
  ];
}
