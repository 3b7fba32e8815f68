import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AccountName, EcpdId } from '../../../kernel/account-name.ts';
import { sql } from '../../../platform/db/sql.ts';
import { reconcileUsage } from '../../usage/index.ts';
import { A, B, below, ECPD, imei, KB, openClosingScenes, paygRule } from './closing-scene.ts';

const sceneOf = await openClosingScenes();
type Scene = Awaited<ReturnType<typeof sceneOf>>;

const START = '2026-01-02T00:00:00Z';
const lines = [
  { imei: imei(1), accountName: A },
  { imei: imei(2), accountName: B },
];
const over = (kb: number, cycleType: string, more: object = {}) =>
  below(kb, cycleType, { comparator: 'gt', ...more });
const set = ({ world }: Scene, accountName: string, settings: object) =>
  world.import({ accounts: [{ accountName, ecpdId: ECPD, ...settings }] });

/** Feeds usage at its own time. */
async function use(scene: Scene, at: string, kb: number, device = imei(1)) {
  await scene.advanceTo(at);
  await scene.feed(device, at, kb * KB);
}

const firedFrom = async (scene: Scene) =>
  (await scene.fired()).map(({ at, from }) => `${at.slice(0, 16)} of ${from.slice(0, 16)}`);

const reconciled = async ({ world }: Scene, accountName: string) => {
  const found: unknown[] = [];
  const tenant = { ecpdId: ECPD as EcpdId, accountName: accountName as AccountName };
  let step = await reconcileUsage(world.ctx, tenant, undefined);
  for (; step.next !== undefined; step = await reconcileUsage(world.ctx, tenant, step.next))
    found.push(...step.differences);
  return [...found, ...step.differences];
};

