import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ACCOUNT, MANAGED } from '../../../../test/support/fleet.ts';
import { byImei } from '../../../../test/support/location-fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import { makeTriggerScene } from './scene.ts';

const { world, goTo, pass, call, made, locate, locateChild, update, firings, removeAll } =
  await makeTriggerScene();
const LIST = `/subsc/v1/usage/accounts/${ACCOUNT}/triggers`;

/** Every test begins in a month of its own, in which nothing was used. */
beforeEach(async () => {
  await removeAll();
  const now = world.clock.now();
  await goTo(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 10)));
});
const month = () => world.clock.now().toISOString().slice(0, 7);

describe('a usage trigger', () => {
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

  it('fires once a month, and again in the next', async () => {
    const { triggerId } = await made({ thresholdValue: '10' });
    await locate(1);
    await locate(1, 2);
    assert.equal((await firings(triggerId)).length, 1);
    await pass(31 * 86_400_000);
    await locate(1);
    assert.equal((await firings(triggerId)).length, 2);
  });

  it('fires for a changed percentage with the next use, and names the version of the rule', async () => {
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

  it('tells several levels that were reached at once, lowest first', async () => {
    for (const thresholdValue of ['40', '10', '30']) await made({ thresholdValue });
    const before = (await world.operator('GET', '/callbacks?serviceName=Location&limit=1000')).json().length;
    await locate(1, 2, 3, 4);
    const sent = await world.ctx.db.many<{ level: string }>(sql`
      select payload::json->'trigger'->>'thresholdValue' as level from callback_message
      where service_name = 'Location' order by message_id offset ${before}`);
    assert.deepEqual(
      sent.map(({ level }) => level),
      ['10', '30', '40'],
    );
  });

  it('fires once when many uses are counted at the same time, and none is missed', async () => {
    const { triggerId } = await made({ thresholdValue: '100' });
    await Promise.all(Array.from({ length: 10 }, (_, n) => locate(n + 1)));
    const [firing, ...others] = await firings(triggerId);
    assert.deepEqual([firing.before, firing.after, others.length], [9, 10, 0]);
  });

  it('counts the uses of the accounts that are billed with its own', async () => {
    const { triggerId } = await made({ thresholdValue: '20' });
    await locate(1);
    assert.deepEqual(await firings(triggerId), []);
    assert.equal((await locateChild()).statusCode, 200);
    assert.deepEqual([(await firings(triggerId))[0].after, (await firings(triggerId)).length], [2, 1]);
  });

  it('counts uses of fota from the usage feed against its own allowance, in the order of the feed', async () => {
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

  it('of a month that has closed is told for 72 hours, and marked as late; after that it is history', async () => {
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

  it('keeps what it fired on record after it is deleted', async () => {
    const { triggerId } = await made({ thresholdValue: '10' });
    await locate(1);
    await call('DELETE', `${LIST}/${triggerId}`);
    assert.equal((await call('GET', `${LIST}/${triggerId}/firings`)).json().length, 1);
  });

  it('goes through its firings page by page', async () => {
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
    assert.equal((await call('GET', `${LIST}/${triggerId}/firings?before=nonsense`)).statusCode, 400);
    const operators = await world.operator(
      'GET',
      `/firings?accountName=${ACCOUNT}&triggerId=${triggerId}&limit=2`,
    );
    const next = await world.operator(
      'GET',
      `/firings?triggerId=${triggerId}&page=${operators.headers['x-next']}`,
    );
    assert.deepEqual([...operators.json(), ...next.json()], all);
  });
});

describe('what a usage trigger sends', () => {
  it('is a callback, and the mail and SMS that it asks for, with counter, threshold, account and month', async () => {
    await made({
      triggerName: 'half',
      thresholdValue: '50',
      sendEmailNotification: true,
      emailAddresses: 'ops@example.com',
      sendSmsNotification: true,
      smsPhoneNumbers: '5550109999',
    });
    await locate(1, 2, 3, 4, 5);
    await world.notifier.settle();
    const [mail] = (await world.operator('GET', '/mail?limit=1')).json();
    assert.deepEqual(mail.to, ['ops@example.com']);
    assert.match(mail.subject, new RegExp(`Location use of account ${ACCOUNT} reached 50 %`));
    assert.match(mail.text, /Used: +5 of 10/);
    assert.match(mail.text, /Threshold: +50 % \(5\)/);
    assert.match(mail.text, new RegExp(`Month: +${month()}-01 00:00 UTC to `));
    const [sms] = (await world.operator('GET', '/sms?limit=1')).json();
    assert.match(sms.text, new RegExp(`^half: Location use of account ${ACCOUNT} is 5 of 10 in ${month()}`));
    const [callback] = (
      await world.operator('GET', `/callbacks?serviceName=Location&accountName=${ACCOUNT}&limit=1`)
    ).json();
    assert.deepEqual(callback.payload.usage, { used: 5, allowed: 10, percent: 50, month: month() });
    assert.equal(callback.payload.trigger.triggerName, 'half');
  });

  it('is the callback alone when it asks for nothing else', async () => {
    const before = (await world.operator('GET', '/mail?limit=1000')).json().length;
    await made({ thresholdValue: '10', emailAddresses: 'ops@example.com', smsPhoneNumbers: '5550109999' });
    await locate(1);
    assert.equal((await world.operator('GET', '/mail?limit=1000')).json().length, before);
  });
});

describe('allowExcess: false', () => {
  const refusedWith = async (answer: ReturnType<typeof locate>) => (await answer).json().errorMessage;
  const EXCEEDED = 'Subscribed usage exceeded';

  it('closes the service at 100 percent for the rest of the month, for the accounts billed with it too', async () => {
    await made({ thresholdValue: '50', allowExcess: false });
    assert.equal((await locate(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)).statusCode, 200);
    assert.equal(await refusedWith(locate(11)), EXCEEDED);
    assert.equal(await refusedWith(locateChild()), EXCEEDED);
    const cached = await call('POST', '/loc/v1/locations', {
      accountName: ACCOUNT,
      cacheMode: '0',
      deviceList: byImei(1),
    });
    assert.equal(cached.statusCode, 200);
    await pass(31 * 86_400_000);
    assert.equal((await locate(11)).statusCode, 200);
  });

  it('holds from the moment that a trigger says so, and ends with the last that does', async () => {
    await locate(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    assert.equal((await locate(11)).statusCode, 200);
    const [one, two] = [await made({ allowExcess: false }), await made({ allowExcess: false })];
    assert.equal(await refusedWith(locate(11)), EXCEEDED);
    await call('DELETE', `${LIST}/${one.triggerId}`);
    assert.equal(await refusedWith(locate(11)), EXCEEDED);
    await call('POST', `/subsc/v1/usage/triggers/${two.triggerId}`, {
      accountName: ACCOUNT,
      allowExcess: true,
    });
    assert.equal((await locate(11)).statusCode, 200);
  });

  it('does not close anything while the operator has paused actions, and alerts all the same', async () => {
    const { triggerId } = await made({ thresholdValue: '100', allowExcess: false });
    await world.operator('POST', '/actions/pause');
    await locate(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    assert.equal((await firings(triggerId)).length, 1);
    assert.equal((await locate(11)).statusCode, 200);
    await world.operator('POST', '/actions/resume');
    assert.equal(await refusedWith(locate(11)), EXCEEDED);
  });

  it('stays out of the way of an account that subscribed to more meanwhile', async () => {
    await made({ allowExcess: false });
    await locate(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    const subscriptions = (allowance: number) => [
      { accountName: ACCOUNT, serviceName: 'Location', skuName: 'SVC-LOC-COARSE-CellID-Aggr', allowance },
    ];
    await world.import({ subscriptions: subscriptions(11) });
    assert.equal((await locate(11)).statusCode, 200);
    await world.import({ subscriptions: subscriptions(10) });
  });
});

describe('what is billed', () => {
  it('adds up: the lines of a primary account are its month, whoever recorded at the same time', async () => {
    await Promise.all([locate(1, 2), locateChild(), locate(3), locateChild(), locateChild()]);
    const lines = await world.ctx.db.many<{ accountName: string; transactions: bigint }>(sql`
      select account_name as "accountName", transactions from service_month_line
      where billed_to = ${ACCOUNT} and service_name = 'Location' and month = ${month()} order by 1`);
    assert.deepEqual(lines, [
      { accountName: ACCOUNT, transactions: 3n },
      { accountName: MANAGED, transactions: 3n },
    ]);
    const [total] = await world.ctx.db.many<{ transactions: bigint }>(sql`
      select transactions from service_month
      where account_name = ${ACCOUNT} and service_name = 'Location' and month = ${month()}`);
    assert.equal(total!.transactions, 6n);
  });
});
