import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { randomFor } from '../../../../test/support/seeded-random.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { signIn } from './scene.ts';

const world = await makeWorld();
const random = randomFor('figures that agree');
const PLANS = ['P-1', 'P-2', 'P-3'];
const STATES = ['active', 'suspend', 'pre-active', 'deactive'];
const drawn = Array.from({ length: 120 }, (_, n) => ({
  accountName: ACCOUNT,
  kind: random.pick(['device', 'device', 'gateway', 'sensor']),
  mac: `AA:00:00:00:${(n >> 8).toString(16).padStart(2, '0')}:${(n & 255).toString(16).padStart(2, '0')}`.toUpperCase(),
  state: random.pick(STATES),
  ...(random.next() < 0.8 && { servicePlan: random.pick(PLANS) }),
}));
await world.import({
  ...SMALL_FLEET,
  accounts: SMALL_FLEET.accounts.map((one) =>
    one.accountName === ACCOUNT ? { ...one, currency: 'EUR' } : one,
  ),
  plans: [
    ...SMALL_FLEET.plans,
    ...PLANS.map((code) => ({ code, name: code, kind: 'payAsYouGo', allowanceBytes: 1_000 })),
  ],
  devices: drawn,
});
const operator = await signIn(world);
const read = async (path: string) => {
  const answer = await operator.get(path);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
};
const at = (path: string) => `/accounts/${ACCOUNT}${path}`;

/** The slow and obvious way: one by one, as the document has them. */
const lines = drawn.filter(({ kind }) => kind !== 'sensor');
const activeOn = (plan?: string) =>
  lines.filter((one) => one.state === 'active' && (plan === undefined || one.servicePlan === plan)).length;

describe('figures of the console', () => {
  it('mean the same by an active line, whoever counts them', async () => {
    const overview = await read(at('/overview/usage'));
    const counted = (state: string) =>
      overview.states.find((one: { state: string }) => one.state === state)?.devices ?? 0;
    for (const state of STATES)
      assert.equal(counted(state), lines.filter((one) => one.state === state).length, state);
    const { accounts } = await read('/accounts?usage=true');
    const own = accounts.find((one: { accountName: string }) => one.accountName === ACCOUNT);
    assert.equal(own.usage.activeLines, activeOn());
    assert.equal(own.usage.allowanceBytes, overview.allowanceBytes);
    assert.equal((await read(at('/device-count?state=active'))).count, activeOn());
    for (const { planCode, lines: some } of overview.plans) {
      assert.equal(some, activeOn(planCode), planCode);
      assert.equal((await read(at(`/device-count?state=active&plan=${planCode}`))).count, some);
    }
  });

  it('have a period of any length beside the one before it, without a gap', async () => {
    for (const [id, day] of [
      ['in', '2026-01-02'],
      ['before', '2025-12-26'],
      ['out', '2025-12-20'],
    ])
      await world.operator('POST', '/usage', {
        ...{ id, kind: 'mac', device: drawn[0]!.mac, at: `${day}T12:00:00Z`, bytes: 10 },
      });
    const { days, before } = await read(at('/overview/usage?days=7'));
    const named = [...before, ...days].map(({ day }: { day: string }) => day);
    assert.deepEqual([named.length, named[0], named.at(-1)], [14, '2025-12-23', '2026-01-05']);
    assert.deepEqual([...new Set(named)].sort(), named);
    const sum = (some: { bytes: number }[]) => some.reduce((all, { bytes }) => all + bytes, 0);
    assert.deepEqual([sum(days), sum(before)], [10, 10]);
    const fired = await read(at('/overview/firings?days=30'));
    assert.deepEqual([fired.days.length, fired.before.length], [30, 30]);
    assert.equal((await operator.get(at('/overview/usage?days=367'))).statusCode, 400);
  });

  it('say in which currency amounts are, also where the fleet document did not', async () => {
    assert.equal((await read(at('/billing'))).currency, 'EUR');
    assert.equal((await read(at('/billing/2026-01'))).currency, 'EUR');
    const other = SMALL_FLEET.accounts.find(({ accountName }) => accountName !== ACCOUNT)!.accountName;
    assert.equal((await read(`/accounts/${other}/billing`)).currency, 'USD');
    const exported = (await world.operator('GET', '/export')).json().accounts;
    const currencyOf = (name: string) =>
      exported.find((one: { accountName: string }) => one.accountName === name).currency;
    assert.deepEqual([currencyOf(ACCOUNT), currencyOf(other)], ['EUR', 'USD']);
    // What a later document leaves out stays.
    await world.import({ accounts: [{ accountName: ACCOUNT, billCycleDay: 2 }] });
    assert.equal((await read(at('/billing'))).currency, 'EUR');
    const refused = await world.operator('POST', '/import', {
      accounts: [{ accountName: ACCOUNT, currency: 'euro' }],
    });
    assert.deepEqual([refused.statusCode, refused.json().errors[0].pointer], [422, '/accounts/0/currency']);
  });
});
