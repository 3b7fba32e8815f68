import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asUser, CLIENT } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import { A, ALLOWANCE, B, below, ECPD, imei, KB, openClosingScenes, paygRule } from './closing-scene.ts';

const makeClosingScene = await openClosingScenes();

const OWNER = { username: 'owner', password: 'owner-password' };
const PERIOD = { from: '2026-03-01', to: '2026-03-31' };
const LINES = [1, 2, 3, 4].map((n) => ({ imei: imei(n), accountName: n < 3 ? A : B }));
const BEYOND = paygRule(below(4, 'Monthly', { comparator: 'gt' }), [A, B]);
const HALF_OF_POOL = {
  accountGroupShare: {
    accountGroupSharePool: {
      filterCriteria: { ratePlanGroupId: 7 },
      condition: { action: 'notify' },
      action: { notify: { threshold: [{ percentage: { percentage50: true, percentage100: true } }] } },
    },
  },
};

async function makeScene() {
  const scene = await makeClosingScene({
    at: '2026-03-10T12:00:00Z',
    lines: LINES,
    people: { clients: [CLIENT], users: [{ ...OWNER, accounts: [A, B] }] },
  });
  const { world } = scene;
  const feed = async (records: readonly { id: string; device: string; bytes: number }[]) => {
    const at = '2026-03-10T11:00:00Z';
    const fed = await world.operator(
      'POST',
      '/usage',
      records.map((one) => ({ kind: 'imei', at, ...one })),
    );
    assert.equal(fed.statusCode, 200, fed.body);
  };
  const replayed = async (pricePlanTrigger: object): Promise<string[]> => {
    const { call } = await asUser(world, OWNER);
    const body = { pricePlanTrigger, period: PERIOD };
    const answer = await call('POST', '/m2m/v2/triggers/actions/backtest', body);
    assert.equal(answer.statusCode, 200, answer.body);
    return answer
      .json()
      .firings.map(({ level, before, after, threshold, usageRecordId }: Record<string, unknown>) =>
        [level, before, after, threshold, usageRecordId].join(' '),
      )
      .sort();
  };
  return { ...scene, feedRecords: feed, replayed };
}

/** As before the order was stored. */
const removeOrder = sql`update usage_record set batch_no = -nth, nth = 0`;

describe('a backtest', () => {
  it('counts records of one batch in feed order, and by their ids if the order was not stored', async () => {
    const scene = await makeScene();
    await scene.feedRecords([
      { id: 'z', device: imei(1), bytes: 3 * KB },
      { id: 'a', device: imei(1), bytes: 2 * KB },
    ]);
    const threshold = 4 * KB;
    assert.deepEqual(await scene.replayed(BEYOND), [`${threshold} ${3 * KB} ${5 * KB} ${threshold} a`]);
    await scene.db.exec(removeOrder);
    assert.deepEqual(await scene.replayed(BEYOND), [`${threshold} ${2 * KB} ${5 * KB} ${threshold} z`]);
  });

  it('compares with the pool that a batch saw, also for two at the same time and for deleted lines', async () => {
    const scene = await makeScene();
    const used = 2 * ALLOWANCE - 1;
    await scene.feedRecords([{ id: 'first', device: imei(1), bytes: used }]);
    await scene.world.import({ devices: [{ imei: imei(3), accountName: B, state: 'suspend' }] });
    await scene.feedRecords([{ id: 'second', device: imei(1), bytes: 0 }]);
    await scene.world.operator('DELETE', `/devices/imei/${imei(4)}`);
    await scene.world.import({ devices: [{ imei: imei(3), accountName: B, state: 'active' }] });
    const threshold = 1.5 * ALLOWANCE;
    assert.deepEqual(await scene.replayed(HALF_OF_POOL), [`50 ${used} ${used} ${threshold} second`]);
  });

  it('counts in the order of the feeds, even if the last change of a line was deleted with its account in between', async () => {
    const scene = await makeScene();
    const { world } = scene;
    await scene.write(1, HALF_OF_POOL);
    const other = '0000123456-00003';
    await world.import({
      accounts: [{ accountName: other, ecpdId: ECPD }],
      devices: [{ imei: imei(5), accountName: other, servicePlan: 'P' }],
    });
    await scene.feedRecords([{ id: 'first', device: imei(1), bytes: 1.5 * ALLOWANCE }]);
    assert.equal((await world.operator('DELETE', `/accounts/${other}`)).statusCode, 200);
    await scene.feedRecords([{ id: 'second', device: imei(1), bytes: ALLOWANCE }]);
    const [before, after, threshold] = [1.5 * ALLOWANCE, 2.5 * ALLOWANCE, 2 * ALLOWANCE];
    assert.deepEqual(
      (await scene.fired()).map((one) => [one.level, one.after]),
      [[50, after]],
    );
    assert.deepEqual(await scene.replayed(HALF_OF_POOL), [`50 ${before} ${after} ${threshold} second`]);
  });
});
