import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '../../../platform/db/sql.ts';
import { ACCOUNT, CYCLE, makeBillingScene, RATED, record, STRANGER } from './scene.ts';

const scene = await makeBillingScene();
const { summaries, callbacksOf } = scene;

const moveTo = async (imei: string, accountName: string) => {
  const answer = await scene.operator('POST', `/devices/imei/${imei}/move`, JSON.stringify({ accountName }));
  assert.equal(answer.statusCode, 200, answer.body);
};
const remove = (imei: string) => scene.operator('DELETE', `/devices/imei/${imei}`);
const add = (imei: string, fields: object = {}) =>
  scene.import({ devices: [{ accountName: ACCOUNT, imei, ...fields }] });
const relabel = (imei: string, value: string) =>
  scene.import({ devices: [{ accountName: RATED, imei, labels: [{ name: 'Fleet', value }] }] });

const LEAVING: readonly [string, (imei: string) => Promise<unknown>][] = [
  ['was moved to another account', (imei) => moveTo(imei, RATED)],
  ['was moved to another customer', (imei) => moveTo(imei, STRANGER)],
  ['was deleted', remove],
  [
    'was moved, got another label there and was deleted',
    async (imei) => {
      await moveTo(imei, RATED);
      await relabel(imei, 'other');
      await remove(imei);
    },
  ],
];

/** The usage that the account is told of a line: by its bill, its totals and its days. */
async function toldOf(how: { deviceIds?: object[]; label?: object }): Promise<unknown[]> {
  const { user } = scene;
  const bill = await summaries({ ...how, lineLevel: true });
  const asked = await user.call('POST', '/m2m/v1/devices/usage/actions/list/aggregate', {
    ...{ accountName: ACCOUNT, ...how, startTime: '2026-03-01', endTime: '2026-03-15' },
  });
  const totals = await callbacksOf(asked.json().requestId);
  const [deviceId] = (how.deviceIds ?? []) as object[];
  const days = await user.call('POST', '/m2m/v1/devices/usage/actions/list', {
    ...{ accountName: ACCOUNT, earliest: '2026-03-01', latest: '2026-03-15' },
    ...(deviceId === undefined ? { label: how.label } : { deviceId }),
  });
  return [
    bill.map(({ deviceIdentifier, totalUsage }) => [deviceIdentifier.id, totalUsage]),
    // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came.
    totals.flatMap(({ deviceResponse }) => deviceResponse.usageResponse.map((one: any) => one.bytesUsed)),
    // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came.
    days.json().usageHistory.map((one: any) => one.bytesUsed),
  ];
}

// proves billing/lines-that-left
describe('a line that left the account', () => {
  for (const [n, [how, leave]] of LEAVING.entries()) {
    const imei = `99100000000000${n}`;
    const label = { name: 'Fleet', value: `left-${n}` };

    it(`is billed for its time there by its identifier and its label if it ${how}`, async () => {
      await add(imei, { labels: [label], state: 'deactive' });
      await scene.feed([record({ device: imei, bytes: 100 + n })]);
      await leave(imei);
      const expected = [[[imei, 100 + n]], [100 + n], [100 + n]];
      assert.deepEqual(await toldOf({ deviceIds: [{ id: imei, kind: 'imei' }] }), expected);
      assert.deepEqual(await toldOf({ label }), expected);
      const [together] = await summaries({ label });
      assert.equal(together.totalUsage, 100 + n);
    });
  }

  it('is named by its last identifier there in the bill of all lines', async () => {
    const names = (await summaries({ lineLevel: true })).map(({ deviceIdentifier }) => deviceIdentifier);
    assert.deepEqual(
      names.map(({ id, kind }) => `${kind} ${id}`).sort(),
      LEAVING.map((_, n) => `imei 99100000000000${n}`),
    );
  });

  it('and whose identifier came back on a new line is billed together with that line, once', async () => {
    const imei = '991000000000010';
    await add(imei);
    await scene.feed([record({ device: imei, bytes: 7 })]);
    await remove(imei);
    scene.clock.holdAt(new Date('2026-03-15T12:01:00Z'));
    await add(imei);
    await scene.feed([record({ device: imei, bytes: 20, at: '2026-03-15T12:01:00Z' })]);
    const [bill, totals] = await toldOf({ deviceIds: [{ id: imei, kind: 'imei' }] });
    assert.deepEqual([bill, totals], [[[imei, 27]], [27]]);
  });

  it('and came back is billed for both times', async () => {
    const imei = '991000000000011';
    const label = { name: 'Fleet', value: 'returned' };
    await add(imei, { labels: [label] });
    await scene.feed([record({ device: imei, bytes: 7 })]);
    await moveTo(imei, RATED);
    scene.clock.holdAt(new Date('2026-03-15T12:01:00Z'));
    await moveTo(imei, ACCOUNT);
    await scene.feed([record({ device: imei, bytes: 20, at: '2026-03-15T12:01:00Z' })]);
    for (const how of [{ deviceIds: [{ id: imei, kind: 'imei' }] }, { label }])
      assert.deepEqual((await toldOf(how)).slice(0, 2), [[[imei, 27]], [27]]);
  });

  it('stays unknown to an account that never had it', async () => {
    const answer = await scene.rated.call('POST', '/m2m/v2/devices/usage/actions/billed', {
      ...{ accountName: RATED, lineLevel: true, billingCycle: CYCLE },
      deviceIds: [{ id: '991000000000002', kind: 'imei' }],
    });
    assert.deepEqual(
      (await callbacksOf(answer.json().requestId)).map(({ status }) => status),
      ['Failed'],
    );
  });
});

const bodyOf = async (path: string, body: object): Promise<string> => {
  const answer = await scene.user.call('POST', path, { accountName: ACCOUNT, ...body });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.body;
};
const payloadOf = async (path: string, body: object): Promise<string> => {
  const { requestId } = JSON.parse(await bodyOf(path, body)) as { requestId: string };
  await scene.engine.settle();
  return scene.ctx.db.value<string>(sql`
    select payload from callback_message where request_id = ${requestId}`);
};

// proves billing/amounts
describe('usage beyond 2^53 bytes', () => {
  it('keeps all its digits in bills, totals, lists and the console', async () => {
    const imei = '991000000000020';
    await add(imei);
    const big = 2 ** 50;
    await scene.feed([
      ...Array.from({ length: 8 }, () =>
        record({ device: imei, bytes: big, chargeAmount: 99_999_999_999.99 }),
      ),
      record({ device: imei, bytes: 1 }),
    ]);
    const deviceIds = [{ id: imei, kind: 'imei' }];
    const days = { startTime: '2026-03-01', endTime: '2026-03-15' };
    const texts = [
      await payloadOf('/m2m/v2/devices/usage/actions/billed', {
        ...{ deviceIds, lineLevel: true, billingCycle: CYCLE },
      }),
      await payloadOf('/m2m/v1/devices/usage/actions/list/aggregate', { deviceIds, ...days }),
      await bodyOf('/m2m/v1/devices/usage/actions/list', {
        ...{ deviceId: deviceIds[0], earliest: days.startTime, latest: days.endTime },
      }),
    ];
    for (const text of texts) assert.match(text, /[^0-9]9007199254740993[^0-9]/);
    assert.match(texts[0]!, /"totalBilledAmount":799999999999\.92[^0-9]/);
  });
});
