import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '../../../platform/db/sql.ts';
import { closeCycles } from '../closings/close-cycles.ts';
import { A, B, below, ECPD, imei, KB, openClosingScenes, paygRule } from './closing-scene.ts';

const makeClosingScene = await openClosingScenes();

const line = (n: number, more: object = {}) => ({ imei: imei(n), accountName: A, ...more });
const CHICAGO = { timeZone: 'America/Chicago' };

// proves price-plan-triggers/less-than
describe('a line below its threshold', () => {
  // proves 2.2.1-condition/comparator price-plan-triggers/less-than
  it('fires when the cycle closes, also without any usage, and not while it is open', async () => {
    const scene = await makeClosingScene({ at: '2026-03-10T12:00:00Z', lines: [line(1), line(2), line(3)] });
    await scene.write(1, paygRule(below(2, 'Daily')));
    await scene.feed(imei(1), '2026-03-10T11:00:00Z', 2 * KB - 1);
    await scene.feed(imei(2), '2026-03-10T11:00:00Z', 2 * KB);
    await scene.advanceTo('2026-03-10T23:59:59Z');
    assert.deepEqual(await scene.fired(), []);
    await scene.advanceTo('2026-03-11T00:00:00Z');
    const from = '2026-03-10T00:00:00.000Z';
    assert.deepEqual(
      (await scene.fired()).map(({ subject, kind, level, after, from }) => ({
        subject,
        kind,
        level,
        after,
        from,
      })),
      [
        { subject: imei(1), kind: 'bytes', level: 2 * KB, after: 2 * KB - 1, from },
        { subject: imei(3), kind: 'bytes', level: 2 * KB, after: 0, from },
      ],
    );
  });

  it('fires only if it is active and on the plan, and was before the cycle ended', async () => {
    const scene = await makeClosingScene({
      at: '2026-03-10T12:00:00Z',
      lines: [
        line(1),
        line(2, { state: 'suspend' }),
        line(3, { servicePlan: 'Q' }),
        line(4, { planSince: '2026-03-11T00:00:00Z' }),
        line(5, { accountName: B }),
      ],
    });
    await scene.write(1, paygRule(below(2, 'Daily')));
    await scene.wakeAt('2026-03-11T09:00:00Z');
    assert.deepEqual(
      (await scene.fired()).map(({ subject }) => subject),
      [imei(1)],
    );
  });

  it('fires by the zone of its account, on days of 23 and 25 hours too', async () => {
    const scene = await makeClosingScene({
      at: '2026-03-08T05:59:00Z',
      accounts: { [A]: CHICAGO },
      lines: [line(1)],
    });
    await scene.write(1, paygRule(below(1, 'Daily')));
    await scene.advanceTo('2026-03-09T12:00:00Z');
    assert.deepEqual(
      (await scene.fired()).map(({ from, at }) => [from, at]),
      [
        ['2026-03-07T06:00:00.000Z', '2026-03-08T06:00:00.000Z'],
        ['2026-03-08T06:00:00.000Z', '2026-03-09T05:00:00.000Z'],
      ],
    );
    await scene.write(1, paygRule(below(1, 'Daily')), { active: false });
    await scene.advanceTo('2026-11-01T12:00:00Z');
    await scene.write(1, paygRule(below(1, 'Daily')), { active: true });
    await scene.advanceTo('2026-11-02T07:00:00Z');
    assert.deepEqual(
      (await scene.fired()).slice(2).map(({ from, at }) => [from, at]),
      [['2026-11-01T05:00:00.000Z', '2026-11-02T06:00:00.000Z']],
    );
  });

  it('is found once in an account that takes several transactions', async () => {
    const lines = Array.from({ length: 2_001 }, (_, n) => line(n + 1));
    const scene = await makeClosingScene({ at: '2026-03-10T12:00:00Z', lines });
    await scene.write(1, paygRule(below(1, 'Daily')));
    await scene.wakeAt('2026-03-11T00:00:00Z');
    assert.equal(new Set((await scene.fired()).map(({ subject }) => subject)).size, 2_001);
  });
});

