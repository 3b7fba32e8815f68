import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, createOperatorClient } from '../../clients/sdk/index.ts';
import { openDatabase } from '../../src/platform/db/db.ts';
import { openNotificationFeed } from '../../src/platform/db/listen.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { createTestDatabase } from '../support/database.ts';
import { ACCOUNT, CLIENT, SMALL_FLEET, USER } from '../support/fleet.ts';
import { openListener } from '../support/listener.ts';
import { poolerIsInstalled, startPooler } from '../support/pooler.ts';
import {
  makeDataDir,
  removeDataDir,
  type ServiceProcess,
  startServiceProcess,
} from '../support/service-process.ts';

/** Fewer than two processes would open on their own. */
const SERVER_CONNECTIONS = 3;
const skip = poolerIsInstalled ? false : 'pgbouncer is not installed: nothing is known about poolers here';

async function until(condition: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 30_000;
  while (!(await condition())) {
    assert.ok(Date.now() < end, 'it did not come to that');
    await sleep(20);
  }
}

const { url: directUrl, drop } = await createTestDatabase();
const pooler = poolerIsInstalled ? await startPooler(directUrl, SERVER_CONNECTIONS) : undefined;
const databaseUrl = pooler?.url ?? directUrl;
const db = openDatabase(databaseUrl, { directUrl, connections: 10 });
const direct = openDatabase(directUrl, { connections: 4, applicationName: 'test' });
const dataDir = makeDataDir();
const services: ServiceProcess[] = [];
after(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await db.close();
  await direct.close();
  await pooler?.stop();
  await drop();
  removeDataDir(dataDir);
});

describe('behind a pooler in transaction mode', { skip }, () => {
  before(async () => {
    await Promise.all(
      ['api', 'worker'].map(async (role, n) => {
        services[n] = await startServiceProcess(dataDir, {
          DATABASE_URL: databaseUrl,
          DATABASE_DIRECT_URL: directUrl,
          LINEKEEPER_MODE: 'sandbox',
          LINEKEEPER_ROLE: role,
          LINEKEEPER_OPERATOR_KEY: 'an-operator-key-of-length',
          LINEKEEPER_SECRET_KEY: 'k1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
          LINEKEEPER_LOG_LEVEL: 'error',
        });
      }),
    );
  });

  it('a transaction has the same limits as on a direct connection', async () => {
    const limits = sql`select current_setting('statement_timeout') || ' ' || current_setting('lock_timeout') as given`;
    assert.deepEqual(await db.tx((tx) => tx.one(limits)), { given: '1min 10s' });
    await db.exec(sql`create table noted as ${limits}`);
    assert.deepEqual(await db.one(sql`select given from noted`), { given: '1min 10s' });
  });

  it('concurrent statements each get their own result, and none is prepared under a name', async () => {
    const numbers = Array.from({ length: 300 }, (_, n) => n);
    const asked = numbers.map((n) =>
      n % 3 === 0
        ? db.tx((tx) => tx.one<{ n: number }>(sql`select ${n}::int as n`))
        : db.one<{ n: number }>(sql`select ${n}::int as n`),
    );
    assert.deepEqual(
      (await Promise.all(asked)).map(({ n }) => n),
      numbers,
    );
    assert.deepEqual(await db.many(sql`select name from pg_prepared_statements`), []);
  });

  it('notifications from a transaction arrive on the connection that bypasses the pooler', async () => {
    const feed = await openNotificationFeed(directUrl, ['test_channel']);
    const heard: string[] = [];
    feed.on('test_channel', (payload) => heard.push(payload));
    await db.tx((tx) => tx.exec(sql`select pg_notify('test_channel', 'news')`));
    await feed.catchUp();
    await feed.close();
    assert.deepEqual(heard, ['news']);
  });

  it('the service imports a fleet and usage, runs jobs, delivers callbacks and is notified of ended access', async () => {
    const { url: baseUrl, operatorKey } = services[0]!;
    const operator = createOperatorClient({ baseUrl, operatorKey });
    const user = createClient({ baseUrl, ...CLIENT, ...USER });
    const imported = await operator.call('POST /operator/v1/import', { raw: JSON.stringify(SMALL_FLEET) });
    assert.equal(imported.counts['devices'], 2);
    const listener = await openListener();
    await user.call('POST /m2m/v1/callbacks/{accountName}', {
      path: { accountName: ACCOUNT },
      body: { name: 'CarrierService', url: listener.url },
    });
    const at = new Date().toISOString();
    const fed = await operator.call('POST /operator/v1/usage', {
      raw: [1, 2, 3]
        .map((n) => JSON.stringify({ id: `r${n}`, kind: 'imei', device: '990000000000011', at, bytes: n }))
        .join('\n'),
    });
    assert.equal(fed.accepted, 3);
    const { requestId } = await user.call('POST /m2m/v1/devices/actions/suspend', {
      body: { accountName: ACCOUNT, devices: [{ deviceIds: [{ id: '990000000000011', kind: 'imei' }] }] },
    });
    await listener.next();
    assert.equal(listener.heard[0]!.body['requestId'], requestId);
    await until(async () => {
      const status = await user.call('GET /m2m/v1/accounts/{accountName}/requests/{requestId}/status', {
        path: { accountName: ACCOUNT, requestId },
      });
      return status.status === 'Success';
    });
    await operator.call('POST /operator/v1/users/{username}/disable', { path: { username: USER.username } });
    await assert.rejects(user.call('GET /m2m/v1/plans/{accountName}', { path: { accountName: ACCOUNT } }));
  });

  it('processes have two direct connections each, and share those of the pooler', async () => {
    const rows = await direct.many<{ name: string; n: number }>(sql`
      select application_name as name, count(*)::int as n from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() group by 1`);
    const count = new Map(rows.map(({ name, n }) => [name, n]));
    assert.deepEqual(
      ['linekeeper-listen', 'linekeeper-api-upkeep', 'linekeeper-worker-upkeep'].map((name) =>
        count.get(name),
      ),
      [2, 1, 1],
    );
    const others = rows.filter(({ name }) => !/-listen$|-upkeep$|^test$/.test(name));
    assert.ok(others.reduce((sum, { n }) => sum + n, 0) <= SERVER_CONNECTIONS, JSON.stringify(rows));
  });
});
