import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { SandboxOptions, startSandbox } from '../../clients/testing/index.ts';
import { makeProject, type Project } from '../support/package-project.ts';

const ACCOUNT = '0000700001-00001';
const [YESTERDAY, TOMORROW] = [-1, 1].map((days) => Date.now() + days * 86_400_000);

describe('a sandbox of the package with the demo fleet', () => {
  let project: Project;
  let cache: string;
  let start: typeof startSandbox;
  before(async () => {
    project = await makeProject();
    cache = join(project.folder, 'cache');
    // The database's user passes through both.
    mkdirSync(cache);
    for (const folder of [project.folder, cache]) chmodSync(folder, 0o711);
    const module = join(project.folder, 'node_modules/linekeeper/dist/clients/testing/index.js');
    ({ startSandbox: start } = await import(pathToFileURL(module).href));
  });
  after(() => project.remove());

  const preparedFleets = () => readdirSync(cache).filter((name) => name.includes('-until-'));

  async function startWith(t: TestContext, options: SandboxOptions = {}) {
    const log = join(project.folder, 'service.log');
    const env = { LINEKEEPER_CACHE_DIR: cache, ...options.env };
    const sandbox = await start({ demo: true, log, ...options, env });
    t.after(() => sandbox.stop());
    // A key that opens nothing would be an error.
    assert.equal(readFileSync(log, 'utf8'), '');
    return sandbox;
  }

  /** Of a listener of the fleet: every import draws another. */
  async function secretOf(sandbox: Awaited<ReturnType<typeof start>>) {
    const client = await sandbox.client();
    const answer = await client.request('POST /m2m/v1/callbacks/{accountName}', {
      path: { accountName: ACCOUNT },
      body: { name: 'AlertService', url: await sandbox.callbacks.url() },
    });
    return answer.headers.get('webhook-secret');
  }

  it('begins with a copy of a fleet that was imported once', async (t) => {
    const [first, second] = [await startWith(t), await startWith(t)];
    assert.equal(preparedFleets().length, 1);
    assert.equal(await secretOf(second), await secretOf(first));
  });

  it('keeps what it changes to itself, and goes back to the fleet when it is reset', async (t) => {
    const [first, second] = [await startWith(t), await startWith(t)];
    const devices = async ({ operator }: typeof first) => {
      const path = { accountName: ACCOUNT };
      const all = await operator.call('GET /operator/v1/accounts/{accountName}/devices', {
        ...{ path, query: { limit: 1_000 } },
      });
      return all.flatMap(({ imei }) => imei ?? []);
    };
    const before = await devices(first);
    const [gone = '', ...others] = before;
    await first.operator.call('DELETE /operator/v1/devices/{kind}/{id}', {
      path: { kind: 'imei', id: gone },
    });
    assert.deepEqual(await devices(first), others);
    assert.deepEqual(await devices(second), before);
    await first.reset();
    assert.equal((await devices(first)).length, before.length);
  });

  const own = {
    'at a time of its own': { now: '2026-01-05T15:00:00Z' },
    'with a seed': { seed: 7 },
    'with a secret key of its own': {
      env: { LINEKEEPER_SECRET_KEY: `own:${Buffer.alloc(32, 7).toString('base64')}` },
    },
  };
  for (const [which, options] of Object.entries(own))
    it(`imports it for itself ${which}`, async (t) => {
      const [copied, imported] = [await startWith(t), await startWith(t, options)];
      assert.notEqual(await secretOf(imported), await secretOf(copied));
    });

  it('prepares the fleet again when the one that is there is outdated', async (t) => {
    const old = await startWith(t);
    const [name = ''] = preparedFleets();
    const [base, until] = name.split('-until-');
    assert.ok(Number(until) > Date.now() && Number(until) <= TOMORROW!);
    renameSync(join(cache, name), join(cache, `${base}-until-${YESTERDAY}`));
    assert.notEqual(await secretOf(await startWith(t)), await secretOf(old));
  });
});
