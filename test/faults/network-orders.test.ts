import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { openElements } from '../../src/app/network/network-elements.ts';
import { parseSettings } from '../../src/platform/config/settings.ts';
import { generateSecretKey } from '../../src/platform/crypto/secret-box.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { eachRound, faultMoments, faultRounds, TOO_LATE } from '../support/fault-mode.ts';
import { ACCOUNT, asUser, SMALL_FLEET } from '../support/fleet.ts';
import { openListener } from '../support/listener.ts';
import { openCrew, until } from '../support/service-crew.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { makeWorld, OPERATOR_KEY } from '../support/world.ts';
import { killForGood } from './support/kill-for-good.ts';
import { checkSequence, openLedger, THERE } from './support/ordered-lines.ts';
import { startProvisioningSystem } from './support/provisioning-system.ts';

const ROUNDS = faultRounds(2);
const LINES = 60;
/** Lines with one request each, and lines with three conflicting requests. */
const CALM = 24;
const CONTESTED = 8;
/** The process is dead at most this many orders after a system may work again. */
const NTH_MAX = 4;
const moments = faultMoments('network-orders');

const imei = (n: number) => `9966000000${String(n).padStart(5, '0')}`;
const imsi = (n: number) => `31148000000${String(n).padStart(4, '0')}`;

