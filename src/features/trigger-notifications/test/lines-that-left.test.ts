import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { A, B, HOUR_MS, KB, LINES, makeNotifyingScene, over } from './scene.ts';

const { world, trigger, use, listen, callbacks, alerts, startOver } = await makeNotifyingScene();
const THROTTLED = 'SubscriptionNotificationService';

beforeEach(startOver);

const moveTo = async (imei: string, accountName: string) => {
  const answer = await world.operator('POST', `/devices/imei/${imei}/move`, { accountName });
  assert.equal(answer.statusCode, 200, answer.body);
};

const ago = (hours: number) => new Date(world.clock.now().getTime() - hours * HOUR_MS);

/** Feeds records of one line in one feed. */
async function useAt(imei: string, used: readonly (readonly [hoursAgo: number, kb: number])[]) {
  const now = world.clock.now().toISOString();
  const records = used.map(([hours, kb]) => ({
    id: `${imei} ${hours} before ${now}`,
    kind: 'imei',
    device: imei,
    at: ago(hours).toISOString(),
    bytes: kb * KB,
  }));
  const answer = await world.operator('POST', '/usage', records);
  assert.equal(answer.json().accepted, used.length, answer.body);
}

/** Sorted by account, because simultaneous alerts have no order. */
const alerted = async () =>
  (await alerts())
    .map(({ accountName, payAsYouGo: { triggerValue, deviceIds } }) => ({
      accountName,
      triggerValue,
      imei: deviceIds[0]?.id,
    }))
    .toSorted((a, b) => (a.accountName < b.accountName ? -1 : 1));

describe('usage of a line that left its account', () => {
  it('is counted separately from usage in its new account, even in one feed, whichever arrives first', async () => {
    await trigger(over(10, { accounts: [A] }));
    await trigger(over(10, { accounts: [B] }));
    await moveTo(LINES.a1, B);
    world.pass(2 * HOUR_MS);
    await useAt(LINES.a1, [
      [1, 8],
      [3, 11],
    ]);
    assert.deepEqual(await alerted(), [{ accountName: A, triggerValue: 11, imei: LINES.a1 }]);
    await useAt(LINES.a1, [
      [4, 1],
      [0, 5],
    ]);
    assert.deepEqual((await alerted())[1], { accountName: B, triggerValue: 13, imei: LINES.a1 });
    await moveTo(LINES.a1, A);
  });

  it('fires the same level once in its old and once in its new account', async () => {
    await trigger(over(10, { accounts: [A, B] }));
    await useAt(LINES.a1, [[0, 11]]);
    await moveTo(LINES.a1, B);
    world.pass(HOUR_MS);
    await useAt(LINES.a1, [[0, 12]]);
    world.pass(HOUR_MS);
    await useAt(LINES.a1, [
      [0, 1],
      [3, 1],
    ]);
    assert.deepEqual(await alerted(), [
      { accountName: A, triggerValue: 11, imei: LINES.a1 },
      { accountName: B, triggerValue: 12, imei: LINES.a1 },
    ]);
    await moveTo(LINES.a1, A);
  });

  it('does not notify its old account of throttling', async () => {
    await listen(A, THROTTLED);
    await moveTo(LINES.a2, B);
    world.pass(HOUR_MS);
    await use([[LINES.a2, 90]], ago(2));
    assert.deepEqual(await callbacks(THROTTLED), []);
    await moveTo(LINES.a2, A);
  });

  it('is notified with the identifiers of its old account, not with those of the new one', async () => {
    await trigger(over(10, { accounts: [A] }));
    await moveTo(LINES.a1, B);
    await world.import({ devices: [{ accountName: B, imei: LINES.a1, msisdn: '15550100011' }] });
    world.pass(HOUR_MS);
    await use([[LINES.a1, 11]], ago(2));
    const [alert] = await alerts();
    assert.deepEqual(alert.payAsYouGo.deviceIds, [
      { id: LINES.a1, kind: 'IMEI' },
      { id: `55501${LINES.a1.slice(-5)}`, kind: 'MDN' },
    ]);
  });

  it('is notified with the identifiers that the line had when it was deleted', async () => {
    await trigger(over(10, { accounts: [B] }));
    const answer = await world.operator('DELETE', `/devices/imei/${LINES.b1}`);
    assert.equal(answer.statusCode, 200, answer.body);
    world.pass(HOUR_MS);
    await use([[LINES.b1, 11]], ago(2));
    const [alert] = await alerts();
    assert.deepEqual(alert.payAsYouGo.deviceIds, [
      { id: LINES.b1, kind: 'IMEI' },
      { id: `55501${LINES.b1.slice(-5)}`, kind: 'MDN' },
    ]);
  });
});
