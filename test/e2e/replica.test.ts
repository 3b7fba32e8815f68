import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createOperatorClient } from '../../clients/sdk/index.ts';
import { NEVER_FROM_REPLICA } from '../../src/app/replica.ts';
import { openDatabase } from '../../src/platform/db/db.ts';
import { openReplicaReads, REPLICA_STATEMENT_MS, type Went } from '../../src/platform/db/replica.ts';
import { sql, trusted } from '../../src/platform/db/sql.ts';
import { openProxy } from '../../src/platform/db/test/proxy.ts';
import { ACCOUNT, SMALL_FLEET } from '../support/fleet.ts';
import { startReplicatedServer } from '../support/replicated-server.ts';
import { makeDataDir, removeDataDir, startServiceProcess } from '../support/service-process.ts';

const MAX_LAG_MS = 5_000;
const server = await startReplicatedServer();
const primary = openDatabase(server.url, { connections: 4 });
const replica = openDatabase(server.replicaUrl, { connections: 4 });
const went: Went[] = [];
const reads = await openReplicaReads({
  primary,
  replica,
  maxLagMs: MAX_LAG_MS,
  mustBeNew: NEVER_FROM_REPLICA,
  count: (where) => void went.push(where),
});
after(async () => {
  reads.stop();
  await primary.close();
  await replica.close();
  await server.stop();
});
const addProfile = async () => {
  const ecpdId = randomUUID();
  await primary.exec(sql`insert into profile (ecpd_id, foreign_id) values (${ecpdId}, ${randomUUID()})`);
  return ecpdId;
};
const onReplica = sql`select pg_is_in_recovery() as there`;
const whereReadGoes = async () => (await reads.db.one<{ there: boolean }>(onReplica)).there;
const knows = async (ecpdId: string) =>
  (await reads.db.maybe(sql`select from profile where ecpd_id = ${ecpdId}`)) !== undefined;

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await condition())) {
    assert.ok(Date.now() < end, 'it did not come to that');
    await sleep(20);
  }
}

