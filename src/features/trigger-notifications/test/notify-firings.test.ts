import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { sql } from '../../../platform/db/sql.ts';
import { A, B, HOUR_MS, KB, LINES, makeNotifyingScene, over, pool } from './scene.ts';

const { world, db, trigger, use, listen, alerts, sent, startOver } = await makeNotifyingScene();

beforeEach(startOver);

const suspends = (kb: number) => {
  const { payAsYouGo } = over(kb);
  const suspendDetails = {
    suspendFromAccounts: [A],
    suspendDuration: '30',
    suspendOption: 'WithBilling',
  };
  return { payAsYouGo: { ...payAsYouGo, action: { suspend: true, suspendDetails } } };
};

describe('a firing of a price plan trigger', () => {
  // proves 2.2.3/callback 6.1/AlertService price-plan-triggers/device-ids
  it('sends a callback with the line, the plan, the counter and the threshold in the unit of the trigger', async () => {
    const { triggerId, triggerName } = await trigger(over(5));
    await use([[LINES.a1, 5]]);
    assert.deepEqual(await alerts(), []);
    await use([[LINES.a1, 1.5]]);
    const [{ payAsYouGo, requestId, ...alert }, ...others] = await alerts();
    assert.deepEqual(others, []);
    const { message, ...rest } = payAsYouGo;
    assert.deepEqual(alert, {
      triggerId,
      triggerName,
      triggerCategory: 'PricePlanDataUsage',
      accountName: A,
    });
    assert.deepEqual(rest, {
      carrierServicePlanCode: 'CARRIER-P',
      servicePlanDescription: 'Pay plan',
      deviceIds: [
        { id: LINES.a1, kind: 'IMEI' },
        { id: '5550100011', kind: 'MDN' },
      ],
      triggerDateTime: world.clock.now().toISOString(),
      triggerValue: 7,
      cycleType: 'MONTHLY',
      threshold: 5,
      thresholdUnit: 'KB',
      thresholdUnits: 'KB',
    });
    assert.match(
      message,
      /^Major: line 990000000000011 of account \S+: 6\.5 KB \(6656 bytes\), threshold more than 5 KB; /,
    );
    const [firing] = await db.many<{ id: string }>(sql`select firing_id as id from firing`);
    assert.equal(requestId, firing!.id);
  });

  // proves 2.2/notification 2.2.3/emailNotification 2.2.3/notificationGroupName 2.2.3/externalEmailRecipients
  // proves 2.2.3/smsNotification
  it('sends mail and SMS to the recipients and the members of the group, with the cycle in the account’s zone', async () => {
    const { triggerName } = await trigger(over(5));
    await use([[LINES.a1, 6]]);
    const [mail, ...mails] = await sent('mail');
    assert.deepEqual([mails, mail!.to], [[], ['ops@example.com', 'group@example.com']]);
    assert.ok(mail!.subject.startsWith(`[Major] ${triggerName}: line ${LINES.a1} of account ${A}: 6 KB`));
    assert.match(mail!.text, /severity Major/);
    assert.match(mail!.text, /Counter: +6 KB \(6144 bytes\)\nThreshold: +more than 5 KB/);
    assert.match(mail!.text, /Cycle: +Monthly, \d{4}-\d\d-01 00:00 to \d{4}-\d\d-01 00:00 America\/Chicago/);
    assert.match(mail!.text, /Nothing else is done\./);
    const [sms, ...messages] = await sent('sms');
    assert.deepEqual([messages, sms!.to], [[], ['5550109999', '5550109998']]);
    assert.ok(sms!.text.startsWith(`Major, ${triggerName}: line ${LINES.a1}`));
  });

  // proves 2.2/notification 2.2.3/callback
  it('sends nothing over a channel that is off', async () => {
    await trigger(over(5), { callback: false, emailNotification: false, smsNotification: false });
    await use([[LINES.a1, 6]]);
    assert.deepEqual([await alerts(), await sent('mail'), await sent('sms')], [[], [], []]);
    assert.equal((await db.many(sql`select from firing`)).length, 1);
  });

  // proves 2.2.1-condition/percentages price-plan-triggers/several-levels
  it('of several levels at once sends a callback for each, lowest first, and one mail and SMS', async () => {
    await trigger(pool(50, 90, 100));
    await use([[LINES.sharedA, 95]]);
    const told = await alerts();
    assert.deepEqual(
      told.map(({ message }) => /threshold (\d+) %/.exec(message)?.[1]),
      ['50', '90'],
    );
    const [mail, ...mails] = await sent('mail');
    assert.deepEqual([mails.length, (await sent('sms')).length], [0, 1]);
    assert.match(mail!.text, /Threshold: +50 % of the allowance; 90 % of the allowance/);
  });

  // proves 2.2.2/pool-notify price-plan-triggers/recipients
  it('of a pool notifies each of its accounts with a listener, with the allowance of the pool', async () => {
    await trigger(pool(50));
    await listen(A, 'AlertService');
    await listen(B, 'AlertService');
    await use([[LINES.sharedB, 60]]);
    const told = await alerts();
    assert.deepEqual(told.map(({ accountName }) => accountName).sort(), [A, B]);
    assert.deepEqual(told[0].accountGroupShare, { servicePlanGroupId: 7, allowance: 100 * KB });
  });

  // proves price-plan-triggers/recipients price-plan-triggers/device-ids
  it('of several accounts together notifies those with a listener, or keeps the callback for the first', async () => {
    const together = over(5, {
      accounts: [A, B],
      conditionType: 'AccountLevel',
      separateOrCombined: 'Combined',
    });
    await trigger(together);
    await use([[LINES.b1, 6]]);
    assert.deepEqual(
      (await alerts()).map(({ accountName }) => accountName),
      [A],
    );
    await listen(B, 'AlertService');
    await trigger(together);
    // Simultaneous alerts have no order.
    world.pass(1_000);
    await use([[LINES.b1, 1]]);
    const [, second, ...others] = await alerts();
    assert.deepEqual([second.accountName, second.payAsYouGo.deviceIds, others], [B, [], []]);
  });

  // proves price-plan-triggers/many-lines-at-once
  it('of many lines sends one mail, which lists fifty of them and the number of the others', async () => {
    const many = Array.from({ length: 60 }, (_, n) => `99000001${String(n).padStart(7, '0')}`);
    await world.import({
      devices: many.map((imei) => ({
        accountName: A,
        imei,
        servicePlan: 'P',
        planSince: '2025-01-01T00:00:00Z',
      })),
    });
    await trigger(over(5));
    await use(many.map((imei) => [imei, 6]));
    const [mail, ...mails] = await sent('mail');
    assert.deepEqual(mails, []);
    assert.equal(mail!.text.match(/^- line /gm)?.length, 50);
    assert.match(mail!.subject, /: 60 have reached it$/);
    assert.match(mail!.text, /And 10 more\./);
    assert.equal((await alerts()).length, 60);
    assert.match((await sent('sms'))[0]!.text, /And 59 more\./);
  });

  it('states the consequence: a suspension, or nothing while actions are paused', async () => {
    await trigger(suspends(5));
    await use([[LINES.a1, 6]]);
    assert.match(
      (await alerts())[0].payAsYouGo.message,
      /The line will be suspended for 30 days, with billing\.$/,
    );
    world.pass(1_000);
    await world.operator('POST', '/actions/pause');
    await use([[LINES.a2, 6]]);
    await world.operator('POST', '/actions/resume');
    assert.match((await sent('mail'))[1]!.text, /Actions are paused: nothing is suspended/);
  });

  // proves price-plan-triggers/late-usage
  it('for late usage says so and announces no action', async () => {
    await trigger(suspends(5));
    const month = world.clock.now();
    const closed = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1, 6));
    world.clock.holdAt(new Date(closed.getTime() + 40 * HOUR_MS));
    await use([[LINES.a1, 6]], new Date(closed.getTime() - 3 * HOUR_MS));
    const [mail] = await sent('mail');
    assert.match(mail!.subject, /\(late\)$/);
    assert.doesNotMatch(mail!.text, /will be suspended/);
    assert.match((await alerts())[0].payAsYouGo.message, /^Late: .* you are only notified\.$/);
  });
});
