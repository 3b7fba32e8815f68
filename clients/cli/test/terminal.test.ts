import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ACCOUNT, CLIENT, USER } from '../../../test/support/fleet.ts';
import { startWorld } from './start-world.ts';

const world = await startWorld();
const folder = await mkdtemp(join(tmpdir(), 'linekeeper-terminal-'));
after(() => rm(folder, { recursive: true }));

const [CONTROL_C, CONTROL_D] = ['\x03', '\x04'];
const type = (args: readonly string[], input: string, env: Readonly<Record<string, string>> = {}) =>
  world.run(args, { input, env, columns: 80 });

describe('a person at a terminal', () => {
  const remove = ['accounts', 'delete', ACCOUNT];
  const question = `Delete account ${ACCOUNT} with all its devices and all other data? [y/N] `;

  it('is asked before what cannot be undone, and only a yes does it', async () => {
    for (const answer of ['n\n', '\n', CONTROL_D]) {
      const { code, out, err } = await type(remove, answer);
      assert.deepEqual([code, out], [2, '']);
      assert.ok(err.includes(question), err);
      assert.match(err, /linekeeper: Nothing was changed\.\n$/);
    }
    const interrupted = await type(remove, CONTROL_C);
    assert.equal(interrupted.code, 130);
    assert.doesNotMatch(interrupted.err, /linekeeper:/);
    const { code, out } = await type(remove, 'y\n');
    assert.deepEqual([code, out], [0, `Account ${ACCOUNT} is deleted.\n`]);
  });

  it('types a password that is not shown', async () => {
    const login = ['login', 'mine', '--client-id', CLIENT.clientId, '--username', USER.username];
    const env = { LINEKEEPER_CONFIG_DIR: folder, LINEKEEPER_CLIENT_SECRET: CLIENT.clientSecret };
    const { code, out, err } = await type(login, `${USER.password}\n`, env);
    assert.equal(code, 0, err);
    assert.equal(err, 'Password: \n');
    assert.ok(!out.includes(USER.password));
    const profiles = JSON.parse(await readFile(join(folder, 'profiles.json'), 'utf8'));
    assert.equal(profiles.mine.password, USER.password);
    assert.equal((await type(login, CONTROL_C, env)).code, 130);
  });

  it('sees tables as wide as the terminal, which others get whole', async () => {
    const list = ['accounts', 'list'];
    const [narrow, whole] = await Promise.all([world.run(list, { columns: 50 }), world.run(list)]);
    const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length));
    assert.equal(widest(narrow.out), 50);
    assert.ok(widest(whole.out) > 50);
  });
});