describe('after a change of boundaries', () => {
  // proves usage/boundaries price-plan-triggers/moved-boundaries
  it('each new month fires, the open one ends as it would have, and the next begins there', async () => {
    const scene = await sceneOf({ at: START, lines });
    await scene.write(1, paygRule(over(5, 'Monthly')));
    await use(scene, '2026-01-10T12:00:00Z', 26);
    await scene.advanceTo('2026-01-12T12:00:00Z');
    await set(scene, A, { billCycleDay: 15 });
    await use(scene, '2026-01-20T12:00:00Z', 26);
    await use(scene, '2026-02-03T12:00:00Z', 26);
    await use(scene, '2026-02-14T12:00:00Z', 26);
    await use(scene, '2026-02-16T12:00:00Z', 26);
    await use(scene, '2026-03-16T12:00:00Z', 4);
    await use(scene, '2026-03-17T12:00:00Z', 4);
    assert.deepEqual(await firedFrom(scene), [
      '2026-01-10T12:00 of 2026-01-01T00:00',
      '2026-02-03T12:00 of 2026-02-01T00:00',
      '2026-02-16T12:00 of 2026-02-15T00:00',
      '2026-03-17T12:00 of 2026-03-15T00:00',
    ]);
    assert.deepEqual(await reconciled(scene, A), []);
  });

  // proves usage/boundaries price-plan-triggers/moved-boundaries
  it('each new day fires, in a zone to the west and in one to the east', async () => {
    const zones = [
      ['America/Chicago', ['2026-01-15T02:00', '2026-01-15T07:00'], ['2026-01-15T00:00', '2026-01-15T06:00']],
      ['Asia/Tokyo', ['2026-01-15T02:00', '2026-01-15T16:00'], ['2026-01-15T00:00', '2026-01-15T15:00']],
    ] as const;
    for (const [timeZone, at, from] of zones) {
      const scene = await sceneOf({ at: START, lines });
      await scene.writeAll([
        [1, paygRule(over(5, 'Daily'))],
        [2, paygRule(over(5, 'Daily', { conditionType: 'AccountLevel', separateOrCombined: 'Combined' }))],
      ]);
      await use(scene, '2026-01-14T10:00:00Z', 26);
      await scene.advanceTo('2026-01-14T12:00:00Z');
      await set(scene, A, { timeZone });
      await use(scene, '2026-01-14T23:00:00Z', 26);
      for (const time of at) await use(scene, `${time}:00Z`, 26);
      const expected = [
        '2026-01-14T10:00 of 2026-01-14T00:00',
        ...at.map((time, n) => `${time} of ${from[n]}`),
      ];
      const twice = expected.flatMap((one) => [one, one]);
      assert.deepEqual(await firedFrom(scene), twice, timeZone);
      assert.deepEqual(await reconciled(scene, A), []);
    }
  });

  // proves price-plan-triggers/moved-boundaries
  it('weeks and months end at the old midnight, and what is used until the new one is a cycle of its own', async () => {
    const scene = await sceneOf({ at: START, lines });
    await scene.writeAll([
      [1, paygRule(over(5, 'Weekly'))],
      [2, paygRule(over(5, 'Monthly'))],
    ]);
    await scene.advanceTo('2026-01-28T12:00:00Z');
    await set(scene, A, { timeZone: 'America/Chicago' });
    for (const at of [
      '2026-01-31T23:00:00Z',
      '2026-02-01T03:00:00Z',
      '2026-02-01T07:00:00Z',
      '2026-02-02T03:00:00Z',
    ])
      await use(scene, at, 6);
    await use(scene, '2026-02-02T07:00:00Z', 6);
    assert.deepEqual(
      (await scene.fired()).map(({ trigger, at, from }) => [trigger, at.slice(5, 16), from.slice(5, 16)]),
      [
        [2, '01-31T23:00', '01-01T00:00'],
        [1, '01-31T23:00', '01-26T00:00'],
        [2, '02-01T03:00', '02-01T00:00'],
        [2, '02-01T07:00', '02-01T06:00'],
        [1, '02-02T03:00', '02-02T00:00'],
        [1, '02-02T07:00', '02-02T06:00'],
      ],
    );
    assert.deepEqual(await reconciled(scene, A), []);
  });

  // proves price-plan-triggers/moved-boundaries
  it('a reordered list of accounts follows its first account from the end of the open cycle', async () => {
    const scene = await sceneOf({
      at: START,
      accounts: { [B]: { timeZone: 'America/Chicago', billCycleDay: 15 } },
      lines,
    });
    const together = over(5, 'Monthly', { conditionType: 'AccountLevel', separateOrCombined: 'Combined' });
    await scene.write(1, paygRule(together, [A, B]));
    await use(scene, '2026-01-10T12:00:00Z', 26);
    await scene.advanceTo('2026-01-12T12:00:00Z');
    await scene.write(1, paygRule(together, [B, A]));
    await use(scene, '2026-01-20T12:00:00Z', 26, imei(2));
    await use(scene, '2026-02-03T12:00:00Z', 26);
    await use(scene, '2026-02-16T12:00:00Z', 3);
    await use(scene, '2026-02-17T12:00:00Z', 3, imei(2));
    assert.deepEqual(await firedFrom(scene), [
      '2026-01-10T12:00 of 2026-01-01T00:00',
      '2026-02-03T12:00 of 2026-02-01T00:00',
      '2026-02-17T12:00 of 2026-02-15T06:00',
    ]);
  });

  // proves price-plan-triggers/moved-boundaries
  it('a firing in the cycle of an account that is no longer watched is that of the first one that is', async () => {
    const scene = await sceneOf({ at: START, lines });
    const together = { conditionType: 'AccountLevel', separateOrCombined: 'Combined' };
    const rules = [over(5, 'Monthly', together), below(60, 'Monthly', together)];
    for (const [n, rule] of rules.entries()) await scene.write(n + 1, paygRule(rule, [A, B]));
    await scene.advanceTo('2026-01-12T12:00:00Z');
    for (const [n, rule] of rules.entries()) await scene.write(n + 1, paygRule(rule, [B]));
    await use(scene, '2026-01-20T12:00:00Z', 26, imei(2));
    await scene.advanceTo('2026-02-02T00:00:00Z');
    const { db } = scene.world.ctx;
    assert.deepEqual(await db.values(sql`select account_name from firing order by fired_at`), [B, B]);
  });

  // proves usage/boundaries
  it('the last of several changes in one cycle holds, and one that is taken back changes nothing', async () => {
    const scene = await sceneOf({ at: START, lines });
    await scene.write(1, paygRule(over(5, 'Monthly')));
    for (const billCycleDay of [15, 20, 10]) await set(scene, A, { billCycleDay });
    await use(scene, '2026-02-09T12:00:00Z', 6);
    await use(scene, '2026-02-11T12:00:00Z', 6);
    await set(scene, A, { billCycleDay: 25 });
    await set(scene, A, { billCycleDay: 10 });
    await use(scene, '2026-03-09T12:00:00Z', 6);
    await use(scene, '2026-03-11T12:00:00Z', 6);
    assert.deepEqual(await firedFrom(scene), [
      '2026-02-09T12:00 of 2026-02-01T00:00',
      '2026-02-11T12:00 of 2026-02-10T00:00',
      '2026-03-11T12:00 of 2026-03-10T00:00',
    ]);
  });

  // proves price-plan-triggers/less-than
  it('usage below a level is not decided for a cycle that was shortened', async () => {
    const scene = await sceneOf({ at: START, lines });
    const total = { conditionType: 'AccountLevel', separateOrCombined: 'Combined' };
    await scene.writeAll([
      [1, paygRule(below(5, 'Monthly'))],
      [2, paygRule(below(5, 'Monthly', total), [A, B])],
    ]);
    await set(scene, A, { billCycleDay: 20 });
    await scene.advanceTo('2026-03-21T00:00:00Z');
    assert.deepEqual(
      (await scene.fired()).map(({ trigger, at }) => [trigger, at.slice(0, 10)]),
      [
        [1, '2026-02-01'],
        [2, '2026-02-01'],
        [1, '2026-03-20'],
        [2, '2026-03-20'],
      ],
    );
  });

  // proves price-plan-triggers/moved-boundaries
  it('an upgrade fires nothing again in the open cycle, and the next cycle fires', async () => {
    const scene = await sceneOf({ at: START, lines });
    await scene.write(1, paygRule(over(5, 'Monthly')));
    await use(scene, '2026-01-10T12:00:00Z', 26);
    // As an earlier version left it: the settings had changed, and the firing names the cycle by the old ones.
    await scene.db.exec(sql`update firing set exact = false`);
    await scene.db.exec(sql`update account set bill_cycle_day = 5 where account_name = ${A}`);
    await scene.write(1, paygRule(over(4, 'Monthly')));
    await scene.write(1, paygRule(over(5, 'Monthly')));
    await use(scene, '2026-01-11T12:00:00Z', 1);
    assert.deepEqual(await firedFrom(scene), ['2026-01-10T12:00 of 2026-01-01T00:00']);
    await use(scene, '2026-02-05T12:00:00Z', 6);
    assert.deepEqual((await firedFrom(scene)).slice(1), ['2026-02-05T12:00 of 2026-02-05T00:00']);
  });
});
