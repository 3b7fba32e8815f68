import { createOsmoHlr } from '../src/adapters/osmo-hlr/index.ts';
import type { LineOrder, NetworkElement } from '../src/features/network/index.ts';
import { imsiOf, msisdnOf, ordersFor, unstopped } from '../test/network/support/lines.ts';
import { type Register, registerIsMissing, startRegister } from '../test/network/support/register.ts';
import { runBare } from './support/bare-control.ts';
import { startBenchPostgres } from './support/bench-postgres.ts';
import { makeListeners, openScene } from './support/callback-scene.ts';
import { inTurns } from './support/in-turns.ts';
import { carryOutWaiting, startSilentRegister } from './support/order-scene.ts';
import { alone, beside, type Finding } from './support/report.ts';
import { roundsOr } from './support/rounds.ts';
import { show } from './support/statistics.ts';

const ROUNDS = roundsOr(5);
const LINES = 100_000;
const ORDERS = 2_000;
/** More orders, so that the start of the engine hardly counts. */
const ENGINE_ORDERS = 20_000;

const wantedIn = (round: number) => (round % 2 === 0 ? 'suspended' : 'active');
const inBatches = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));

/** Orders per second. Each changes both services of its line. */
async function carryOutAll(element: NetworkElement, orders: readonly LineOrder[]): Promise<number> {
  const startedAt = performance.now();
  for (const batch of inBatches(orders, element.batchMax)) {
    const outcomes = await element.carryOut(batch, unstopped());
    const failed = outcomes.find(({ outcome }) => outcome !== 'done');
    if (failed !== undefined) throw new Error(JSON.stringify(failed));
  }
  return orders.length / ((performance.now() - startedAt) / 1_000);
}

async function readAll(element: NetworkElement): Promise<number> {
  const lines = Array.from({ length: LINES }, (_, n) => ({ imsi: imsiOf(n) }));
  const startedAt = performance.now();
  for (const batch of inBatches(lines, element.batchMax)) {
    const truths = await element.read!(batch, unstopped());
    if (truths.some((truth) => truth === undefined || truth.state === 'unknown'))
      throw new Error('a line was not read');
  }
  return (performance.now() - startedAt) / 1_000;
}

const switchesOf = (from: number, count: number, round: number) =>
  ordersFor(from, from + count, wantedIn(round)).flatMap(({ imsi }) =>
    ['ps-enabled', 'cs-enabled'].map(
      (name) => `SET subscriber.by-imsi-${imsi}.${name} ${wantedIn(round) === 'active' ? 1 : 0}`,
    ),
  );

/** The adapter and the bare loop change different lines: on the same ones the second would change nothing. */
function measureOrders(element: NetworkElement, { address }: Register) {
  return inTurns(
    ROUNDS,
    (round) => carryOutAll(element, ordersFor(0, ORDERS, wantedIn(round))),
    async (round) => ORDERS / (await runBare(address, switchesOf(ORDERS, ORDERS, round))),
  );
}

function measureReads(element: NetworkElement, { address }: Register) {
  const reads = Array.from({ length: LINES }, (_, n) => `GET subscriber.by-imsi-${imsiOf(n)}.info`);
  return inTurns(
    ROUNDS,
    () => readAll(element),
    () => runBare(address, reads),
  );
}

/** Measures orders as the service handles them: read from the database, carried out and recorded there. */
async function measureEngine({ address: alive }: Register) {
  const postgres = await startBenchPostgres();
  const silent = await startSilentRegister();
  const scene = await openScene(
    await postgres.createDatabase('orders_bench'),
    makeListeners(1, () => 'http://127.0.0.1:9/'),
  );
  const [first, second, third, fourth] = [1, 2, 3, 4].map((n) => n * ENGINE_ORDERS) as [
    number,
    number,
    number,
    number,
  ];
  const carryOut = (from: number, round: number, dead?: string) =>
    carryOutWaiting(scene, { from, count: ENGINE_ORDERS, wanted: wantedIn(round) }, { alive, dead });
  try {
    return {
      orders: await inTurns(
        ROUNDS,
        (round) => carryOut(first, round),
        async (round) => ENGINE_ORDERS / (await runBare(alive, switchesOf(second, ENGINE_ORDERS, round))),
      ),
      besideDead: await inTurns(
        ROUNDS,
        (round) => carryOut(third, round, silent.address),
        (round) => carryOut(fourth, round),
      ),
    };
  } finally {
    silent.stop();
    await scene.db.close();
    await postgres.stop();
  }
}

/** Compares the adapter with a minimal client on a real register with many lines. */
export async function network(): Promise<Finding[]> {
  if (registerIsMissing) throw new Error(registerIsMissing);
  const register = await startRegister();
  const element = createOsmoHlr({ name: 'bench', address: register.address, answerMs: 60_000 });
  try {
    await register.kill();
    register.seed(Array.from({ length: LINES }, (_, n) => ({ imsi: imsiOf(n), msisdn: msisdnOf(n) })));
    await register.start();
    const orders = await measureOrders(element, register);
    const engine = await measureEngine(register);
    const reads = await measureReads(element, register);
    return [
      beside({
        what: `Orders carried out per second by a register of ${show(LINES)} lines, through the adapter alone`,
        ...orders,
        is: 'a bare loop over the control interface',
        target: { atLeast: 0.8 },
      }),
      beside({
        what: `Orders carried out and recorded per second by the service with a register of ${show(LINES)} lines`,
        ...engine.orders,
        is: 'a bare loop over the control interface',
        target: { atLeast: 0.8 },
      }),
      beside({
        what: 'Orders carried out and recorded per second for a register while another one never answers',
        ...engine.besideDead,
        is: 'that one alone',
        target: { atLeast: 0.95 },
      }),
      beside({
        what: `Seconds to read ${show(LINES)} lines from the register, through the adapter alone`,
        ...reads,
        is: 'bare reads',
        target: { atMost: 3 },
      }),
      alone(
        'Lines read from the register per second',
        reads.ours.map((seconds) => LINES / seconds),
      ),
    ];
  } finally {
    await element.close();
    await register.remove();
  }
}
