import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asUser } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import { signIn } from '../../console/test/scene.ts';
import { makeActingWorld } from '../../trigger-actions/test/scene.ts';
import { ACCOUNT, BARE_IMEI, IMEI, makeFeedWorld, record } from './feed.ts';

const world = await makeFeedWorld();
const LARGEST = 2 ** 50;
/** This many of the largest records add up to one byte less than a counter's limit. */
const FITTING = 2 ** 13 - 1;
const COUNTER_MAX = 2n ** 63n - 1n;
const REASON = `bytes would bring a counter beyond ${COUNTER_MAX}`;

const many = (count: number, fields: object) => Array.from({ length: count }, () => record(fields));

describe('POST /usage with very many bytes', () => {
  it('200: rejects a record of more than 2^50', async () => {
    const fed = await world.feed([
      record({ bytes: LARGEST + 1 }),
      record({ bytes: LARGEST, at: '2026-01-13T08:00:00Z' }),
    ]);
    assert.deepEqual([fed.accepted, fed.rejected], [1, [{ line: 1, reason: `bytes must be <= ${LARGEST}` }]]);
  });

  // proves usage/large-counts
  it('200: takes as many as fit into a counter, in feed order, and rejects the others', async () => {
    const first = await world.feed(many(FITTING, { bytes: LARGEST }));
    assert.deepEqual([first.accepted, first.rejectedTotal], [FITTING, 0]);
    const again = record({ bytes: 1 });
    const fed = await world.feed([
      ...many(3, { bytes: LARGEST }),
      record({ bytes: LARGEST - 2 }),
      again,
      record({ bytes: 1 }),
      record({ bytes: 0 }),
      record({ bytes: 5, device: BARE_IMEI }),
      record({ bytes: 7, serviceName: 'fota' }),
      record({ bytes: 9, at: '2026-01-12T08:00:00Z' }),
    ]);
    assert.deepEqual(
      fed.rejected,
      [1, 2, 3, 6].map((line) => ({ line, reason: REASON })),
    );
    assert.equal(fed.accepted, 6);
    const days = (await world.accountDays()).filter(({ day }) => day === '2026-01-15');
    assert.ok(days.some(({ bytes }) => bytes === COUNTER_MAX));
    assert.deepEqual((await world.differences()).differences, []);
    const repeated = await world.feed([again, record({ bytes: 1 })]);
    assert.deepEqual([repeated.duplicates, repeated.rejected], [1, [{ line: 2, reason: REASON }]]);
  });

  it('200: lists, bills and the console still show the usage', async () => {
    const yesterday = await world.feed(
      many(FITTING, { bytes: LARGEST, at: '2026-01-14T18:00:00Z', chargeAmount: 1 }),
    );
    assert.equal(yesterday.accepted, FITTING);
    const { call } = await asUser(world);
    const usage = await call('POST', '/m2m/v1/devices/usage/actions/list', {
      accountName: ACCOUNT,
      deviceId: { kind: 'imei', id: IMEI },
      earliest: '2026-01-10T00:00:00Z',
      latest: '2026-01-15T12:00:00Z',
    });
    assert.equal(usage.statusCode, 200, usage.body);
    assert.ok(usage.json().usageHistory.length > 0);
    const billed = await call('POST', '/m2m/v2/devices/usage/actions/billed', {
      accountName: ACCOUNT,
      lineLevel: false,
      billingCycle: { from: { year: 2026, month: 1 }, to: { year: 2026, month: 1 } },
    });
    assert.equal(billed.statusCode, 200, billed.body);
    await world.engine.settle();
    const messages = await world.ctx.db.many<{ payload: string }>(sql`
      select payload from callback_message where request_id = ${billed.json().requestId}`);
    assert.equal(messages.length, 1);
    const browser = await signIn(world);
    const overview = await browser.get(`/accounts/${ACCOUNT}/overview/usage`);
    assert.equal(overview.statusCode, 200, overview.body);
    assert.deepEqual((await world.differences()).differences, []);
  });
});

describe('levels of counters that a double cannot hold', () => {
  // proves usage/large-counts
  it('are passed by the right record: the value of a counter before it is exact', async () => {
    const scene = await (await makeActingWorld({ customers: 1 }))();
    scene.world.clock.holdAt(new Date('2026-01-28T18:00:00Z'));
    const trigger = await scene.create(scene.individual({}, { threshold: 1, thresholdUnit: 'KB' }));
    const account = await scene.create(
      scene.individual(
        {},
        { conditionType: 'AccountLevel', separateOrCombined: 'Separate', threshold: 2, thresholdUnit: 'KB' },
      ),
    );
    const combined = await scene.create(
      scene.individual(
        {},
        { conditionType: 'AccountLevel', separateOrCombined: 'Combined', threshold: 2, thresholdUnit: 'KB' },
      ),
    );
    let fed = 0;
    const feed = async (usage: readonly (readonly [at: string, bytes: number])[]) => {
      const answer = await scene.world.operator(
        'POST',
        '/usage',
        usage.map(([at, bytes]) => ({ id: `v${++fed}`, kind: 'imei', device: scene.imei(0), at, bytes })),
      );
      assert.deepEqual(
        [answer.statusCode, answer.json().accepted],
        [200, usage.length],
        answer.body.slice(0, 500),
      );
    };
    const monday = '2026-01-26T18:00:00Z';
    const tuesday = '2026-01-27T18:00:00Z';
    await feed([[monday, 1_023]]);
    // A double of this size loses 1,023 bytes, and the days add up to more than a bigint column holds.
    await feed([[tuesday, 1], ...Array.from({ length: 4_999 }, () => [tuesday, LARGEST] as const)]);
    await feed(Array.from({ length: 5_000 }, () => [monday, LARGEST] as const));
    const crossings = async (id: string) =>
      (await scene.firingsOf(id)).map(({ usageRecordId, before }) => [usageRecordId, before]);
    assert.deepEqual(await crossings(trigger), [['v3', 1_024]]);
    assert.deepEqual(await crossings(account), [['v3', 1_024]]);
    assert.deepEqual(await crossings(combined), [['v3', 1_024]]);
    // A later start of evaluation works too.
    await scene.create(scene.suspending());
    await feed([[tuesday, 1]]);
  });
});
