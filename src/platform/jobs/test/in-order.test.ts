import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { makeCtx } from '../../../../test/support/ctx.ts';
import { createTestDatabase, openTestDatabase } from '../../../../test/support/database.ts';
import { seededChance } from '../../chance/seeded-chance.ts';
import { createJobEngine } from '../engine.ts';
import { enqueueJobs } from '../enqueue.ts';
import { defineJob, type JobKind } from '../job.ts';

const { url, drop } = await createTestDatabase();
const db = openTestDatabase(url, { connections: 8 });
after(async () => {
  await db.close();
  await drop();
});

const PROFILES = ['p3', 'p1', 'p2'];
const ctx = makeCtx(db);

/** Runs jobs of two kinds and three profiles, due at two moments, added by profile in this order; returns how they ran. */
async function runAll(profiles: readonly string[]) {
  const ran: string[] = [];
  let [running, most] = [0, 0];
  const kindOf = (kind: string, waitsOutside: boolean): JobKind =>
    defineJob({
      ...{ kind, waitsOutside, schema: Type.Object({}), attemptsMax: 1, commits: 'steps' },
      async run({ newId }, _, { ecpdId, jobId }) {
        most = Math.max(most, ++running);
        await sleep(2);
        running--;
        ran.push(`${ecpdId} ${jobId} ${newId()}`);
        return undefined;
      },
    });
  const kinds = [kindOf('test.inside', false), kindOf('test.outside', true)];
  const chance = seededChance('7', 1);
  const seeded = { ...ctx, chance, newId: chance.newId };
  const engine = createJobEngine(seeded, kinds, { oneAtATime: true });
  const now = ctx.now().getTime();
  for (const ecpdId of profiles) {
    const own = chance.of(() => `jobs of ${ecpdId}`);
    for (const kind of kinds)
      await enqueueJobs(
        { ...ctx, chance: own, newId: own.newId },
        kind,
        ecpdId,
        [1, 0, 1].map((earlierMs) => ({ payload: {}, dueAt: new Date(now - earlierMs) })),
      );
  }
  await engine.settle();
  await db.exec({ text: 'delete from job', values: [] });
  return { ran, most };
}

describe('jobs one at a time', () => {
  it('run in the same order and draw the same random values, whatever order they were added in, also outside jobs', async () => {
    const one = await runAll(PROFILES);
    const other = await runAll(PROFILES.toReversed());
    assert.equal(one.ran.length, 18);
    assert.deepEqual(other.ran, one.ran);
    assert.deepEqual([one.most, other.most], [1, 1]);
  });
});
