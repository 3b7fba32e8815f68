import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '../../../platform/db/sql.ts';
import {
  A,
  ALLOWANCE,
  ageing,
  B,
  below,
  DAY_MS,
  imei,
  KB,
  openClosingScenes,
  paygRule,
} from './closing-scene.ts';

const makeClosingScene = await openClosingScenes();

const line = (n: number, more: object = {}) => ({ imei: imei(n), accountName: A, ...more });

describe('accounts below their threshold', () => {
  const level = (separateOrCombined: string) =>
    paygRule(below(5, 'Weekly', { conditionType: 'AccountLevel', separateOrCombined }), [A, B]);

  // proves 2.2.1-condition/separateOrCombined
  it('fire separately, or together', async () => {
    const scene = await makeClosingScene({
      at: '2026-03-10T12:00:00Z',
      lines: [line(1), line(2, { accountName: B })],
    });
    await scene.write(1, level('Separate'));
    await scene.write(2, level('Combined'));
    await scene.feed(imei(1), '2026-03-10T11:00:00Z', 5 * KB);
    await scene.advanceTo('2026-03-23T00:00:00Z');
    assert.deepEqual(
      (await scene.fired()).map(({ trigger, subject, from, after }) => [
        trigger,
        subject,
        from.slice(0, 10),
        after,
      ]),
      [
        [1, B, '2026-03-09', 0],
        [1, A, '2026-03-16', 0],
        [1, B, '2026-03-16', 0],
        [2, 'combined', '2026-03-16', 0],
      ],
    );
  });
});

describe('a pool', () => {
  const percents = { percentage50: true, percentage100: true };
  const allowance = paygRule({ conditionType: 'UsageAllowance', ...percents });
  const move = (from: string, to: string) => ({
    changePlan: [{ fromCarrierCode: `CARRIER-${from}`, toCarrierCode: `CARRIER-${to}` }],
    dataPoolOverageBuffer: 10,
  });
  const poolMoves = {
    accountGroupShare: {
      accountGroupSharePool: {
        filterCriteria: { ratePlanGroupId: 7 },
        condition: { action: 'changePricePlan' },
        action: { changePlan: { changePlanGT: move('P', 'Q'), changePlanLT: move('Q', 'P') } },
      },
    },
  };

  // proves price-plan-triggers/shrunken-pools
  it('that lost lines fires at the end of the month only the percentages that it reached by that', async () => {
    const scene = await makeClosingScene({ at: '2026-03-10T12:00:00Z', lines: [line(1), line(2)] });
    await scene.write(1, allowance);
    await scene.feed(imei(1), '2026-03-10T11:00:00Z', ALLOWANCE);
    await scene.world.import({ devices: [{ ...line(2), state: 'suspend' }] });
    await scene.advanceTo('2026-05-01T00:00:00Z');
    assert.deepEqual(
      (await scene.fired()).map(({ subject, kind, level, after, from }) => [
        subject,
        kind,
        level,
        after,
        from.slice(0, 10),
      ]),
      [
        [A, 'percent', 50, ALLOWANCE, '2026-03-01'],
        [A, 'percent', 100, ALLOWANCE, '2026-03-01'],
      ],
    );
  });

  // proves price-plan-triggers/below-the-pool
  it('that was not used up fires at the end of the month if its trigger has an action for that', async () => {
    const scene = await makeClosingScene({
      at: '2026-03-10T12:00:00Z',
      lines: [line(1), line(2, { accountName: B, servicePlan: 'Q' })],
    });
    await scene.write(1, poolMoves);
    await scene.feed(imei(1), '2026-03-10T11:00:00Z', 2 * ALLOWANCE);
    await scene.advanceTo('2026-05-01T00:00:00Z');
    assert.deepEqual(
      (await scene.fired()).map(({ subject, kind, level, after, from }) => [
        subject,
        kind,
        level,
        after,
        from.slice(0, 10),
      ]),
      [
        ['group 7', 'percent', 100, 2 * ALLOWANCE, '2026-03-01'],
        ['group 7', 'poolBelow', 100, 0, '2026-04-01'],
      ],
    );
  });
});