// proves price-plan-triggers/less-than
describe('a month that closes', () => {
  // proves usage/day-and-cycle
  it('in one advance over several months closes each time, in order and once, on a bill-cycle day that some months lack', async () => {
    const scene = await makeClosingScene({
      at: '2026-01-15T00:00:00Z',
      accounts: { [A]: { billCycleDay: 31 } },
      lines: [line(1)],
    });
    await scene.write(1, paygRule(below(1, 'Monthly')));
    await scene.advanceTo('2026-05-15T00:00:00Z');
    assert.deepEqual(
      (await scene.fired()).map(({ from, at }) => [from.slice(0, 10), at.slice(0, 10)]),
      [
        ['2025-12-31', '2026-01-31'],
        ['2026-01-31', '2026-02-28'],
        ['2026-02-28', '2026-03-31'],
        ['2026-03-31', '2026-04-30'],
      ],
    );
  });

  it('while the service was down is closed after its restart, with every missed month by its own usage', async () => {
    const scene = await makeClosingScene({ at: '2026-03-10T12:00:00Z', lines: [line(1)] });
    await scene.write(1, paygRule(below(2, 'Daily')));
    await scene.wakeAt('2026-03-10T13:00:00Z');
    scene.world.clock.holdAt(new Date('2026-03-13T01:00:00Z'));
    await scene.feed(imei(1), '2026-03-10T15:00:00Z', KB);
    await scene.feed(imei(1), '2026-03-11T15:00:00Z', 3 * KB);
    await scene.world.engine.settle();
    assert.deepEqual(
      (await scene.fired()).map(({ from, after }) => [from.slice(0, 10), after]),
      [
        ['2026-03-10', KB],
        ['2026-03-12', 0],
      ],
    );
  });

  it('is closed once by two concurrent workers, and no action runs twice', async () => {
    const scene = await makeClosingScene({ at: '2026-03-10T12:00:00Z', lines: [line(1), line(2)] });
    await scene.write(1, paygRule(below(1, 'Daily')));
    scene.world.clock.holdAt(new Date('2026-03-12T00:00:00Z'));
    const followed: string[] = [];
    const close = () =>
      closeCycles(
        scene.world.ctx,
        ECPD,
        async (_ctx, _ecpdId, firings) => {
          followed.push(...firings.map(({ firingId }) => firingId));
        },
        new AbortController().signal,
      );
    await Promise.all([close(), close(), close()]);
    await close();
    assert.equal((await scene.fired()).length, 4);
    assert.deepEqual([followed.length, new Set(followed).size], [4, 4]);
  });

  it('writes nothing if its actions fail, and is closed on the next attempt', async () => {
    const scene = await makeClosingScene({ at: '2026-03-10T12:00:00Z', lines: [line(1)] });
    await scene.write(1, paygRule(below(1, 'Daily')));
    scene.world.clock.holdAt(new Date('2026-03-11T00:00:00Z'));
    const { signal } = new AbortController();
    await assert.rejects(
      closeCycles(scene.world.ctx, ECPD, () => Promise.reject(new Error('not now')), signal),
      /not now/,
    );
    assert.deepEqual(await scene.fired(), []);
    await closeCycles(scene.world.ctx, ECPD, async () => {}, signal);
    assert.equal((await scene.fired()).length, 1);
  });

  it('is found within the hour if its job was lost', async () => {
    const scene = await makeClosingScene({ at: '2026-03-10T12:00:00Z', lines: [line(1)] });
    await scene.world.engine.addRecurring();
    await scene.world.engine.settle();
    await scene.write(1, paygRule(below(1, 'Daily')));
    await scene.db.exec(sql`delete from job where kind = 'price-plan-triggers.close-cycle'`);
    await scene.wakeAt('2026-03-11T01:00:00Z');
    assert.equal((await scene.fired()).length, 1);
  });

  it('is deleted some days after it was closed', async () => {
    const scene = await makeClosingScene({ at: '2026-03-10T12:00:00Z', lines: [line(1)] });
    await scene.write(1, paygRule(below(1, 'Daily')));
    await scene.advanceTo('2026-04-10T12:00:00Z');
    await scene.world.engine.addRecurring();
    scene.world.pass(60_000);
    await scene.world.engine.settle();
    const [kept] = await scene.db.many<{ n: number }>(sql`select count(*)::int as n from price_plan_closing`);
    assert.ok(kept!.n <= 9, String(kept!.n));
    assert.equal((await scene.fired()).length, 31);
  });
});
