import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import pg from 'pg';
import { PLACEMENT } from '../../src/app/sharding.ts';
import { sql, trusted } from '../../src/platform/db/sql.ts';
import { planShards, readTables } from '../../src/platform/sharding/index.ts';
import { ACCOUNT, asUser, SMALL_FLEET } from '../support/fleet.ts';
import { makeWorld } from '../support/world.ts';

const world = await makeWorld();
const { db } = world.ctx;

function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/linekeeper.js', 'shard', ...args], {
    env: { ...process.env, DATABASE_URL: world.databaseUrl, ...env },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

async function planNow() {
  const client = new pg.Client(world.databaseUrl);
  await client.connect();
  const tables = await readTables(client, PLACEMENT.key, false);
  await client.end();
  return planShards(tables, PLACEMENT);
}

// Tests with a Citus server are in test/citus.
describe('linekeeper shard, if the server has no Citus', () => {
  it('with --plan prints its statements in order, and exits with 0', () => {
    const { status, stdout } = run(['--plan']);
    assert.equal(status, 0);
    const lines = stdout.trim().split('\n');
    assert.ok(lines.every((line) => line.endsWith(';')));
    assert.equal(lines[0], 'create extension if not exists citus;');
    const at = (text: string) => lines.findIndex((line) => line.startsWith(text));
    const steps = [
      'alter table user_account drop constraint user_account_ecpd_id_account_name_fkey',
      'set citus.enable_unsafe_triggers = on',
      "select create_reference_table('account_directory')",
      "select create_reference_table('plan')",
      "select create_distributed_table('profile', 'ecpd_id'",
      "select create_distributed_table('account', 'ecpd_id'",
      "select create_distributed_table('device', 'ecpd_id'",
      "select create_distributed_table('rule', 'ecpd_id'",
      "select truncate_local_data_after_distributing_table('rule')",
      "select truncate_local_data_after_distributing_table('device')",
    ].map(at);
    assert.ok(!steps.includes(-1), stdout);
    assert.deepEqual(
      steps,
      steps.toSorted((a, b) => a - b),
    );
    assert.ok(!stdout.includes("'session'"), 'who is signed in stays on the coordinator');
  });

  it('without --plan reports the missing extension, does nothing, and exits with 3', async () => {
    const before = (await planNow()).statements;
    const { status, stderr } = run([]);
    assert.equal(status, 3);
    assert.match(stderr, /^linekeeper: The server does not have the extension Citus\. Nothing was done/);
    assert.deepEqual((await planNow()).statements, before);
  });

  it('needs a database address, and accepts no other arguments', () => {
    const without = run(['--plan'], { DATABASE_URL: '' });
    assert.equal(without.status, 2);
    assert.match(without.stderr, /^linekeeper: DATABASE_URL must be set/);
    assert.equal(run(['--now']).status, 2);
    assert.equal(run(['--help']).status, 0);
    const nowhere = run(['--plan'], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
    assert.deepEqual([nowhere.status, /cannot be reached/.test(nowhere.stderr)], [1, true]);
  });
});

describe('without the constraints that a distributed database cannot have', () => {
  it('an account of another profile is still refused, and a deleted one is removed from its users', async () => {
    const changes = (await planNow()).statements.filter((text) => /^(alter table|create index)/.test(text));
    assert.equal(changes.length, 1);
    for (const change of changes) await db.exec(trusted(change));
    assert.deepEqual(
      (await planNow()).statements.filter((text) => text.startsWith('alter table')),
      [],
    );

    await world.import(SMALL_FLEET);
    const taken = await world.operator('POST', '/import', {
      accounts: [{ accountName: ACCOUNT, ecpdId: '9000009' }],
    });
    assert.equal(taken.statusCode, 422, taken.body);
    const user = await asUser(world);
    assert.equal((await user.call('GET', `/m2m/v1/plans/${ACCOUNT}`)).statusCode, 200);
    assert.equal((await world.operator('DELETE', `/accounts/${ACCOUNT}`)).statusCode, 200);
    assert.deepEqual(await db.many(sql`select from user_account where account_name = ${ACCOUNT}`), []);
    assert.notEqual((await user.call('GET', `/m2m/v1/plans/${ACCOUNT}`)).statusCode, 200);
  });
});
