import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, describe, it } from 'node:test';
import { postCallbacks } from '../../src/features/callbacks/index.ts';
import type { EcpdId } from '../../src/kernel/account-name.ts';
import { generateSecretKey } from '../../src/platform/crypto/secret-box.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { listWorkers } from '../support/citus.ts';
import { createUnshardedDatabase, openTestDatabase } from '../support/database.ts';
import { CLIENT } from '../support/fleet.ts';
import { openListener } from '../support/listener.ts';
import { makeDataDir, removeDataDir, startServiceProcess } from '../support/service-process.ts';
import { placeOf } from '../support/worker-server.ts';
import { makeWorld } from '../support/world.ts';

const { url, drop } = await createUnshardedDatabase();
after(drop);
const PROFILES = Array.from({ length: 8 }, (_, n) => String(8_100_001 + n));
const accountOf = (ecpdId: string) => `${ecpdId.padStart(10, '0')}-00001`;
const listener = await openListener();
const secretKey = generateSecretKey();

async function linekeeper(...args: readonly string[]) {
  const child = spawn(process.execPath, ['bin/linekeeper.js', ...args], {
    env: { ...process.env, DATABASE_URL: url, PGOPTIONS: '-c citus.shard_count=8' },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  await once(child, 'close');
  return { text, exitCode: child.exitCode };
}

async function shard(...args: readonly string[]) {
  const { text, exitCode } = await linekeeper('shard', ...args);
  assert.equal(exitCode, 0, text);
  return text;
}

/** The second worker holds no rows when the tables are distributed, so that it can be added later. */
const [first, second] = await listWorkers();
const db = openTestDatabase(url, { applicationName: 'test' });
after(db.close);
const give = (takes: boolean) =>
  db.exec(sql`
    select citus_set_node_property(${second!.host}, ${second!.port}, 'shouldhaveshards', ${takes}::boolean)`);
await give(false);
const service = await startServiceProcess(makeDataDir(), {
  DATABASE_URL: url,
  LINEKEEPER_MODE: 'sandbox',
  LINEKEEPER_SECRET_KEY: secretKey,
});
const filled = await fetch(`${service.url}/operator/v1/import`, {
  method: 'POST',
  headers: { authorization: `Bearer ${service.operatorKey}`, 'content-type': 'application/json' },
  body: JSON.stringify({
    profiles: PROFILES.map((ecpdId) => ({ ecpdId })),
    accounts: PROFILES.map((ecpdId) => ({ ecpdId, accountName: accountOf(ecpdId) })),
    clients: [CLIENT],
    plans: [{ code: 'P', name: 'P', kind: 'payAsYouGo', allowanceBytes: 1_000_000 }],
    devices: PROFILES.map((ecpdId, n) => ({
      accountName: accountOf(ecpdId),
      mdn: `555010000${n}`,
      servicePlan: 'P',
    })),
    listeners: PROFILES.map((ecpdId) => ({
      accountName: accountOf(ecpdId),
      serviceName: 'AlertService',
      url: listener.url,
    })),
  }),
});
assert.equal(filled.status, 200, await filled.text());
await service.stop();
removeDataDir(service.dataDir);
const placesOf = async () =>
  new Set(await Promise.all(PROFILES.map(async (ecpdId) => (await placeOf(db, ecpdId)).port)));

describe('linekeeper shard', () => {
  it('distributes a database that is filled, and what was in it is served', async () => {
    assert.match(await shard(), /^Done: \d+ statements\.$/m);
    assert.match(await shard(), /^Everything is in its place\.$/m);
    const world = await makeWorld({ databaseUrl: url, secretKey });
    const { devices } = (await world.operator('GET', '/export')).json();
    assert.equal(devices.length, PROFILES.length);
    assert.deepEqual([...(await placesOf())], [first!.port]);
  });

  it('--rebalance moves customers to a worker that was added, while callbacks and feeds run', async () => {
    const world = await makeWorld({ databaseUrl: url, secretKey, runs: true });
    await give(true);
    let isMoving = true;
    const sent: string[] = [];
    const busy = (async () => {
      for (let n = 0; isMoving; n++)
        for (const [place, ecpdId] of PROFILES.entries()) {
          const id = `${ecpdId}-${n}`;
          await postCallbacks(world.ctx, ecpdId as EcpdId, [
            { accountName: accountOf(ecpdId), serviceName: 'AlertService', requestId: id, payload: { id } },
          ]);
          sent.push(id);
          const at = world.ctx.now().toISOString();
          const fed = await world.operator('POST', '/usage', [
            { id, kind: 'mdn', device: `555010000${place}`, at, bytes: 1 },
          ]);
          assert.deepEqual([fed.statusCode, fed.json().accepted], [200, 1], fed.body);
        }
    })();
    const said = await shard('--rebalance').finally(() => {
      isMoving = false;
    });
    await busy;
    assert.match(said, /^Done: every worker has its share\.$/m);
    assert.deepEqual([...(await placesOf())].sort(), [first!.port, second!.port].sort());
    await listener.next(sent.length);
    assert.deepEqual(listener.heard.map(({ body }) => body['id']).sort(), sent.toSorted());
    const { n } = await world.ctx.db.one<{ n: number }>(sql`select count(*)::int as n from usage_record`);
    assert.equal(n, sent.length);
    assert.match(await shard('--rebalance'), /^Every worker has its share already\.$/m);
  });

  it('--isolate gives a customer a shard of its own, and finds it done the next time', async () => {
    const [large] = PROFILES;
    const alone = () =>
      db.one<{ alone: boolean }>(sql`
        select bool_and(s.shardminvalue = s.shardmaxvalue) as alone from pg_dist_shard s
        where s.shardid = get_shard_id_for_distribution_column('device', ${large}::text)`);
    assert.equal((await alone()).alone, false);
    assert.match(await shard('--isolate', large!, '--block-writes'), /has shards of its own on /);
    assert.equal((await alone()).alone, true);
    assert.match(await shard('--isolate', large!), /has shards of its own on /);
    const world = await makeWorld({ databaseUrl: url, secretKey });
    const { devices } = (await world.operator('GET', '/export')).json();
    assert.equal(devices.length, PROFILES.length);
  });
});

describe('a backup of a distributed database', () => {
  it('is refused, with what to do instead', async () => {
    const { text, exitCode } = await linekeeper('backup', '/dev/null');
    assert.equal(exitCode, 1);
    assert.match(text, /distributed over several servers.*tools of the servers/);
  });
});
