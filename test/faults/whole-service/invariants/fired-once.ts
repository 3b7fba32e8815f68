import assert from 'node:assert/strict';
import { LEVELS, TENANTS } from '../tenants.ts';
import type { Firing, Outcome } from './outcome.ts';

const keyOf = ({ triggerId, subject, level, cycle }: Firing) =>
  `${triggerId} ${subject} ${level} ${cycle.from}`;

/** Every line that went beyond, and every percentage that was reached, fired once, was told once and acted upon once. */
export async function assertFiredOnce({ scene: { client }, deliveries, firings }: Outcome): Promise<void> {
  for (const { n, devices } of TENANTS) {
    const all = firings.get(n)!;
    assert.deepEqual(new Set(all.map(keyOf)).size, all.length, 'no firing twice');
    const levels = all.filter(({ kind }) => kind === 'usage').map(({ level }) => level);
    assert.deepEqual(
      levels.sort((a, b) => a - b),
      LEVELS,
      `levels that tenant ${n} reached`,
    );
    const lines = Map.groupBy(
      all.filter(({ kind }) => kind === 'pricePlan'),
      ({ triggerId }) => triggerId,
    );
    assert.deepEqual(
      [...lines.values()].map((fired) => new Set(fired.map(({ subject }) => subject)).size),
      [devices.fed.length, devices.fed.length],
      'each line, for each of two triggers',
    );
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

/** Each spell of heat raised one alert, and its end cleared it. */
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
