import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { asUser, CLIENT } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import { A, below, imei, KB, openClosingScenes, paygRule } from './closing-scene.ts';

const makeScene = await openClosingScenes();
const owner = { username: 'owner', password: 'owner-password' };
const record = (more: object = {}) => ({
  id: '1',
  kind: 'imei',
  device: imei(1),
  at: '2026-03-19T11:00:00Z',
  bytes: 3 * KB,
  ...more,
});

describe('usage with a source', () => {
  let scene: Awaited<ReturnType<typeof makeScene>>;
  beforeEach(async () => {
    scene = await makeScene({
      at: '2026-03-20T12:00:00Z',
      lines: [{ imei: imei(1), accountName: A }],
      people: { clients: [CLIENT], users: [{ ...owner, accounts: [A] }] },
    });
  });
  const feed = (source: string, records: readonly object[] = [record()]) =>
    scene.world.operator('POST', `/usage${source}`, records);

  // proves usage/sources
  it('is counted once for each source, and records without one share one', async () => {
    const outcomes = [];
    for (const source of ['', '?source=north', '?source=south', '', '?source=north', '?source=south']) {
      const { accepted, duplicates } = (await feed(source)).json();
      outcomes.push([accepted, duplicates]);
    }
    const [first, again] = [
      [1, 0],
      [0, 1],
    ];
    assert.deepEqual(outcomes, [first, first, first, again, again, again]);
    assert.equal(Number(await scene.db.value(sql`select sum(bytes) from usage_account_day`)), 9 * KB);
  });

  it('is one use of a service for each source', async () => {
    const uses = [record({ serviceName: 'fota' })];
    for (const source of ['', '?source=north', '?source=north']) await feed(source, uses);
    assert.equal(await scene.db.value(sql`select count(*)::int from service_transaction`), 2);
  });

  it('is refused if the source is no name', async () => {
    for (const source of ['?source=', '?source=a%20b', `?source=${'a'.repeat(65)}`])
      assert.equal((await feed(source)).statusCode, 400, source);
  });

  // proves usage/sources
  it('is named by its own id and its source in firings and in back-tests', async () => {
    const rule = paygRule(below(5, 'Monthly', { comparator: 'gt' }));
    await scene.write(1, rule);
    for (const source of ['?source=north', '?source=south']) await feed(source);
    const { call } = await asUser(scene.world, owner);
    const period = { from: '2026-03-01', to: '2026-03-31' };
    const tried = await call('POST', '/m2m/v2/triggers/actions/backtest', { pricePlanTrigger: rule, period });
    const fired = await scene.world.operator('GET', '/firings');
    for (const firings of [tried.json().firings, fired.json()])
      assert.deepEqual(
        firings.map(({ usageRecordId, usageRecordSource }: Record<string, unknown>) => [
          usageRecordId,
          usageRecordSource,
        ]),
        [['1', 'south']],
      );
  });
});
