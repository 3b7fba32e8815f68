import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { LineIds } from '../port.ts';
import { deleteChecks } from '../sql-progress.ts';
import { imsi, lineOf, makeElement, makeNetworkScene, silent } from './scene.ts';

/** More than a page of a check. */
const LINES = 1_010;
const register = makeElement('hlr', { batchMax: 100 });
const scene = await makeNetworkScene({
  elements: [{ of: register }],
  devices: Array.from({ length: LINES }, (_, n) => lineOf(n)),
});
const { world, settle, age } = scene;
await settle();
const { read } = register.element;
const readAs = (how: typeof read) => void Object.assign(register.element, { read: how });

const start = async (body: object = {}): Promise<string> => {
  const answer = await world.operator('POST', '/network/check', body);
  assert.equal(answer.statusCode, 202, answer.body);
  return answer.json().jobId;
};
const progressOf = async (jobId: string) => {
  const answer = await world.operator('GET', `/network/check/${jobId}`);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
};
const ALL = {
  ...{ lines: LINES, checked: LINES, skipped: 0, differences: 0, unanswered: 0 },
  ...{ silent: [], left: 0, repairing: 0 },
};

describe('a check of lines', () => {
  it('reports its progress, and that it found nothing', async () => {
    const jobId = await start();
    assert.equal((await progressOf(jobId)).state, 'checking');
    await settle();
    // The stranger's account and the managed one have no lines.
    assert.deepEqual(await progressOf(jobId), {
      ...{ jobId, state: 'done', accounts: 3, accountsEnded: 3, ...ALL },
    });
  });

  it('counts lines that differ, and lines for which an element gave no answer', async () => {
    register.lines.set(imsi(3), { state: 'suspended', plan: undefined });
    register.lines.delete(imsi(LINES - 1));
    readAs(async (lines: readonly LineIds[], signal) =>
      (await read!(lines, signal)).map((truth, n) => (lines[n]?.imsi === imsi(5) ? undefined : truth)),
    );
    const jobId = await start({ accountName: ACCOUNT });
    await settle();
    assert.deepEqual(await progressOf(jobId), {
      ...{ jobId, state: 'done', accounts: 1, accountsEnded: 1 },
      ...{ ...ALL, checked: LINES - 1, differences: 2, unanswered: 1, left: 2 },
    });
    readAs(read);
  });

  it('stops asking an element that gives no answer for a batch, and names it', async () => {
    let asked = 0;
    readAs(async (lines, signal) => {
      if (++asked === 3) return lines.map(() => undefined);
      return read!(lines, signal);
    });
    const jobId = await start({ accountName: ACCOUNT });
    await settle();
    const { state, checked, unanswered, silent } = await progressOf(jobId);
    assert.deepEqual([state, checked, unanswered, silent], ['done', 200, LINES - 200, ['hlr']]);
    assert.equal(asked, 3);
    readAs(read);
    const again = await start({ accountName: ACCOUNT });
    await settle();
    assert.deepEqual((await progressOf(again)).silent, []);
  });

  it('is repairing until the elements have carried out its orders', async () => {
    register.answers(silent);
    const jobId = await start({ repair: true });
    await settle();
    const { state, differences, left, repairing } = await progressOf(jobId);
    assert.deepEqual([state, differences, left, repairing], ['repairing', 2, 2, 2]);
    register.answers({ outcome: 'done' });
    await age(60_000);
    await settle();
    const ended = await progressOf(jobId);
    assert.deepEqual([ended.state, ended.differences, ended.left], ['done', 2, 0]);
  });

  it('counts each line once, even if it was interrupted and started again', async () => {
    let asked = 0;
    readAs(async (lines, signal) => {
      if (++asked === 11) throw new Error('interrupted after the first page');
      return read!(lines, signal);
    });
    const jobId = await start({ accountName: ACCOUNT });
    await settle();
    const { state, checked } = await progressOf(jobId);
    assert.deepEqual([state, checked], ['checking', 1_000]);
    world.pass(60_000);
    await settle();
    assert.deepEqual(await progressOf(jobId), {
      ...{ jobId, state: 'done', accounts: 1, accountsEnded: 1, ...ALL },
    });
    readAs(read);
  });

  it('has failed if the lines of an account cannot be checked', async () => {
    readAs(async () => {
      throw new Error('broken');
    });
    const jobId = await start();
    for (let attempt = 0; attempt < 5; attempt++) {
      await settle();
      world.pass(600_000);
    }
    const { state, accounts, accountsEnded } = await progressOf(jobId);
    assert.deepEqual([state, accounts, accountsEnded], ['failed', 3, 3]);
    readAs(read);
  });

  it('404: does not show other jobs, or a check that was never requested', async () => {
    const { id } = await scene.db.one<{ id: string }>(
      sql`select job_id as id from job where kind <> 'network.check' limit 1`,
    );
    for (const jobId of [id, '00000000-0000-4000-8000-000000000000']) {
      const answer = await world.operator('GET', `/network/check/${jobId}`);
      assert.deepEqual([answer.statusCode, answer.json().code], [404, 'check_not_found']);
    }
  });

  it('is deleted after a while', async () => {
    const jobId = await start({ accountName: ACCOUNT });
    await settle();
    const isKept = async () =>
      (await scene.db.many(sql`select from network_check where check_id = ${jobId}`)).length > 0;
    const createdAt = world.ctx.now();
    await deleteChecks(scene.db, createdAt, 100);
    assert.equal(await isKept(), true);
    const after = new Date(createdAt.getTime() + 1);
    while ((await deleteChecks(scene.db, after, 100)) > 0);
    assert.equal(await isKept(), false);
  });
});
