import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '../../../platform/db/sql.ts';
import { createAlertScheduler, createRuleCache } from '../index.ts';
import type { WireAlert } from '../schemas.ts';
import { at, hotter, imeiOf, MINUTE, makeScene } from './scene.ts';

const { world, deviceIdOf, withRule, writeRule, changeRule, feed, alertsOf, story, callbacks } =
  await makeScene();

/** Sets the clock at once, as after downtime, then does the due work. */
async function moveTo(minute: number) {
  world.clock.holdAt(new Date(at(minute)));
  await world.watcher.settle();
}
const reasons = async (n: number) => (await alertsOf(n)).map(({ clearedreason }) => clearedreason);

describe('a rule', () => {
  // proves rules/changed-rules
  it('with a duration fires at its end without another reading, unless a reading contradicts it', async () => {
    const rule = { when: hotter(30), for: 'PT10M' };
    const [holding, broken] = [await withRule(rule), await withRule(rule)];
    await feed(holding, [0, 31], [5, 35]);
    await feed(broken, [0, 31], [5, 29], [6, 31]);
    await moveTo(9);
    assert.deepEqual(await story(holding), []);
    await moveTo(12);
    assert.deepEqual([await story(holding), await story(broken)], [[[10, null]], []]);
    await moveTo(17);
    assert.deepEqual(await story(broken), [[16, null]]);
    await moveTo(30);
    assert.equal((await alertsOf(holding)).length, 1);
  });

  // proves rules/changed-rules
  it('with hysteresis stays raised until the value is beyond the margin', async () => {
    const n = await withRule({ when: hotter(30), hysteresis: 2 });
    await feed(n, [40, 31], [41, 29], [42, 31], [43, 28], [44, 29]);
    assert.deepEqual(await story(n), [[40, 43]]);
  });

  it('with a cool-down fires again when it ends if the condition holds then', async () => {
    const n = await withRule({ when: hotter(30), coolDown: 'PT10M' });
    await feed(n, [50, 31], [51, 10], [52, 31], [53, 10], [54, 31]);
    assert.deepEqual(await story(n), [[50, 51]]);
    await moveTo(70);
    assert.deepEqual(await story(n), [
      [50, 51],
      [60, null],
    ]);
  });

  it('of absence fires at its time, even for a device without any reading, and the next reading clears it', async () => {
    const [silent, heard] = [await withRule({ absent: 'PT20M' }), await withRule({ absent: 'PT20M' })];
    await feed(heard, [80, 1], [85, 1]);
    await moveTo(120);
    assert.deepEqual([await story(silent), await story(heard)], [[[90, null]], [[105, null]]]);
    await feed(heard, [121, 1]);
    assert.deepEqual(await story(heard), [[105, 121]]);
    const [{ id, description } = {}] = await alertsOf(heard);
    assert.equal(description, `rule ${heard}: no reading since ${at(85)}`);
    assert.deepEqual(
      (await callbacks(id)).map(({ state }) => state),
      ['raised', 'cleared'],
    );
    await changeRule(silent, { disabled: true });
    await changeRule(heard, { disabled: true });
  });

  it('is not written by readings that change nothing but the time of the last one', async () => {
    const n = await withRule({ absent: 'PT30M' });
    const stamp = async () =>
      (
        await world.ctx.db.one<{ stamp: string }>(sql`
          select xmin::text as stamp from rule_state where device_id = ${await deviceIdOf(n)}`)
      ).stamp;
    await feed(n, [125, 1]);
    const before = await stamp();
    await feed(n, [126, 1], [127, 2]);
    assert.equal(await stamp(), before);
    await moveTo(158);
    assert.deepEqual(await story(n), [[157, null]]);
    await changeRule(n, { disabled: true });
  });

  it('continues after a restart, and alerts that became due in between are raised once, with their due time', async () => {
    const n = await withRule({ when: hotter(30), for: 'PT10M' });
    await feed(n, [160, 31]);
    world.pass(60 * MINUTE);
    // Another process on the same database that knows none of it, next to the one that was slow to stop.
    const other = createAlertScheduler(world.ctx, { cache: createRuleCache(), count: () => {} });
    await Promise.all([other.settle(), world.watcher.settle(), other.settle()]);
    assert.deepEqual(await story(n), [[170, null]]);
    const [{ id } = {}] = await alertsOf(n);
    assert.equal((await callbacks(id)).length, 1);
  });

  it('starts from scratch when it is changed, and clears its open alert with the reason', async () => {
    const n = await withRule({ when: hotter(30), for: 'PT10M' });
    await feed(n, [230, 31], [240, 31]);
    await changeRule(n, { rulechain: { when: hotter(20), for: 'PT5M' } });
    assert.deepEqual(await reasons(n), ['the rule was changed']);
    await feed(n, [241, 31]);
    assert.equal((await alertsOf(n)).length, 1);
    await moveTo(246);
    assert.equal((await alertsOf(n)).length, 2);
    await changeRule(n, { disabled: true });
    assert.deepEqual(await reasons(n), ['the rule was disabled', 'the rule was changed']);
    await feed(n, [250, 50]);
    await moveTo(260);
    assert.equal((await alertsOf(n)).length, 2);
    const [{ id } = {}] = await alertsOf(n);
    assert.deepEqual(
      (await callbacks(id)).map(({ state, message }) => [state, message]),
      [
        ['raised', `rule ${n}: the condition is met`],
        ['cleared', 'the rule was disabled'],
      ],
    );
  });

  it('that was changed applies to a feed before the scheduler has applied the change', async () => {
    const n = await withRule(hotter(30));
    await feed(n, [261, 31]);
    await writeRule(n, { rulechain: hotter(50) });
    await feed(n, [262, 31]);
    assert.deepEqual(await reasons(n), ['the rule was changed']);
    await feed(n, [262, 31]);
    await feed(n, [263, 32]);
    await world.watcher.settle();
    const [{ id }, ...others] = (await alertsOf(n)) as [WireAlert, ...WireAlert[]];
    assert.deepEqual([others.length, (await callbacks(id)).length], [0, 2]);
  });

  // proves rules/syntax
  it('in an unknown dialect is inert, and clears its open alert when it becomes inert', async () => {
    const camel = await withRule(hotter(30), { rulesyntax: 'camel' });
    await feed(camel, [263, 31]);
    assert.deepEqual(await alertsOf(camel), []);
    const n = await withRule(hotter(30), { rulesyntax: 'JSON' });
    await feed(n, [263, 31]);
    await changeRule(n, { rulesyntax: 'camel' });
    assert.deepEqual(await reasons(n), ['the rule is no longer evaluated']);
  });

  it('is deleted with its device: its open alert is cleared with a callback, and nothing stays due', async () => {
    const n = await withRule({ when: hotter(30), absent: 'PT5M' });
    await feed(n, [264, 31]);
    const [{ id } = {}] = await alertsOf(n);
    assert.equal((await world.operator('DELETE', `/devices/imei/${imeiOf(n)}`)).statusCode, 200);
    await world.watcher.settle();
    assert.deepEqual(
      (await callbacks(id)).map(({ message }) => message),
      [`rule ${n}: the condition is met`, 'the device was deleted'],
    );
    const { states } = await world.ctx.db.one<{ states: number }>(
      sql`select count(*)::int as states from rule_state s left join rule r using (ecpd_id, rule_id) where r.rule_id is null`,
    );
    assert.equal(states, 0);
  });

  it('is evaluated through a clock move, with each alert at its own time', async () => {
    const n = await withRule({ when: hotter(30), for: 'PT10M' });
    await feed(n, [270, 31]);
    assert.equal((await world.operator('POST', '/clock', { set: at(300) })).statusCode, 200);
    const [alert] = await alertsOf(n);
    assert.deepEqual([alert!.raisedon, alert!.createdon], [at(280), at(280)]);
  });

  it('that cannot be evaluated does not stop a clock move, which waits for it and then continues', async () => {
    const n = await withRule({ when: hotter(30), for: 'PT10M' });
    await feed(n, [310, 31]);
    world.clock.holdAt(new Date(at(321)));
    await world.ctx.db.exec(sql`alter table smart_alert add constraint none_more check (false) not valid`);
    const step = { nr: world.clock.moveNr(), until: world.clock.now(), signal: AbortSignal.timeout(300) };
    try {
      assert.equal(await world.watcher.settle(step), 0);
    } finally {
      await world.ctx.db.exec(sql`alter table smart_alert drop constraint none_more`);
    }
    assert.equal(await world.watcher.settle({ ...step, signal: new AbortController().signal }), 1);
    assert.deepEqual(await story(n), [[320, null]]);
  });
});