let service: ServiceProcess | undefined;
async function confirm(orderId: string): Promise<boolean> {
  const answer = await fetch(`${service?.url}/operator/v1/network/orders/${orderId}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${OPERATOR_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ outcome: 'done' }),
    signal: AbortSignal.timeout(10_000),
  }).catch(() => undefined);
  await answer?.arrayBuffer().catch(() => undefined);
  return answer?.status === 200;
}
const isEven = (text: string) => Number.parseInt(text.at(-1)!, 16) % 2 === 0;
const systems = {
  register: await startProvisioningSystem({ isLater: () => false, confirm }),
  // It confirms about half of its orders later.
  bss: await startProvisioningSystem({ isLater: ({ orderId }) => isEven(orderId), confirm }),
};

const all = Object.values(systems);

const folder = mkdtempSync(join(tmpdir(), 'linekeeper-orders-'));
after(() => rmSync(folder, { recursive: true }));
const networkFile = join(folder, 'network.json');
const settings = { kind: 'http', secret: 'whsec_c2VjcmV0', timeoutMs: 10_000 };
writeFileSync(
  networkFile,
  JSON.stringify({
    elements: [
      { ...settings, name: 'register', url: systems.register.url },
      // Two of them act on half of the lines each.
      { ...settings, name: 'bss', url: systems.bss.url, imsi: [`${imsi(LINES / 2)}-${imsi(LINES - 1)}`] },
    ],
  }),
);
const servedBy = (n: number) => (n < LINES / 2 ? [systems.register] : [systems.register, systems.bss]);

const secretKey = generateSecretKey();
// Without an access server, which would query sessions.
const noSessions = { db: undefined as never };
const elements = openElements(parseSettings({ LINEKEEPER_NETWORK: networkFile }).network, noSessions)!;
const world = await makeWorld({ secretKey, elements });
const ledger = openLedger(world);
await world.import({
  ...SMALL_FLEET,
  plans: [...SMALL_FLEET.plans, { code: 'P-50MB', name: '50 MB', kind: 'payAsYouGo' }],
  devices: Array.from({ length: LINES }, (_, n) => ({
    ...{ accountName: ACCOUNT, imei: imei(n), imsi: imsi(n), servicePlan: 'P-5MB' },
  })),
});
const crew = openCrew(world, secretKey, { LINEKEEPER_ROLE: 'all', LINEKEEPER_NETWORK: networkFile });
const start = async () => {
  [service] = await crew.have(1);
  return service!;
};

async function ask(action: string, lines: readonly number[], more: object = {}): Promise<string> {
  const devices = lines.map((n) => ({ deviceIds: [{ id: imei(n), kind: 'imei' }] }));
  const body = { accountName: ACCOUNT, devices, ...more };
  const answer = await (await asUser(world)).call('POST', `/m2m/v1/devices/actions/${action}`, body);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json().requestId;
}

/** The requests of a round, and the final state of its calm lines. */
async function askAll(states: readonly string[]) {
  const drawn = moments.shuffle(Array.from({ length: LINES }, (_, n) => n));
  const calm = drawn.slice(0, CALM);
  const contested = drawn.slice(CALM, CALM + CONTESTED);
  const wanted = new Map(calm.map((n) => [n, states[n] === 'active' ? 'suspend' : 'active']));
  const of = (state: string) => calm.filter((n) => wanted.get(n) === state);
  const asked = [
    ...(of('suspend').length > 0 ? [await ask('suspend', of('suspend'))] : []),
    ...(of('active').length > 0 ? [await ask('restore', of('active'))] : []),
  ];
  const others: string[] = [];
  for (const action of moments.shuffle(['suspend', 'restore', 'plan']))
    others.push(await ask(action, contested, action === 'plan' ? { servicePlan: 'P-50MB' } : {}));
  return { wanted, asked, others };
}

/** Moments between an order, its execution and its confirmation, one for each kill. */
const MOMENTS = [
  ['ordered', 'carried out', 'answered'],
  ['carried out', 'answered'],
  ['recorded', 'told'],
] as const;

/** Kills the process at such a moment. False if all was done before. */
async function killAt(
  moment: (typeof MOMENTS)[number][number],
  nth: number,
  requestIds: readonly string[],
  running: ServiceProcess,
): Promise<boolean> {
  const run = () => void running.child.kill('SIGKILL');
  const system = moments.pick(all);
  if (moment === 'carried out') system.intercept({ when: 'before', nth, run });
  if (moment === 'answered') system.intercept({ when: 'behind', nth, run });
  const before = await ledger.progress(requestIds);
  if (moment !== 'ordered') for (const each of all) each.open();
  let isOver = false;
  const isReached = async () => {
    if (running.child.killed) return true;
    const now = await ledger.progress(requestIds);
    if (moment === 'ordered' && now.ordered > 0) return true;
    if (moment === 'recorded' && now.recorded > before.recorded) return true;
    if (moment === 'told' && now.told > before.told) return true;
    isOver = (await ledger.countOpen(requestIds)) === 0;
    return isOver;
  };
  await until('neither the moment nor the end came', isReached, { seconds: 120, everyMs: 2 });
  await killForGood(world, running);
  for (const each of all) {
    each.close();
    each.intercept(undefined);
  }
  return !isOver;
}

/** What must hold when everything has ended. */
async function checkAll({ wanted, asked, others }: Awaited<ReturnType<typeof askAll>>): Promise<void> {
  for (const { requestId, status, devices, told, devicesTold } of await ledger.listRequests([
    ...asked,
    ...others,
  ])) {
    assert.deepEqual([told, devicesTold], [devices, devices], `each device of ${requestId} is told of once`);
    if (asked.includes(requestId)) assert.equal(status, 'Success', requestId);
    else assert.notEqual(status, 'Pending', requestId);
  }
  const orders = await ledger.listOrders();
  for (const [name, system] of Object.entries(systems)) checkSequence(name, system, orders);
  const lines = await ledger.listLines();
  for (const [n, state] of wanted) assert.equal(lines[n]?.state, state, `line ${n}`);
  for (const [n, { state, plan }] of lines.entries())
    for (const system of servedBy(n))
      assert.deepEqual(
        system.lines.get(imsi(n)),
        { wanted: THERE[state], ...(state === 'active' && { plan }) },
        `line ${n} is ${state} here\n${await ledger.tellOfLine(imsi(n))}`,
      );
  assert.deepEqual(await world.ctx.db.many(sql`select * from network_difference`), []);
}

describe('orders to the network', () => {
  it(`are all done in sequence, confirmed and reported, even if the service is killed repeatedly, ${ROUNDS} times`, async (t: TestContext) => {
    const listener = await openListener();
    const { call } = await asUser(world);
    await call('POST', `/m2m/v1/callbacks/${ACCOUNT}`, { name: 'CarrierService', url: listener.url });
    await eachRound(t, ROUNDS, async (own) => {
      await start();
      await ledger.untilNothingIsOrdered([]);
      for (const system of all) system.close();
      const round = await askAll((await ledger.listLines()).map(({ state }) => state));
      const requestIds = [...round.asked, ...round.others];
      let hits = 0;
      for (const some of MOMENTS) {
        const [moment, nth] = [moments.pick(some), moments.between(1, NTH_MAX)];
        const isHit = await killAt(moment, nth, requestIds, await start());
        if (isHit) hits++;
        own.diagnostic(isHit ? `killed when something was ${moment}` : 'killed when all was done');
      }
      for (const system of all) system.open();
      await start();
      await ledger.untilNothingIsOrdered(requestIds);
      const messages = await ledger.listMessages(requestIds);
      await until('callbacks are not heard', () => {
        const heard = new Set(listener.heard.map(({ headers }) => String(headers['webhook-id'])));
        return messages.every((id) => heard.has(id));
      });
      await checkAll(round);
      if (hits === 0) return TOO_LATE;
    });
  });
});
