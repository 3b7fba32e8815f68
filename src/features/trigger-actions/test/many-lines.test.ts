import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '../../../platform/db/sql.ts';
import { MB, makeActingWorld, SUSPEND_30 } from './scene.ts';

/** Account a has one line more than a request may have, and a request has one more than a chunk. */
const [LINES, limits] = [5, { devicesMax: 4, chunk: 3 }];
const nextScene = await makeActingWorld({ customers: 2, limits });
type Scene = Awaited<ReturnType<typeof nextScene>>;

/** The outcome of each firing's lines, over two requests. */
const partsOf = async (scene: Scene, triggerId: string) =>
  (await scene.firingsOf(triggerId)).map(({ actions: [action] }) => {
    const { params: _, requestIds, ...part } = action!;
    assert.equal(requestIds.length, 2);
    return part;
  });

describe('an action on more lines than a request may have', () => {
  it('ends when all its requests have, and has suspended all of them', async () => {
    const scene = await nextScene();
    const suspendDetails = { ...SUSPEND_30, threshold: 1, thresholdUnit: 'MB' };
    const condition = { conditionType: 'AccountLevel', threshold: 2 };
    const id = await scene.create(scene.individual({ suspend: true, suspendDetails }, condition));
    await scene.use({ 0: 1.5 * MB });
    const whole = { state: 'done', deviceCount: LINES, succeeded: LINES, failed: 0 };
    assert.deepEqual(await partsOf(scene, id), [{ accountName: scene.a, kind: 'suspend', ...whole }]);
    assert.equal(await scene.count(sql`device_suspension`), LINES);
  });

  it('ends when all its requests have, and has changed the plan of all of them', async () => {
    const scene = await nextScene();
    const id = await scene.create(scene.changing('CARRIER-Q'));
    const lines = Array.from({ length: LINES }, (_, n) => n);
    await scene.use(Object.fromEntries(lines.map((n) => [n, 2 * MB])));
    const part = { accountName: scene.a, kind: 'changePlan', state: 'done', deviceCount: 1 };
    assert.deepEqual(await partsOf(scene, id), Array(LINES).fill({ ...part, succeeded: 1, failed: 0 }));
    assert.deepEqual(await scene.plansOf(...lines), Array(LINES).fill('Q'));
  });
});