describe('reads that may be a little old', () => {
  it('go to the replica, alone and in read-only transactions, and find committed data there', async () => {
    await until(whereReadGoes);
    const ecpdId = await addProfile();
    await until(() => knows(ecpdId));
    const inTransaction = await reads.db.tx((db) => db.one<{ there: boolean }>(onReplica), {
      readOnly: true,
    });
    assert.equal(inTransaction.there, true);
    assert.equal(went.at(-1), 'replica');
  });

  it('go to the primary while the replica is further behind than allowed, and back after it has caught up', async () => {
    await until(whereReadGoes);
    await server.pauseReplay();
    const ecpdId = await addProfile();
    const known = await knows(ecpdId);
    assert.equal(known, went.at(-1) !== 'replica', 'within the bound an answer may be old');
    await until(() => reads.behindMs() > MAX_LAG_MS);
    assert.equal(await whereReadGoes(), false);
    assert.equal(await knows(ecpdId), true);
    assert.equal(went.at(-1), 'primary: too far behind');
    await server.resumeReplay();
    await until(whereReadGoes);
    assert.equal(await knows(ecpdId), true);
  });

  it('leave everything that writes or locks to the primary, alone and in transactions', async () => {
    await until(whereReadGoes);
    const ecpdId = randomUUID();
    await reads.db.exec(sql`insert into profile (ecpd_id, foreign_id) values (${ecpdId}, ${randomUUID()})`);
    await reads.db.tx((db) => db.exec(sql`delete from profile where ecpd_id = ${ecpdId}`));
    const locked = sql`select pg_is_in_recovery() as there from (select from profile limit 1 for update) p`;
    await addProfile();
    assert.equal((await reads.db.one<{ there: boolean }>(locked)).there, false);
  });

  for (const table of NEVER_FROM_REPLICA) {
    it(`never read ${table} from the replica, alone or in a transaction`, async () => {
      await until(whereReadGoes);
      const query = sql`select pg_is_in_recovery() as there, (select count(*) from ${trusted(table)})`;
      assert.equal((await reads.db.one<{ there: boolean }>(query)).there, false);
      assert.equal(went.at(-1), 'primary: must be new');
      const both = await reads.db.tx(
        async (db) => [await db.one<{ there: boolean }>(onReplica), await db.one<{ there: boolean }>(query)],
        { readOnly: true },
      );
      assert.deepEqual(
        both.map(({ there }) => there),
        [false, false],
        'the whole transaction is read from the primary',
      );
    });
  }

  it('are answered by the primary if the replica is silent, alone and in transactions', {
    timeout: 30_000,
  }, async () => {
    const proxy = await openProxy(server.replicaUrl);
    const through = openDatabase(proxy.url, { connections: 4, statementTimeoutMs: REPLICA_STATEMENT_MS });
    const answeredBy: Went[] = [];
    const silent = await openReplicaReads({
      primary,
      replica: through,
      maxLagMs: 600_000,
      mustBeNew: NEVER_FROM_REPLICA,
      count: (where) => void answeredBy.push(where),
    });
    const ask = () => [
      silent.db.one<{ there: boolean }>(onReplica),
      silent.db.tx((db) => db.one<{ there: boolean }>(onReplica), { readOnly: true }),
    ];
    const isThere = async () => (await Promise.all(ask())).map(({ there }) => there);
    await until(async () => (await isThere()).every(Boolean));
    proxy.hang();
    assert.deepEqual(await isThere(), [false, false]);
    assert.deepEqual(answeredBy.slice(-2), ['primary: replica failed', 'primary: replica failed']);
    assert.deepEqual(await isThere(), [false, false]);
    assert.equal(
      answeredBy.at(-1),
      'primary: too far behind',
      'it is not used again before it proves itself',
    );
    proxy.resume();
    await until(async () => (await isThere()).every(Boolean));
    silent.stop();
    await through.close();
    await proxy.close();
  });

  it('are answered by the primary if they take unusually long, and by the replica if they are allowed to', async () => {
    const hurried = openDatabase(server.replicaUrl, {
      connections: 4,
      statementTimeoutMs: REPLICA_STATEMENT_MS,
    });
    const some = await openReplicaReads({
      primary,
      replica: hurried,
      maxLagMs: 600_000,
      mustBeNew: NEVER_FROM_REPLICA,
      count: () => {},
    });
    const nap = sql`select pg_is_in_recovery() as there from pg_sleep(${REPLICA_STATEMENT_MS / 1_000 + 1})`;
    await until(async () => (await some.db.one<{ there: boolean }>(onReplica)).there);
    const found = await Promise.all([
      some.db.one<{ there: boolean }>(nap),
      some.db.tx((db) => db.one<{ there: boolean }>(nap), { readOnly: true }),
      some.db.tx(
        async (db) => {
          await db.allowTime(60_000);
          return db.one<{ there: boolean }>(nap);
        },
        { readOnly: true },
      ),
    ]);
    assert.deepEqual(
      found.map(({ there }) => there),
      [false, false, true],
    );
    some.stop();
    await hurried.close();
  });

  it('are answered by the primary if the replica dies during them, and so are lists of the service', async () => {
    const dataDir = makeDataDir();
    const service = await startServiceProcess(dataDir, {
      DATABASE_URL: server.url,
      DATABASE_REPLICA_URL: server.replicaUrl,
      LINEKEEPER_MODE: 'sandbox',
      LINEKEEPER_ROLE: 'api',
      LINEKEEPER_LOG_LEVEL: 'silent',
    });
    after(async () => {
      await service.stop();
      removeDataDir(dataDir);
    });
    const operator = createOperatorClient({ baseUrl: service.url, operatorKey: service.operatorKey });
    await operator.call('POST /operator/v1/import', { raw: JSON.stringify(SMALL_FLEET) });
    const list = async () =>
      (
        await operator.call('GET /operator/v1/accounts/{accountName}/devices', {
          path: { accountName: ACCOUNT },
        })
      ).length;
    const countReads = async (by: string) => {
      const text = await (await fetch(new URL('/metrics', service.url))).text();
      const found = new RegExp(`^linekeeper_replica_reads_total{answered_by="${by}"} (\\d+)$`, 'm').exec(
        text,
      );
      return Number(found?.[1] ?? 0);
    };
    // Until the import is replayed the account is unknown there.
    await until(async () => (await list().catch(() => 0)) === 1 && (await countReads('replica')) > 0);

    await until(whereReadGoes);
    const slow = reads.db.one<{ there: boolean }>(sql`select pg_is_in_recovery() as there from pg_sleep(3)`);
    await server.killReplica();
    assert.equal((await slow).there, false);
    assert.ok(went.includes('primary: replica failed'));
    assert.equal(await whereReadGoes(), false);
    assert.equal(await list(), 1);
    assert.ok((await countReads('primary: .*')) > 0);
  });
});
