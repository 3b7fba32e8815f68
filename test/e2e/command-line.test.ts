import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { spawnCli } from '../../clients/cli/test/spawn-cli.ts';
import { ACCOUNT, SMALL_FLEET } from '../support/fleet.ts';
import { makeDataDir, removeDataDir, startServiceProcess } from '../support/service-process.ts';

describe('the command line next to a sandbox', () => {
  it('finds a running sandbox by the data folder', async () => {
    const dataDir = makeDataDir();
    after(() => removeDataDir(dataDir));
    const service = await startServiceProcess(dataDir);
    after(() => service.stop('SIGKILL'));
    const env = { LINEKEEPER_DATA_DIR: dataDir };
    const health = await spawnCli(['health', '--json'], { env });
    assert.deepEqual(JSON.parse(health.out), { status: 'ready', url: service.url });
    const input = JSON.stringify(SMALL_FLEET);
    assert.equal((await spawnCli(['import', '-'], { env, input })).code, 0);
    const moved = await spawnCli(['clock', 'advance', 'P1D', '--json'], { env });
    assert.equal(moved.code, 0, moved.err);
    const account = await spawnCli(['accounts', 'show', ACCOUNT, '--json'], { env });
    assert.equal(JSON.parse(account.out).accountName, ACCOUNT);
    assert.equal(await service.stop(), 0, service.output());
    assert.equal(existsSync(join(dataDir, 'service.json')), false);
  });
});
