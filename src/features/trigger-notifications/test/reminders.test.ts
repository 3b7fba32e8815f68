import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { sql } from '../../../platform/db/sql.ts';
import { sendReminder } from '../reminders.ts';
import { DAY_MS, ECPD, HOUR_MS, LINES, makeNotifyingScene, over } from './scene.ts';

const { world, db, trigger, remove, use, alerts, sent, startOver } = await makeNotifyingScene();

beforeEach(startOver);

const reminding = (notificationFrequencyFactor: number, notificationFrequencyInterval: string) => ({
  reminder: true,
  notificationFrequencyFactor,
  notificationFrequencyInterval,
});
const later = async (ms: number) => {
  world.pass(ms);
  await world.engine.settle();
};
const countSent = async () => [
  (await alerts()).length,
  (await sent('mail')).length,
  (await sent('sms')).length,
];
const countKept = async () =>
  (await db.many(sql`select from price_plan_reminder`)).length +
  (await db.many(sql`select from price_plan_reminder_firing`)).length;

// proves price-plan-triggers/reminders
describe('reminders of a price plan trigger', () => {
  // proves 2.2.3/notificationFrequencyFactor 2.2.3/notificationFrequencyInterval 2.2.3/reminder
  // proves price-plan-triggers/reminders
  it('are sent as often as configured, at the interval, over every channel', async () => {
    const { triggerName } = await trigger(over(5), reminding(2, 'Hourly'));
    await use([[LINES.a1, 6]]);
    assert.deepEqual(await countSent(), [1, 1, 1]);
    await later(HOUR_MS - 1);
    assert.deepEqual(await countSent(), [1, 1, 1]);
    await later(1);
    assert.deepEqual(await countSent(), [2, 2, 2]);
    await later(HOUR_MS);
    await later(HOUR_MS);
    assert.deepEqual(await countSent(), [3, 3, 3]);
    assert.deepEqual(
      (await sent('mail')).slice(1).map(({ subject }) => subject.slice(0, 9 + 15 + triggerName.length)),
      [1, 2].map((n) => `[Major] Reminder ${n} of 2: ${triggerName}`.slice(0, 9 + 15 + triggerName.length)),
    );
    const [first, second] = await alerts();
    assert.equal(second.requestId, first.requestId);
    assert.match(second.payAsYouGo.message, /^Reminder 1 of 2\. Major: line /);
    assert.equal(await countKept(), 0);
  });

  // proves price-plan-triggers/reminders
  it('are all sent, even if no worker ran when they were due', async () => {
    await trigger(over(5), reminding(3, 'Hourly'));
    await use([[LINES.a1, 6]]);
    await later(30 * HOUR_MS);
    assert.deepEqual(await countSent(), [4, 4, 4]);
  });

  for (const [when, ...changes] of [
    ['switched off', { active: false }],
    ['switched off and on again', { active: false }, { active: true }],
    ['changed to send no reminders', { notification: { notificationType: 'PerEvent', callback: true } }],
    [
      'changed to daily summaries',
      { notification: { ...reminding(5, 'Hourly'), notificationType: 'DailySummary', callback: true } },
    ],
  ] as const)
    it(`end when the trigger is ${when}`, async () => {
      const made = await trigger(over(5), reminding(5, 'Hourly'));
      await use([[LINES.a1, 6]]);
      await later(HOUR_MS);
      for (const change of changes) await world.import({ pricePlanTriggers: [{ ...made, ...change }] });
      await later(10 * HOUR_MS);
      assert.deepEqual(await countSent(), [2, 2, 2]);
      assert.equal(await countKept(), 0);
    });

  // proves price-plan-triggers/reminders
  it('end when the trigger is deleted', async () => {
    const made = await trigger(over(5), reminding(5, 'Hourly'));
    await use([[LINES.a1, 6]]);
    await remove(made);
    await later(10 * HOUR_MS);
    assert.deepEqual(await countSent(), [1, 1, 1]);
    assert.equal(await countKept(), 0);
  });

  // proves price-plan-triggers/reminders
  it('end with the cycle', async () => {
    await trigger(over(5, { cycleType: 'Weekly' }), reminding(10, 'Daily'));
    const now = world.clock.now();
    // Wednesday noon: four more noons before Monday begins in Chicago.
    world.clock.holdAt(new Date(now.getTime() + ((10 - now.getUTCDay()) % 7) * DAY_MS));
    await use([[LINES.a1, 6]]);
    for (let day = 0; day < 9; day++) await later(DAY_MS);
    assert.deepEqual(await countSent(), [5, 5, 5]);
    assert.equal(await countKept(), 0);
  });

  it('cover all firings of one batch, and continue for lines whose cycle is open', async () => {
    await trigger(over(5), reminding(1, 'Hourly'));
    await use([
      [LINES.a1, 6],
      [LINES.a2, 6],
    ]);
    await db.exec(sql`update price_plan_reminder_firing set ends_at = ${world.clock.now()} where subject =
      (select device_id::text from device where imei = ${LINES.a1})`);
    await later(HOUR_MS);
    assert.deepEqual(await countSent(), [3, 2, 2]);
    assert.match((await sent('mail'))[1]!.subject, new RegExp(`: line ${LINES.a2} `));
  });

  it('go to the recipients that the trigger names by then', async () => {
    const made = await trigger(over(5), reminding(1, 'Hourly'));
    await use([[LINES.a1, 6]]);
    const notification = { ...made.notification, externalEmailRecipients: 'new@example.com' };
    await world.import({ pricePlanTriggers: [{ ...made, notification }] });
    await later(HOUR_MS);
    assert.deepEqual((await sent('mail'))[1]!.to, ['new@example.com', 'group@example.com']);
  });

  it('are each sent once if a run is repeated, and again if it was rolled back', async () => {
    await trigger(over(5), reminding(2, 'Hourly'));
    await use([[LINES.a1, 6]]);
    const [kept] = await db.many<{ id: string }>(sql`select notice_id as id from price_plan_reminder`);
    world.pass(HOUR_MS);
    const run = (crashes: boolean) =>
      db.tx(async (tx) => {
        await sendReminder({ ...world.ctx, db: tx }, ECPD, kept!.id);
        if (crashes) throw new Error('the process dies');
      });
    await assert.rejects(run(true));
    assert.deepEqual(await countSent(), [1, 1, 1]);
    await Promise.all([run(false), run(false)]);
    assert.deepEqual(await countSent(), [2, 2, 2]);
    await later(5 * HOUR_MS);
    assert.deepEqual(await countSent(), [3, 3, 3]);
  });

  it('are not sent for a late firing', async () => {
    await trigger(over(5), reminding(3, 'Hourly'));
    const month = world.clock.now();
    const closed = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1, 6));
    world.clock.holdAt(new Date(closed.getTime() + HOUR_MS));
    await use([[LINES.a1, 6]], new Date(closed.getTime() - 3 * HOUR_MS));
    await later(5 * HOUR_MS);
    assert.deepEqual(await countSent(), [1, 1, 1]);
  });
});
