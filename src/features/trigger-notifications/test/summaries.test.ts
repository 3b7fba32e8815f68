import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { untilWaiting } from '../../../../test/support/lock-waits.ts';
import { sql } from '../../../platform/db/sql.ts';
import { recallFirings } from '../recall-firings.ts';
import { collectForSummaries, sendSummary } from '../summaries.ts';
import { A, B, DAY_MS, ECPD, HOUR_MS, LINES, makeNotifyingScene, over } from './scene.ts';

const { world, db, trigger, remove, use, alerts, sent, startOver } = await makeNotifyingScene();

beforeEach(startOver);

const SUMMED = { notificationType: 'DailySummary' };
const later = async (ms: number) => {
  world.pass(ms);
  await world.engine.settle();
};
const countSent = async () => [
  (await alerts()).length,
  (await sent('mail')).length,
  (await sent('sms')).length,
];

// proves price-plan-triggers/daily-summary
describe('a price plan trigger with a daily summary', () => {
  // proves 2.2.3/notificationType price-plan-triggers/daily-summary
  it('sends nothing before the local day has ended, and then one message of each kind', async () => {
    await trigger(over(5), SUMMED);
    await use([[LINES.a1, 6]]);
    await later(HOUR_MS);
    await use([[LINES.a2, 7]]);
    // 15:00 UTC is 9:00 or 10:00 in Chicago, where the day ends after UTC's.
    await later(12 * HOUR_MS);
    assert.deepEqual(await countSent(), [0, 0, 0]);
    await later(3 * HOUR_MS);
    assert.deepEqual(await countSent(), [1, 1, 1]);
    const [mail] = await sent('mail');
    const day = new Date(world.clock.now().getTime() - DAY_MS).toISOString().slice(0, 10);
    assert.ok(mail!.subject.startsWith(`[Major] Summary of ${day}: `), mail!.subject);
    assert.match(mail!.text, new RegExp(`line ${LINES.a1}[^]*line ${LINES.a2}`));
    const [alert] = await alerts();
    const imeis = alert.payAsYouGo.deviceIds.flatMap(({ id, kind }: { id: string; kind: string }) =>
      kind === 'IMEI' ? [id] : [],
    );
    assert.deepEqual(imeis, [LINES.a1, LINES.a2]);
    assert.match(alert.payAsYouGo.message, /fired for 2\. /);
  });

  it('uses the day of the next account if its first was deleted', async () => {
    const gone = '0000123456-00000';
    await world.import({ accounts: [{ accountName: gone, ecpdId: ECPD }] });
    await trigger(over(5, { accounts: [gone, A] }), SUMMED);
    assert.equal((await world.operator('DELETE', `/accounts/${gone}`)).statusCode, 200);
    await use([[LINES.a1, 6]]);
    await later(12 * HOUR_MS);
    assert.deepEqual(await countSent(), [0, 0, 0]);
    await later(3 * HOUR_MS);
    assert.deepEqual(await countSent(), [1, 1, 1]);
  });

  // proves price-plan-triggers/daily-summary
  it('sends one summary for each day, and none for a day without a firing', async () => {
    await trigger(over(5), SUMMED);
    await use([[LINES.a1, 6]]);
    await later(DAY_MS);
    await later(DAY_MS);
    await use([[LINES.a2, 6]]);
    await later(DAY_MS);
    await later(DAY_MS);
    assert.deepEqual(await countSent(), [2, 2, 2]);
    assert.deepEqual(await db.many(sql`select from price_plan_summary_entry`), []);
  });

  it('notifies each account of its own lines only, and people of all lines', async () => {
    await trigger(over(5, { accounts: [A, B] }), SUMMED);
    await use([
      [LINES.a1, 6],
      [LINES.b1, 6],
    ]);
    await later(DAY_MS);
    const notified = await alerts();
    assert.deepEqual(
      notified.map(({ accountName, payAsYouGo }) => [accountName, payAsYouGo.deviceIds[0].id]),
      [
        [A, LINES.a1],
        [B, LINES.b1],
      ],
    );
    assert.match((await sent('mail'))[0]!.subject, /: 2 have reached it$/);
  });

  it('sends it once after downtime, even if it was switched off or deleted since', async () => {
    const made = await trigger(over(5), SUMMED);
    await use([[LINES.a1, 6]]);
    await world.import({ pricePlanTriggers: [{ ...made, active: false }] });
    await later(5 * DAY_MS);
    assert.deepEqual(await countSent(), [1, 1, 1]);
    const gone = await trigger(over(5), SUMMED);
    await use([[LINES.a1, 1]]);
    await remove(gone);
    await later(5 * DAY_MS);
    assert.deepEqual(await countSent(), [2, 2, 2]);
  });

  it('sends it once if its job runs again, and again in full if a run was rolled back', async () => {
    const { triggerId } = await trigger(over(5), SUMMED);
    await use([[LINES.a1, 6]]);
    const [entry] = await db.many<{ day: string }>(
      sql`select to_char(day, 'YYYY-MM-DD') as day from price_plan_summary_entry`,
    );
    const run = (crashes: boolean) =>
      db.tx(async (tx) => {
        await sendSummary({ ...world.ctx, db: tx }, ECPD, { triggerId, day: entry!.day });
        if (crashes) throw new Error('the process dies');
      });
    await assert.rejects(run(true));
    assert.deepEqual(await countSent(), [0, 0, 0]);
    await Promise.all([run(false), run(false)]);
    await run(false);
    assert.deepEqual(await countSent(), [1, 1, 1]);
  });

  it('waits for a batch that is adding to its day, and includes its firings', async () => {
    const { triggerId } = await trigger(over(5), SUMMED);
    await use([[LINES.a1, 6]]);
    const kept = await db.one<{ day: string; id: string }>(
      sql`select to_char(day, 'YYYY-MM-DD') as day, firing_id as id from price_plan_summary_entry`,
    );
    const [firing] = await recallFirings(world.ctx, ECPD, [kept.id], undefined);
    const [added, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const batch = db.tx(async (tx) => {
      await collectForSummaries({ ...world.ctx, db: tx }, ECPD, [{ ...firing!, subject: 'another' }]);
      added.resolve();
      await commit.promise;
    });
    await added.promise;
    const summary = db.tx((tx) => sendSummary({ ...world.ctx, db: tx }, ECPD, { triggerId, day: kept.day }));
    await untilWaiting(db, { unless: summary });
    commit.resolve();
    await Promise.all([batch, summary]);
    assert.match((await sent('mail'))[0]!.subject, /: 2 have reached it$/);
    assert.deepEqual(await db.many(sql`select from price_plan_summary_entry`), []);
  });
});
