import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTestDatabase } from '../../../../test/support/database.ts';
import { countWaiting, untilWaiting } from '../../../../test/support/lock-waits.ts';
import { sql } from '../../../platform/db/sql.ts';
import {
  A,
  B,
  DAY_MS,
  ECPD,
  KB,
  LINES,
  makeNotifyingScene,
  over,
} from '../../trigger-notifications/test/scene.ts';
import { refreshLevelsLater } from '../levels/refresh-levels.ts';

const scene = await makeNotifyingScene();
const { world, db, trigger, remove, use, alerts, startOver } = scene;

/** Half of the line's allowance. */
const halfOfPlan = {
  accountGroupShare: {
    accountGroupShareIndividual: {
      filterCriteria: { ratePlanGroupId: 7 },
      condition: { action: 'notify' },
      action: { notify: { threshold: [{ carrierCode: 'CARRIER-S', percentage: { percentage50: true } }] } },
    },
  },
};
const firings = () =>
  db.many<object>(sql`
    select counted_before::float8 as before, counted_after::float8 as after, threshold::float8 as threshold from firing
    order by fired_at`);

describe('a counter that is beyond a level already', () => {
  // proves price-plan-triggers/edits
  it('fires with its next usage, and names the allowance of the percentage', async () => {
    await startOver();
    await use([[LINES.sharedA, 40]]);
    await trigger(halfOfPlan);
    assert.deepEqual(await firings(), []);
    await use([[LINES.sharedA, 1]]);
    assert.deepEqual(await firings(), [{ before: 40 * KB, after: 41 * KB, threshold: 25 * KB }]);
    const [{ accountGroupShare, message }] = (await alerts()) as [
      { accountGroupShare: { allowance: number }; message: string },
    ];
    assert.equal(accountGroupShare.allowance, 50 * KB);
    assert.match(message, / 82 % \(41984 of 51200 bytes\), threshold 50 % /);
  });

  // proves price-plan-triggers/edits
  it('fires with a record without bytes too, for a line, an account or several together', async () => {
    await startOver();
    await use([[LINES.a1, 40]]);
    const level = { conditionType: 'AccountLevel', accounts: [A, B] };
    await trigger(over(5));
    await trigger(over(5, { ...level, separateOrCombined: 'Separate' }));
    await trigger(over(5, { ...level, separateOrCombined: 'Combined' }));
    assert.deepEqual(await firings(), []);
    await use([[LINES.a1, 0]]);
    const one = { before: 40 * KB, after: 40 * KB, threshold: 5 * KB };
    assert.deepEqual(await firings(), [one, one, one]);
    await use([[LINES.a1, 0]]);
    assert.equal((await firings()).length, 3);
  });

  it('fires with its next usage when the trigger is changed from days to months, also on the first', async () => {
    await startOver();
    const now = world.clock.now();
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 12));
    for (const [n, at] of [first, new Date(first.getTime() + 4 * DAY_MS)].entries()) {
      world.clock.holdAt(at);
      const line = [LINES.a1, LINES.a2][n]!;
      const made = await trigger(over(5, { cycleType: 'Daily' }));
      await use([[line, 6]]);
      assert.equal((await firings()).length, 2 * n + 1);
      await world.import({ pricePlanTriggers: [{ ...made, pricePlanTrigger: over(5) }] });
      await use([[line, 1]]);
      assert.equal((await firings()).length, 2 * n + 2);
      await remove(made);
    }
  });

  it('is seen by the first trigger of a profile even if a concurrent batch brought it there', async () => {
    await startOver();
    await use([[LINES.a1, 1]]);
    // The service has few connections here.
    const outside = openTestDatabase(world.databaseUrl);
    const { feeding, creating } = await outside.tx(async (holder) => {
      // The batch waits for its counter: it began without a trigger and has not ended.
      await holder.exec(sql`select from usage_account_day where ecpd_id = ${ECPD} for update`);
      const feeding = use([[LINES.a1, 6]]);
      await untilWaiting(db, { unless: feeding });
      const creating = trigger(over(5));
      await untilWaiting(db, { count: 2, unless: creating });
      assert.equal(await countWaiting(db), 2);
      return { feeding, creating };
    });
    await Promise.all([feeding, creating, outside.close()]);
    await use([[LINES.a1, 0]]);
    assert.deepEqual(await firings(), [{ before: 7 * KB, after: 7 * KB, threshold: 5 * KB }]);
  });

  it('gets another job if the refresh of levels is already running', async () => {
    await startOver();
    for (let n = 0; n < 2; n++) {
      world.pass(1_000);
      await refreshLevelsLater(world.ctx, ECPD);
      await db.exec(sql`
        update job set state = 'running', lease_until = ${world.ctx.now()}, lease_token = ${world.ctx.newId()}
        where kind = 'price-plan-triggers.follow-accounts' and state = 'waiting'`);
    }
    const { n } = await db.one<{ n: number }>(sql`
      select count(*)::int as n from job where kind = 'price-plan-triggers.follow-accounts' and state = 'running'`);
    assert.equal(n, 2);
    await db.exec(sql`truncate job`);
  });
});

describe('a plan whose own code is the carrier code of another', () => {
  it('is not watched by a trigger on the carrier code', async () => {
    await startOver();
    const imei = '990000000000060';
    await world.import({
      plans: [{ code: 'CARRIER-P', carrierServicePlanCode: 'CARRIER-OTHER', kind: 'payAsYouGo' }],
      devices: [{ accountName: A, imei, servicePlan: 'CARRIER-P', planSince: '2025-01-01T00:00:00Z' }],
    });
    await trigger(over(5));
    await use([
      [imei, 6],
      [LINES.a1, 7],
    ]);
    assert.deepEqual(await firings(), [{ before: 0, after: 7 * KB, threshold: 5 * KB }]);
  });
});
