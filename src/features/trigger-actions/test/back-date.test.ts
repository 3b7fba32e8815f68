import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listPlanChanges } from '../../devices/test/plan-changes.ts';
import { backDating, MB, makeBackDateWorld, notifying, poolMoving } from './back-date-scene.ts';
import { outcomesOf } from './scene.ts';

const nextScene = await makeBackDateWorld();

const upward = backDating(['C-1', 'C-3', 90]);

describe('a change of plan that begins with the bill cycle', () => {
  // proves price-plan-triggers/backdate
  it('moves all usage of the cycle, whenever it arrives, and bills it by the new plan', async () => {
    const scene = nextScene();
    const half = await scene.create(notifying('C-3', 50));
    await scene.create(upward);
    await scene.use({ mb: 9, at: '2026-01-10T12:00:00Z' });
    assert.deepEqual(await scene.plansOf(0), ['S3']);
    assert.deepEqual((await scene.deviceOf()).since, new Date('2026-01-01T00:00:00Z'));
    assert.deepEqual(await scene.daysOf('line'), ['01-10 S3 9']);
    await scene.use({ mb: 2, at: '2026-01-05T12:00:00Z' }, { mb: 3 });
    assert.deepEqual(await scene.daysOf('line'), ['01-05 S3 2', '01-10 S3 9', '01-12 S3 3']);
    assert.deepEqual(await scene.daysOf('account'), ['01-05 S3 2', '01-10 S3 9', '01-12 S3 3']);
    assert.equal(await scene.billOf(2026, 1), 5.6);
    const fired = await scene.firingsOf(half);
    assert.deepEqual(
      fired.map(({ before, after }) => [before, after]),
      [[11 * MB, 14 * MB]],
    );
    assert.deepEqual(await scene.differences(), []);
  });

  // proves price-plan-triggers/moved-usage
  it('fires each level that the moved usage passed once, without a record, and says why', async () => {
    const scene = nextScene();
    const half = await scene.create(notifying('C-2', 50));
    await scene.create(backDating(['C-1', 'C-2', 90]));
    await scene.use({ mb: 5, at: '2026-01-10T12:00:00Z' }, { mb: 4 });
    const [fired, ...others] = await scene.firingsOf(half);
    assert.deepEqual(others, []);
    const { usageRecordId, cause, before, after, late, cycle } = fired!;
    assert.deepEqual([usageRecordId, cause, before, after, late], [null, 'planChange', 0, 9 * MB, false]);
    assert.deepEqual(cycle, { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' });
    const alert = (await scene.alerts()).find(({ triggerId }) => triggerId === half);
    assert.equal(alert.cause, 'planChange');
    assert.match(alert.message, /^By a change of plan: /);
    await scene.use({ mb: 1 });
    assert.equal((await scene.firingsOf(half)).length, 1);
  });

  // proves price-plan-triggers/backdate
  it('keeps the charges of records as they are', async () => {
    const scene = nextScene();
    await scene.create(upward);
    await scene.use({ mb: 4, at: '2026-01-03T12:00:00Z', chargeAmount: 7 }, { mb: 5 });
    assert.equal(await scene.billOf(2026, 1), 7 + 5 * 0.4);
    assert.deepEqual(await scene.differences(), []);
  });

  // proves price-plan-triggers/backdate
  it('overwrites other changes of the cycle, and the history of plans says so', async () => {
    const scene = nextScene();
    await scene.create(upward);
    scene.at('2026-01-08T12:00:00Z');
    await scene.change('X');
    await scene.use({ mb: 1 });
    scene.at('2026-01-10T12:00:00Z');
    await scene.change('S1');
    scene.at('2026-01-12T12:00:00Z');
    await scene.use({ mb: 2, at: '2026-01-07T12:00:00Z' }, { mb: 7 });
    await scene.use({ mb: 3, at: '2026-01-09T12:00:00Z' });
    assert.deepEqual(await scene.daysOf('line'), ['01-07 S3 2', '01-08 S3 1', '01-09 S3 3', '01-12 S3 7']);
    const { id } = await scene.deviceOf();
    const changes = await listPlanChanges(scene.db, scene.tenant, id);
    assert.deepEqual(
      changes.map(({ planCode, overwritten }) => [planCode, overwritten]),
      [
        ['S3', false],
        ['S1', true],
        ['X', true],
        ['S1', false],
      ],
    );
    assert.deepEqual(await scene.differences(), []);
  });

  // proves price-plan-triggers/backdate
  it('undoes nothing, and a level that has fired does not fire again in its cycle', async () => {
    const scene = nextScene();
    const half = await scene.create(notifying('C-1', 50));
    await scene.create(upward);
    await scene.use({ mb: 9 });
    await scene.change('S1');
    await scene.use({ mb: 6 });
    const fired = await scene.firingsOf(half);
    assert.deepEqual(
      fired.map(({ before, after }) => [before, after]),
      [[0, 9 * MB]],
    );
    assert.deepEqual(await scene.daysOf('line'), ['01-12 S1 6', '01-12 S3 9']);
  });

  // proves price-plan-triggers/backdate
  it('is refused the fifth time in a month, and then moves nothing', async () => {
    const scene = nextScene();
    const id = await scene.create(upward);
    for (const plan of ['X', 'S1', 'X', 'S1']) await scene.change(plan);
    await scene.use({ mb: 9 });
    const [[state, reason] = []] = outcomesOf(await scene.firingsOf(id));
    assert.equal(state, 'failed');
    assert.match(reason ?? '', /four times/);
    assert.deepEqual(await scene.daysOf('line'), ['01-12 S1 9']);
    assert.deepEqual((await scene.deviceOf()).plan, 'S1');
  });

  // proves price-plan-triggers/backdate
  it('begins when the line joined the account, if that was later', async () => {
    const scene = nextScene();
    await scene.create(upward);
    scene.at('2026-01-08T06:00:00Z');
    const devices = [{ deviceIds: [{ id: scene.imei(50), kind: 'imei' }] }];
    await scene.call('POST', '/m2m/v1/devices/actions/activate', {
      accountName: scene.a,
      servicePlan: 'S1',
      devices,
      mdnZipCode: '98801',
    });
    await scene.world.engine.settle();
    scene.at('2026-01-12T12:00:00Z');
    await scene.use(
      { line: 50, mb: 2, at: '2026-01-07T12:00:00Z' },
      { line: 50, mb: 1, at: '2026-01-08T05:00:00Z' },
      { line: 50, mb: 9, at: '2026-01-08T07:00:00Z' },
    );
    const { plan, since } = await scene.deviceOf(50);
    assert.deepEqual([plan, since], ['S3', new Date('2026-01-08T06:00:00Z')]);
    assert.deepEqual(await scene.daysOf('line', 50), ['01-07  2', '01-08  1', '01-08 S3 9']);
    assert.deepEqual(await scene.differences(), []);
  });

  // proves price-plan-triggers/backdate
  it('applies to the cycle that begins if it is decided when one closes, and keeps the closed one unchanged', async () => {
    const scene = nextScene();
    const id = await scene.create(poolMoving('changePlanLT', 'C-1', 'C-2'));
    await scene.change('S3', 1);
    await scene.change('S3', 2);
    await scene.create(poolMoving('changePlanLT', 'C-3', 'C-1'));
    await scene.use({ line: 1, mb: 9 }, { line: 2, mb: 1 });
    await scene.liveTo('2026-02-01T00:00:00Z');
    await scene.world.engine.settle();
    assert.equal((await scene.firingsOf(id)).length, 1);
    assert.deepEqual(await scene.plansOf(1, 2), ['S1', 'S1']);
    assert.deepEqual((await scene.deviceOf(1)).since, new Date('2026-02-01T00:00:00Z'));
    assert.deepEqual(await scene.daysOf('line', 1), ['01-12 S3 9']);
    await scene.liveTo('2026-02-01T10:00:00Z');
    await scene.use({ line: 1, mb: 1, at: '2026-01-31T12:00:00Z' }, { line: 1, mb: 1 });
    assert.deepEqual(await scene.daysOf('line', 1), ['01-12 S3 9', '01-31 S3 1', '02-01 S1 1']);
  });
});
