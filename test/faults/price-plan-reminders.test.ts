import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generateSecretKey } from '../../src/platform/crypto/secret-box.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { eachRound, faultMoments, faultRounds, TOO_LATE } from '../support/fault-mode.ts';
import { ACCOUNT, SMALL_FLEET } from '../support/fleet.ts';
import { openCrew, until } from '../support/service-crew.ts';
import { makeWorld } from '../support/world.ts';
import { killForGood } from './support/kill-for-good.ts';

const ROUNDS = faultRounds(1);
const moments = faultMoments('price-plan-reminders');
const TRIGGERS = 100;
const REMINDERS = 5;

const secretKey = generateSecretKey();
const world = await makeWorld({ secretKey });
await world.import({
  ...SMALL_FLEET,
  pricePlanTriggers: Array.from({ length: TRIGGERS }, (_, n) => ({
    triggerName: `reminds ${n}`,
    ecpdId: '9000001',
    pricePlanTrigger: {
      payAsYouGo: {
        filterCriteria: { carrierServicePlanCode: 'P-5MB', accountNameList: [ACCOUNT] },
        condition: {
          conditionType: 'Individual',
          comparator: 'gt',
          threshold: 1,
          thresholdUnit: 'KB',
          cycleType: 'Monthly',
        },
        action: {},
      },
    },
    notification: {
      notificationType: 'PerEvent',
      callback: true,
      emailNotification: true,
      externalEmailRecipients: 'ops@example.com',
      reminder: true,
      notificationFrequencyFactor: REMINDERS,
      notificationFrequencyInterval: 'Hourly',
    },
  })),
});
// Reminders must be due by the real clock of the worker process.
world.clock.release();
world.clock.reset();
const { db } = world.ctx;

const crew = openCrew(world, secretKey);

/** Counts callbacks, because the key of a mail would hide a duplicate. */
const countTold = () =>
  db.one<{ callbacks: number; mails: number }>(sql`
    select (select count(*)::int from callback_message) as callbacks, (select count(*)::int from notification) as mails`);

async function fireAll(round: number): Promise<void> {
  await db.exec(sql`truncate callback_message, callback_pending, callback_failed, notification_recipient, notification,
    firing, usage_record, usage_device_month, usage_account_day, usage_bill_day`);
  const device = SMALL_FLEET.devices[0]!.imei;
  const record = { id: `r${round}`, kind: 'imei', device, at: world.ctx.now().toISOString(), bytes: 5_000 };
  assert.equal((await world.operator('POST', '/usage', [record])).json().accepted, 1);
  assert.deepEqual(await countTold(), { callbacks: TRIGGERS, mails: TRIGGERS });
  // As if all had fired long ago, so that every reminder is due.
  await db.exec(sql`update price_plan_reminder set fired_at = fired_at - interval '10 hours'`);
  await db.exec(sql`update job set due_at = created_at where kind = 'price-plan-triggers.remind'`);
}

describe('reminders of price plan triggers', () => {
  it(`are each sent once, even if their worker is killed in the middle, ${ROUNDS} times`, async (t) => {
    const all = TRIGGERS * (1 + REMINDERS);
    let fired = 0;
    await eachRound(t, ROUNDS, async () => {
      await fireAll(fired++);
      const [worker] = await crew.have(1);
      const enough = TRIGGERS + moments.between(1, TRIGGERS * (REMINDERS - 1));
      await until('nobody was reminded', async () => (await countTold()).callbacks >= enough);
      await killForGood(world, worker!);
      const before = await countTold();
      if (before.callbacks === all) return TOO_LATE;
      await crew.have(1);
      const isEnded = async () => (await db.many(sql`select from price_plan_reminder`)).length === 0;
      await until('reminders are left', isEnded);
      assert.deepEqual(
        await countTold(),
        { callbacks: all, mails: all },
        `${before.callbacks} before it was killed`,
      );
      const uneven = await db.many(sql`
        select from callback_message group by request_id having count(*) <> ${1 + REMINDERS}`);
      assert.deepEqual(uneven, []);
    });
  });
});
