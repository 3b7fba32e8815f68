import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ACCOUNT } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import { makeTriggerScene } from './scene.ts';

const { world, goTo, pass, call, made, locate, locateChild, update, firings, newMonth, month } =
  await makeTriggerScene();
const LIST = `/subsc/v1/usage/accounts/${ACCOUNT}/triggers`;

beforeEach(newMonth);

// proves usage-triggers/firing
describe('a usage trigger', () => {
  // proves 2.1/thresholdValue usage-triggers/firing usage-triggers/firings
  it('fires when use reaches its percentage, and says why', async () => {
    const { triggerId } = await made({ thresholdValue: '50' });
    await locate(1, 2, 3, 4);
    assert.deepEqual(await firings(triggerId), []);
    await locate(5, 6);
    const [firing, ...others] = await firings(triggerId);
    assert.deepEqual(others, []);
    const { firingId, usageRecordId, firedAt, cycle, ...rest } = firing;
    assert.deepEqual(rest, {
      triggerId,
      kind: 'usage',
      accountName: ACCOUNT,
      subject: ACCOUNT,
      level: 50,
      levelKind: 'percent',
      before: 4,
      after: 5,
      threshold: 5,
      ruleVersion: 1,
      late: false,
    });
    assert.equal(cycle.from, `${month()}-01T00:00:00.000Z`);
    assert.equal(firedAt, world.clock.now().toISOString());
    const found = await world.ctx.db.many(
      sql`select from service_transaction where request_ref = ${usageRecordId}`,
    );
    assert.equal(found.length, 2);
    assert.deepEqual((await call('GET', `${LIST}/${triggerId}/firings`)).json(), [firing]);
  });

  // proves usage-triggers/firing
  it('fires once a month, and again in the next', async () => {
    const { triggerId } = await made({ thresholdValue: '10' });
    await locate(1);
    await locate(1, 2);
    assert.equal((await firings(triggerId)).length, 1);
    await pass(31 * 86_400_000);
    await locate(1);
    assert.equal((await firings(triggerId)).length, 2);
  });

  it('fires for a changed percentage with the next use, and reports the version of the rule', async () => {
    const { triggerId } = await made({ thresholdValue: '100' });
    await locate(1, 2, 3);
    await call('POST', `/subsc/v1/usage/triggers/${triggerId}`, {
      accountName: ACCOUNT,
      thresholdValue: '20',
    });
    assert.deepEqual(await firings(triggerId), []);
    await locate(4);
    const [firing] = await firings(triggerId);
    assert.deepEqual([firing.level, firing.before, firing.after, firing.ruleVersion], [20, 3, 4, 2]);
  });

  // proves callbacks/order
  it('notifies of several levels that were reached at once, lowest first', async () => {
    for (const thresholdValue of ['40', '10', '30']) await made({ thresholdValue });
    const before = (await world.operator('GET', '/callbacks?serviceName=Location&limit=1000')).json().length;
    await locate(1, 2, 3, 4);
    const sent = await world.ctx.db.many<{ level: string; key: string | null }>(sql`
      select payload::json->'trigger'->>'thresholdValue' as level, order_key as key from callback_message
      where service_name = 'Location' order by message_id offset ${before}`);
    assert.notEqual(sent[0]?.key, null);
    assert.equal(new Set(sent.map(({ key }) => key)).size, 1);
    assert.deepEqual(
      sent.map(({ level }) => level),
      ['10', '30', '40'],
    );
  });

  it('fires exactly once if many uses are counted concurrently', async () => {
    const { triggerId } = await made({ thresholdValue: '100' });
    await Promise.all(Array.from({ length: 10 }, (_, n) => locate(n + 1)));
    const [firing, ...others] = await firings(triggerId);
    assert.deepEqual([firing.before, firing.after, others.length], [9, 10, 0]);
  });

  // proves 3/managed-activated usage/fota-records usage-triggers/whose-use
  it('counts the uses of the accounts that are billed to its own', async () => {
    const { triggerId } = await made({ thresholdValue: '20' });
    await locate(1);
    assert.deepEqual(await firings(triggerId), []);
    assert.equal((await locateChild()).statusCode, 200);
    assert.deepEqual([(await firings(triggerId))[0].after, (await firings(triggerId)).length], [2, 1]);
  });

  it('counts fota uses from the usage feed against their own allowance, in feed order', async () => {
    const { triggerId } = await made({ serviceName: 'fota', thresholdValue: '15' });
    const answer = await update(5);
    assert.equal(answer.json().accepted, 5);
    const [firing] = await firings(triggerId);
    assert.deepEqual([firing.before, firing.after, firing.threshold], [2, 3, 3]);
    const third = await world.ctx.db.many<{ id: string }>(
      sql`select record_id as id from usage_record order by length(record_id), record_id offset 2 limit 1`,
    );
    assert.equal(firing.usageRecordId, third[0]!.id);
  });

  // proves usage-triggers/late-uses
  it('notifies for a closed month for 72 hours, marked as late, and not after that', async () => {
    const { triggerId } = await made({ serviceName: 'fota', thresholdValue: '5' });
    const yesterday = new Date(
      Date.UTC(world.clock.now().getUTCFullYear(), world.clock.now().getUTCMonth(), 1) - 3_600_000,
    );
    await goTo(new Date(yesterday.getTime() + 80 * 3_600_000));
    await update(1, yesterday.toISOString());
    assert.deepEqual(await firings(triggerId), []);
    await goTo(new Date(yesterday.getTime() + 70 * 3_600_000));
    await update(1, yesterday.toISOString());
    const [firing] = await firings(triggerId);
    assert.deepEqual([firing.late, firing.cycle.to], [true, `${month()}-01T00:00:00.000Z`]);
  });

  it('keeps its firings after it is deleted', async () => {
    const { triggerId } = await made({ thresholdValue: '10' });
    await locate(1);
    await call('DELETE', `${LIST}/${triggerId}`);
    assert.equal((await call('GET', `${LIST}/${triggerId}/firings`)).json().length, 1);
  });

  // proves usage-triggers/firings
  it('lists its firings page by page', async () => {
    const { triggerId } = await made({ thresholdValue: '10' });
    for (let n = 0; n < 3; n++) {
      await locate(1);
      await pass(31 * 86_400_000);
    }
    const all = (await call('GET', `${LIST}/${triggerId}/firings`)).json();
    assert.equal(all.length, 3);
    const first = (await call('GET', `${LIST}/${triggerId}/firings?limit=2`)).json();
    const rest = (await call('GET', `${LIST}/${triggerId}/firings?before=${first[1].firingId}`)).json();
    assert.deepEqual([...first, ...rest], all);
    const refused = await call('GET', `${LIST}/${triggerId}/firings?before=nonsense`);
    assert.deepEqual(
      [refused.statusCode, refused.json().errorMessage],
      [400, 'Invalid before: no firing has this id'],
    );
    const operators = await world.operator(
      'GET',
      `/firings?accountName=${ACCOUNT}&triggerId=${triggerId}&limit=2`,
    );
    const next = await world.operator(
      'GET',
      `/firings?triggerId=${triggerId}&page=${operators.headers['x-next']}`,
    );
    assert.deepEqual(
      [...operators.json(), ...next.json()].map(({ firingId }) => firingId),
      all.map(({ firingId }: { firingId: string }) => firingId),
    );
  });

  it('fires for a percentage that was changed while the old one fired, once it is reached', async () => {
    const { triggerId } = await made({ thresholdValue: '20' });
    await locate(1);
    // The use that reaches 20 percent was counted and evaluated, but is not committed yet.
    await Promise.all([
      locate(2),
      call('POST', `/subsc/v1/usage/triggers/${triggerId}`, { accountName: ACCOUNT, thresholdValue: '30' }),
    ]);
    await locate(3);
    assert.ok((await firings(triggerId)).some(({ level }: { level: number }) => level === 30));
  });

  // proves usage/day-and-cycle
  it('does not fire again for the same month after the zone of the account changed', async () => {
    const { triggerId } = await made({ serviceName: 'fota', thresholdValue: '5' });
    await update(1);
    assert.equal((await firings(triggerId)).length, 1);
    const used = world.clock.now();
    await goTo(new Date(Date.UTC(used.getUTCFullYear(), used.getUTCMonth() + 1, 2)));
    const zone = (timeZone: string) =>
      world.import({ accounts: [{ accountName: ACCOUNT, ecpdId: '9000001', timeZone }] });
    await zone('America/Chicago');
    await update(1, used.toISOString());
    assert.equal((await firings(triggerId)).length, 1);
    await update(1);
    assert.equal((await firings(triggerId)).length, 2);
    await zone('UTC');
  });

  it('takes a batch that reaches more triggers than one statement can notify of', async () => {
    const names = Array.from({ length: 600 }, (_, n) => `many ${n}`);
    await world.import({
      usageTriggers: names.map((triggerName) => ({
        accountName: ACCOUNT,
        triggerName,
        serviceName: 'fota',
        thresholdValue: '5',
        sendSmsNotification: true,
        smsPhoneNumbers: '5550109999',
      })),
    });
    assert.equal((await update(1)).json().accepted, 1);
    assert.equal((await world.operator('GET', '/sms?limit=1000')).json().length, names.length);
  });
});
