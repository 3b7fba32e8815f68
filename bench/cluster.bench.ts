import { createCallbackHttp } from '../src/adapters/callback-http/index.ts';
import { type BenchProfile, chooseProfiles, fleetOf } from './support/cluster-fleet.ts';
import { deliveryRate, feedRate, readCpuOf } from './support/cluster-load.ts';
import { countRoundTrips } from './support/cluster-round-trips.ts';
import { makeClusterDatabase, makePlainDatabase, openSide, type Side } from './support/cluster-scene.ts';
import { sizesOfDevices, sizesOfUsage } from './support/cluster-sizes.ts';
import { inTurns } from './support/in-turns.ts';
import { alone, beside, type Finding } from './support/report.ts';
import { roundsOr } from './support/rounds.ts';
import { startSink } from './support/start-sink.ts';
import { show } from './support/statistics.ts';

const ROUNDS = roundsOr(5);
const RECORDS = 20_000;
const CALLBACKS = 20_000;
const DEVICES_EACH = 2_500;
const PER_WORKER = 2;

interface Sides {
  readonly cluster: Side;
  readonly plain: Side;
}

type Rate = (side: Side, round: number) => Promise<number>;

/** Runs both alternately, and measures the processor time of the servers in each round. */
async function compare({ cluster, plain }: Sides, rate: Rate) {
  const spent = new Map<string, number[]>();
  const measured = async (side: Side, round: number) => {
    const before = await readCpuOf(side);
    const perSecond = await rate(side, round);
    const after = await readCpuOf(side);
    if (round > 0)
      for (const [n, { name }] of side.servers.entries())
        if (before[n] !== undefined && after[n] !== undefined)
          spent.set(name, [...(spent.get(name) ?? []), after[n] - before[n]]);
    console.error(`  ${side.servers[0]!.name}: ${show(perSecond)}/s`);
    return perSecond;
  };
  const turns = await inTurns(
    ROUNDS,
    (round) => measured(cluster, round),
    (round) => measured(plain, round),
  );
  return { turns, spent };
}

async function compareFeeds(sides: Sides, profiles: readonly BenchProfile[]): Promise<Finding[]> {
  const recordsEach = RECORDS;
  const { turns, spent } = await compare(sides, (side, round) =>
    feedRate(side, profiles, {
      recordsEach,
      devicesEach: DEVICES_EACH,
      run: `${profiles.length}p${round}`,
    }),
  );
  const name = profiles.length === 1 ? 'one profile' : `${profiles.length} profiles at once`;
  const records = recordsEach * profiles.length;
  return [
    beside({
      what: `Usage records of ${name} taken per second on a cluster, ${show(recordsEach)} of each`,
      ...turns,
      is: 'a plain server',
      target: { atLeast: 0.5 },
    }),
    ...[...spent].map(([server, ms]) =>
      alone(
        `Processor time per record of ${name}, ${server}, µs`,
        ms.map((value) => (value * 1_000) / records),
      ),
    ),
  ];
}

/**
 * Compares the service on a cluster with the service on a plain server of the same machine. LINEKEEPER_CITUS_URL is a superuser's
 * address of the coordinator, in a database that has Citus and its workers. LINEKEEPER_PLAIN_URL is the plain server's.
 */
export async function cluster(): Promise<Finding[]> {
  const { LINEKEEPER_CITUS_URL: clusterUrl, LINEKEEPER_PLAIN_URL: plainUrl } = process.env;
  if (clusterUrl === undefined || plainUrl === undefined) {
    console.error('  left out: LINEKEEPER_CITUS_URL and LINEKEEPER_PLAIN_URL name no servers to compare');
    return [];
  }
  const sink = await startSink();
  const http = createCallbackHttp({ allow: ['loopback'] });
  const places = { cluster: await makeClusterDatabase(clusterUrl), plain: await makePlainDatabase(plainUrl) };
  const profiles = await chooseProfiles(places.cluster.url, PER_WORKER);
  const fleet = fleetOf(profiles, DEVICES_EACH, sink.url);
  const sides = {
    cluster: await openSide(places.cluster, fleet),
    plain: await openSide(places.plain, fleet),
  };
  const each = CALLBACKS / profiles.length;
  const delivery = { each, sendCallback: http.send, sinkUrl: sink.url };
  const findings = [
    ...(await sizesOfDevices(sides.plain)),
    ...(await countRoundTrips(sides.cluster, profiles[0]!, sink.url)),
    ...(await compareFeeds(sides, profiles)),
    ...(await compareFeeds(sides, profiles.slice(0, 1))),
    ...(await sizesOfUsage(sides.plain)),
  ];
  const callbacks = await compare(sides, (side) => deliveryRate(side, profiles, delivery));
  findings.push(
    beside({
      what: `Callbacks of ${profiles.length} profiles delivered and recorded per second on a cluster`,
      ...callbacks.turns,
      is: 'a plain server',
      target: { atLeast: 0.5 },
    }),
    ...[...callbacks.spent].map(([server, ms]) =>
      alone(
        `Processor time per callback, ${server}, µs`,
        ms.map((value) => (value * 1_000) / CALLBACKS),
      ),
    ),
  );
  await sides.cluster.stop();
  await sides.plain.stop();
  await http.close();
  sink.stop();
  return findings;
}
