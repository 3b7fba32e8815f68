import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asUser, CLIENT, USER } from '../../../../test/support/fleet.ts';
import { A, B, below, ECPD, imei, KB, openClosingScenes, paygRule, triggerId } from './closing-scene.ts';

const makeClosingScene = await openClosingScenes();

const line = (n: number, more: object = {}) => ({ imei: imei(n), accountName: A, ...more });
const CHICAGO = { timeZone: 'America/Chicago' };

describe('a trigger', () => {
  // proves 2.2/active 3/trigger-active
  it('that was switched off, deleted or reversed before the end of the cycle fires nothing', async () => {
    const scene = await makeClosingScene({
      at: '2026-03-10T12:00:00Z',
      lines: [line(1)],
      people: { clients: [CLIENT], users: [{ ...USER, accounts: [A] }] },
    });
    for (const n of [1, 2, 3, 4]) await scene.write(n, paygRule(below(1, 'Daily')));
    await scene.write(1, paygRule(below(1, 'Daily')), { active: false });
    const { call } = await asUser(scene.world);
    const deleted = await call('DELETE', `/m2m/v2/triggers/${triggerId(2)}`);
    assert.equal(deleted.statusCode, 200, deleted.body);
    await scene.write(3, paygRule(below(1, 'Daily', { comparator: 'gt' })));
    await scene.advanceTo('2026-03-11T12:00:00Z');
    assert.deepEqual(
      (await scene.fired()).map(({ trigger }) => trigger),
      [4],
    );
  });

  it('that was edited is evaluated as it is when the cycle closes, for each of its cycles', async () => {
    const scene = await makeClosingScene({ at: '2026-03-10T12:00:00Z', lines: [line(1)] });
    await scene.write(1, paygRule(below(1, 'Daily')));
    await scene.feed(imei(1), '2026-03-10T11:00:00Z', 3 * KB);
    await scene.write(1, paygRule(below(4, 'Daily')));
    await scene.advanceTo('2026-03-12T00:00:00Z');
    assert.deepEqual(
      (await scene.fired()).map(({ level, after }) => [level, after]),
      [
        [4 * KB, 3 * KB],
        [4 * KB, 0],
      ],
    );
  });

  // proves 3/trigger-active
  it('that is switched on again waits for the end of that cycle', async () => {
    const scene = await makeClosingScene({ at: '2026-03-10T12:00:00Z', lines: [line(1)] });
    await scene.write(1, paygRule(below(1, 'Daily')));
    await scene.write(1, paygRule(below(1, 'Daily')), { active: false });
    await scene.advanceTo('2026-03-12T12:00:00Z');
    await scene.write(1, paygRule(below(1, 'Daily')), { active: true });
    await scene.advanceTo('2026-03-13T12:00:00Z');
    assert.deepEqual(
      (await scene.fired()).map(({ from }) => from.slice(0, 10)),
      ['2026-03-12'],
    );
  });

  // proves price-plan-triggers/moved-boundaries
  it('whose account moves east or west is evaluated when its day would have ended', async () => {
    const scene = await makeClosingScene({
      at: '2026-03-10T12:00:00Z',
      accounts: { [A]: CHICAGO, [B]: CHICAGO },
      lines: [line(1), line(2, { accountName: B })],
    });
    await scene.write(1, paygRule(below(1, 'Daily'), [A, B]));
    const move = (accountName: string, timeZone: string) =>
      scene.world.import({ accounts: [{ accountName, ecpdId: ECPD, timeZone }] });
    await move(A, 'Asia/Kolkata');
    await move(B, 'Pacific/Honolulu');
    // The shorter days that follow are not judged.
    await scene.advanceTo('2026-03-12T11:00:00Z');
    assert.deepEqual(
      (await scene.fired()).map(({ subject, at }) => [subject, at]),
      [
        [imei(1), '2026-03-11T05:00:00.000Z'],
        [imei(2), '2026-03-11T05:00:00.000Z'],
        [imei(2), '2026-03-12T10:00:00.000Z'],
      ],
    );
  });

  it('continues with the cycles of the next account when the account that defined its cycles is deleted', async () => {
    const scene = await makeClosingScene({
      at: '2026-03-10T12:00:00Z',
      lines: [line(1), line(2, { accountName: B })],
    });
    const together = { conditionType: 'AccountLevel', separateOrCombined: 'Combined' };
    await scene.write(1, paygRule(below(1, 'Daily', together), [A, B]));
    await scene.write(2, paygRule(below(1, 'Daily', { ...together, comparator: 'gt' }), [A, B]));
    const gone = await scene.world.operator('DELETE', `/accounts/${A}?confirm=${A}`);
    assert.ok(gone.statusCode < 300, gone.body);
    await scene.advanceTo('2026-03-11T12:00:00Z');
    await scene.feed(imei(2), '2026-03-11T11:00:00Z', 2 * KB);
    assert.deepEqual(
      (await scene.fired()).map(({ trigger, subject, after }) => [trigger, subject, after]),
      [
        [1, 'combined', 0],
        [2, 'combined', 2 * KB],
      ],
    );
  });

  it('can be changed after one of its accounts was deleted, and continues with the others', async () => {
    const scene = await makeClosingScene({
      at: '2026-03-10T12:00:00Z',
      lines: [line(1), line(2, { accountName: B })],
    });
    await scene.write(
      1,
      paygRule(below(1, 'Daily', { conditionType: 'AccountLevel', separateOrCombined: 'Combined' }), [A, B]),
    );
    const gone = await scene.world.operator('DELETE', `/accounts/${A}?confirm=${A}`);
    assert.ok(gone.statusCode < 300, gone.body);
    await scene.world.import({ pricePlanTriggers: [{ triggerName: 't1', ecpdId: ECPD, active: false }] });
    await scene.world.import({ pricePlanTriggers: [{ triggerName: 't1', ecpdId: ECPD, active: true }] });
    await scene.advanceTo('2026-03-11T00:00:00Z');
    assert.deepEqual(
      (await scene.fired()).map(({ subject }) => subject),
      ['combined'],
    );
  });
});
