import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { makeDataDir, removeDataDir, startServiceProcess } from '../support/service-process.ts';

const dataDir = makeDataDir();
const service = await startServiceProcess(dataDir, {
  ...{ LINEKEEPER_DEMO: 'off', LINEKEEPER_SIMULATOR: 'off', LINEKEEPER_SIMULATOR_SEED: '7' },
  ...{ LINEKEEPER_NOW: '2026-01-05T15:00:00Z', LINEKEEPER_FREEZE: 'on' },
});
after(async () => {
  await service.stop();
  removeDataDir(dataDir);
});

async function post(path: string, body: object = {}, method = 'POST'): Promise<Record<string, unknown>> {
  const answer = await fetch(`${service.url}/operator/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${service.operatorKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.ok(answer.ok, `${path}: ${answer.status}`);
  return (await answer.json()) as Record<string, unknown>;
}

it('a sandbox with a seed generates the same values after each restore, and none that it generated before', async () => {
  const create = (name: string) => post('/keys', { name, scopes: ['read'] });
  const before = await create('before');
  await post('/snapshots', { name: 'start' });
  const made = [];
  for (const _ of [1, 2, 3]) {
    const { now } = await post('/snapshots/start/restore');
    made.push({ now, one: await create('one'), other: await create('other') });
    for (const name of ['one', 'other']) await post(`/keys/${name}`, {}, 'DELETE');
  }
  assert.deepEqual(made[1], made[0]);
  assert.deepEqual(made[2], made[0]);
  assert.notEqual(made[0]!.one['key'], before['key']);
  assert.notEqual(made[0]!.one['key'], made[0]!.other['key']);
});

it('a key that outlived a restore is not generated again', async () => {
  const create = (name: string) => post('/keys', { name, scopes: ['read'] });
  const { key } = await create('kept');
  await post('/snapshots', { name: 'keyed' });
  const made = [(await create('one'))['key']];
  await post('/snapshots/keyed/restore');
  made.push((await create('two'))['key']);
  assert.equal(new Set([key, ...made]).size, 3);
});
