import assert from 'node:assert/strict';
import { LEVELS, PRICE_PLAN_TRIGGERS, TENANTS, type Tenant, triggerOfLevel } from '../tenants.ts';
import { deviceOf } from './nothing-lost.ts';
import type { Firing, Outcome } from './outcome.ts';

const keyOf = ({ triggerId, subject, level, cycle }: Firing) =>
  `${triggerId} ${subject} ${level} ${cycle.from}`;

/** Each trigger fired for each of its lines as often as its cycles require, and took exactly its actions. */
function assertTriggers({ n, devices }: Tenant, firings: readonly Firing[], { deliveries }: Outcome): void {
  const fired = firings.filter(({ kind }) => kind === 'pricePlan');
  const found = Map.groupBy(fired, ({ level }) => triggerOfLevel(level)?.name);
  for (const { name, group, times, actions } of PRICE_PLAN_TRIGGERS) {
    const mine = found.get(name) ?? [];
    const lines = new Set(mine.map(({ subject }) => subject)).size;
    const count = devices[group].length;
    assert.deepEqual(
      [lines, mine.length],
      [count, count * times],
      `lines of '${name}' of tenant ${n}, firings`,
    );
    for (const firing of mine)
      assert.deepEqual(
        firing.actions.map(({ state, requestIds }) => [state, requestIds.length]),
        Array(actions).fill(['done', 1]),
        `what firing ${firing.firingId} of '${name}' did`,
      );
    if (actions === 0) continue;
    // One request suspends the lines that crossed the threshold together.
    const requestIds = new Set(
      mine.flatMap((firing) => firing.actions.flatMap((action) => action.requestIds)),
    );
    const told = [...requestIds].flatMap((requestId) => deliveries.get(requestId) ?? []);
    assert.deepEqual(
      told.map(deviceOf).sort(),
      [...devices[group]].sort(),
      `what '${name}' did, to each line once`,
    );
  }
  assert.deepEqual(found.get(undefined) ?? [], [], 'nothing else fired');
}

/** Every line above a threshold and every percentage reached fired once, with one notification and its actions once. */
export async function assertFiredOnce(outcome: Outcome): Promise<void> {
  const { deliveries, firings } = outcome;
  const { client } = outcome.scene;
  for (const tenant of TENANTS) {
    const { n, devices } = tenant;
    const all = firings.get(n)!;
    assert.deepEqual(new Set(all.map(keyOf)).size, all.length, 'no firing twice');
    const uses = all.filter(({ kind }) => kind === 'usage');
    const levels = uses.map(({ level }) => level);
    assert.deepEqual(
      levels.sort((a, b) => a - b),
      LEVELS,
      `levels that tenant ${n} reached`,
    );
    assert.ok(
      uses.every(({ actions }) => actions.length === 0),
      'no percentage does anything',
    );
    assertTriggers(tenant, all, outcome);
    for (const { firingId, kind } of all)
      assert.deepEqual(
        deliveries.get(firingId)?.map(({ serviceName }) => serviceName),
        [kind === 'usage' ? 'Location' : 'AlertService'],
        `what firing ${firingId} told`,
      );
    for (const imei of devices.fed) {
      const { json } = await client.operator({ method: 'GET', path: `/operator/v1/devices/imei/${imei}` });
      assert.equal(json.state, 'suspend', `${imei} was suspended by its trigger`);
    }
  }
}

/** Each hot period raised one alert, and its end cleared it. */
export async function assertAlertsOnce({ scene: { client }, diary }: Outcome): Promise<void> {
  for (const tenant of TENANTS) {
    const counts = { raised: 0, cleared: 0 };
    let page: string | undefined;
    do {
      const answer = await client.asUser(tenant, {
        method: 'POST',
        path: '/dm/v1/smartAlerts/actions/query',
        body: { accountname: tenant.accountName, ...(page !== undefined && { filter: { $page: page } }) },
      });
      for (const { state } of answer.json as { state: 'raised' | 'cleared' }[]) counts[state]++;
      page = answer.headers.get('x-next') ?? undefined;
    } while (page !== undefined);
    const readings = tenant.devices.watched.map((device) => diary.readings.get(device) ?? 0);
    const sum = (of: (n: number) => number) => readings.reduce((total, n) => total + of(n), 0);
    assert.deepEqual(
      counts,
      { raised: sum((n) => n % 2), cleared: sum((n) => Math.floor(n / 2)) },
      `smart alerts of tenant ${tenant.n}`,
    );
  }
}
