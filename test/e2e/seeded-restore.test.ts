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

async function post(path: string, body: object = {}): Promise<Record<string, unknown>> {
  const answer = await fetch(`${service.url}/operator/v1${path}`, {
    method: 'POST',
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
  }
  assert.deepEqual(made[1], made[0]);
  assert.deepEqual(made[2], made[0]);
  assert.notEqual(made[0]!.one['key'], before['key']);
  assert.notEqual(made[0]!.one['key'], made[0]!.other['key']);
});
