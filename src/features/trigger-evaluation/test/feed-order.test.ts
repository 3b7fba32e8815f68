import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { sql } from '../../../platform/db/sql.ts';
import { A, HOUR_MS, KB, LINES, makeNotifyingScene, over } from '../../trigger-notifications/test/scene.ts';

const { world, db, trigger, use, startOver } = await makeNotifyingScene();

const putOn = (servicePlan: string) =>
  world.import({
    devices: [{ accountName: A, imei: LINES.a1, servicePlan, planSince: world.clock.now().toISOString() }],
  });

/** The line has 20 KB on its previous plan and none on the present one; then a trigger watches both. */
async function changePlan(): Promise<{ readonly onOld: Date; readonly onNew: Date }> {
  await putOn('P');
  await use([[LINES.a1, 20]]);
  const onOld = world.clock.now();
  world.pass(HOUR_MS);
  await putOn('P2');
  await trigger(over(10));
  world.pass(HOUR_MS);
  return { onOld, onNew: world.clock.now() };
}

async function firedBy(records: readonly { readonly id: string; readonly at: Date; readonly kb: number }[]) {
  const answer = await world.operator(
    'POST',
    '/usage',
    records.map(({ id, at, kb }) => ({
      id,
      kind: 'imei',
      device: LINES.a1,
      at: at.toISOString(),
      bytes: kb * KB,
    })),
  );
  assert.equal(answer.json().accepted, records.length, answer.body);
  return db.many(sql`select usage_record_id as record, counted_after::int as after from firing`);
}

beforeEach(async () => {
  await startOver();
  await world.import({
    plans: [{ code: 'P2', carrierServicePlanCode: 'CARRIER-P', name: 'Other plan', kind: 'payAsYouGo' }],
  });
});

describe('a level that two counters of a line reach in one feed', () => {
  it('fires by the first record of the feed if that passes it', async () => {
    const { onOld, onNew } = await changePlan();
    const fired = await firedBy([
      { id: 'a passing', at: onNew, kb: 11 },
      { id: 'a beyond', at: onOld, kb: 1 },
    ]);
    assert.deepEqual(fired, [{ record: 'a passing', after: 11 * KB }]);
  });

  it('fires by the first record of the feed if its counter was beyond the level before', async () => {
    const { onOld, onNew } = await changePlan();
    const fired = await firedBy([
      { id: 'b beyond', at: onOld, kb: 1 },
      { id: 'b passing', at: onNew, kb: 11 },
    ]);
    assert.deepEqual(fired, [{ record: 'b beyond', after: 21 * KB }]);
  });
});

describe('lines that pass the same levels in one feed', () => {
  it('each fire, for any number of triggers with these levels', async () => {
    for (const kb of [10, 10, 20]) await trigger(over(kb));
    await use([
      [LINES.a1, 11],
      [LINES.a2, 30],
    ]);
    const fired = await db.many(sql`
      select d.imei, f.level::int / ${KB}::int as kb, count(distinct f.trigger_id)::int as triggers
      from firing f join device d on d.ecpd_id = f.ecpd_id and d.device_id::text = f.subject group by 1, 2 order by 1, 2`);
    assert.deepEqual(
      fired,
      [
        { imei: LINES.a1, kb: 10, triggers: 2 },
        { imei: LINES.a2, kb: 10, triggers: 2 },
        { imei: LINES.a2, kb: 20, triggers: 1 },
      ].toSorted((a, b) => a.imei.localeCompare(b.imei) || a.kb - b.kb),
    );
  });
});