describe('a line that ages on its plan', () => {
  // proves 2.2.1-action/agingDetails price-plan-triggers/age
  it('fires after the given number of whole bill cycles, once for its stay', async () => {
    const scene = await makeClosingScene({
      at: '2026-01-15T00:00:00Z',
      accounts: { [A]: { billCycleDay: 31 } },
      lines: [
        line(1, { planSince: '2025-12-31T00:00:00Z' }),
        line(2, { planSince: '2025-12-31T00:00:01Z' }),
        line(3, { planSince: '2020-01-01T00:00:00Z' }),
      ],
    });
    await scene.write(1, ageing(2));
    await scene.advanceTo('2026-12-15T00:00:00Z');
    assert.deepEqual(
      (await scene.fired()).map(({ subject, at, kind, level, after }) => [
        subject,
        at.slice(0, 10),
        kind,
        level,
        after,
      ]),
      [
        [imei(3), '2026-01-31', 'billCycles', 2, 72],
        [imei(1), '2026-02-28', 'billCycles', 2, 2],
        [imei(2), '2026-03-31', 'billCycles', 2, 2],
      ],
    );
  });

  it('reports its whole bill cycles on the plan, without and with this one', async () => {
    const scene = await makeClosingScene({
      at: '2026-01-15T00:00:00Z',
      lines: [line(1, { planSince: '2025-11-01T00:00:00Z' }), line(2, { planSince: '2025-06-15T00:00:00Z' })],
    });
    await scene.write(1, ageing(2));
    await scene.advanceTo('2026-02-15T00:00:00Z');
    assert.deepEqual(
      await scene.db.many(sql`
        select d.imei, counted_before::int as before, counted_after::int as after, threshold::int as threshold
        from firing f join device d on d.ecpd_id = f.ecpd_id and d.device_id::text = f.subject order by d.imei`),
      [
        { imei: imei(1), before: 2, after: 3, threshold: 2 },
        { imei: imei(2), before: 6, after: 7, threshold: 2 },
      ],
    );
  });

  it('fires while it is suspended too, but not after it ended', async () => {
    const scene = await makeClosingScene({
      at: '2026-01-15T00:00:00Z',
      lines: [line(1), line(2, { state: 'deactive' }), line(3, { state: 'pre-active' })],
    });
    await scene.write(1, ageing(1));
    await scene.world.import({ devices: [{ ...line(1), state: 'suspend' }] });
    await scene.advanceTo('2026-02-15T00:00:00Z');
    await scene.world.import({ devices: [{ ...line(1), state: 'active' }] });
    await scene.advanceTo('2026-03-15T00:00:00Z');
    assert.deepEqual(
      (await scene.fired()).map(({ subject, at }) => [subject, at.slice(0, 10)]),
      [[imei(1), '2026-02-01']],
    );
  });

  // proves price-plan-triggers/age
  it('does not fire again after its firing was deleted, but does after it joins the plan again', async () => {
    const scene = await makeClosingScene({ at: '2026-01-15T00:00:00Z', lines: [line(1)] });
    await scene.write(1, ageing(1));
    await scene.advanceTo('2026-02-15T00:00:00Z');
    await scene.db.exec(sql`delete from firing`);
    await scene.advanceTo('2026-03-15T00:00:00Z');
    assert.deepEqual(await scene.fired(), []);
    await scene.world.import({ devices: [{ ...line(1), servicePlan: 'Q' }] });
    scene.world.pass(DAY_MS);
    await scene.world.import({ devices: [{ ...line(1), servicePlan: 'P' }] });
    await scene.advanceTo('2026-06-15T00:00:00Z');
    assert.deepEqual(
      (await scene.fired()).map(({ at }) => at.slice(0, 10)),
      ['2026-05-01'],
    );
  });
});
