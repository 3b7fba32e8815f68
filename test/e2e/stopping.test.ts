import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { createClient, createOperatorClient } from '../../clients/sdk/index.ts';
import { openDatabase } from '../../src/platform/db/db.ts';
import { MIGRATION_LOCK } from '../../src/platform/db/migrate.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { enqueueJobs } from '../../src/platform/jobs/enqueue.ts';
import { NO_PROFILE } from '../../src/platform/jobs/job.ts';
import { listJobs } from '../../src/platform/jobs/sql-list.ts';
import { makeCtx } from '../support/ctx.ts';
import { createTestDatabase } from '../support/database.ts';
import { ACCOUNT, CLIENT, SMALL_FLEET, USER } from '../support/fleet.ts';
import { openListener } from '../support/listener.ts';
import { makeDataDir, removeDataDir, spawnService, startServiceProcess } from '../support/service-process.ts';

/** A job that is due at once and does nothing, because the simulator is off. */
const JOB = { kind: 'simulator.tick', schema: Type.Object({}), attemptsMax: 3 };
/** Long enough for several polls of a worker that still polls for jobs. */
const LOOKS_MS = 3_000;

const { url, drop } = await createTestDatabase();
const db = openDatabase(url, { connections: 4 });
const dataDir = makeDataDir();
const listener = await openListener('never');
after(async () => {
  await db.close();
  await drop();
  removeDataDir(dataDir);
});
const statesOf = async () =>
  (await listJobs(db, { kind: JOB.kind, limit: 10 })).map(({ state, attempts }) => ({ state, attempts }));

describe('a process that gets a stop signal', () => {
  it('starts no job while it waits for a listener, and ends when that has answered', async () => {
    const service = await startServiceProcess(dataDir, {
      DATABASE_URL: url,
      LINEKEEPER_MODE: 'sandbox',
      LINEKEEPER_CONSOLE: 'off',
    });
    const operator = createOperatorClient({ baseUrl: service.url, operatorKey: service.operatorKey });
    await operator.call('POST /operator/v1/import', { raw: JSON.stringify(SMALL_FLEET) });
    const user = createClient({ baseUrl: service.url, ...CLIENT, ...USER });
    await user.call('POST /m2m/v1/callbacks/{accountName}', {
      path: { accountName: ACCOUNT },
      body: { name: 'CarrierService', url: listener.url },
    });
    await user.call('POST /m2m/v1/devices/actions/suspend', {
      body: { accountName: ACCOUNT, devices: [{ deviceIds: [{ id: '990000000000011', kind: 'imei' }] }] },
    });
    await listener.next();

    const stopped = service.stop();
    while (!service.output().includes('"stopping"')) await sleep(20);
    await enqueueJobs(makeCtx(db), JOB, NO_PROFILE, [{ payload: {} }]);
    await sleep(LOOKS_MS);
    assert.equal(service.child.exitCode, null, 'it waits for the listener');
    assert.deepEqual(await statesOf(), [{ state: 'waiting', attempts: 0 }]);
    listener.release(200);
    assert.equal(await stopped, 0);
    assert.deepEqual(await statesOf(), [{ state: 'waiting', attempts: 0 }]);
  });

  it('ends even while its start waits for the migration of another process', {
    timeout: 60_000,
  }, async () => {
    await db.tx(async (migrating) => {
      await migrating.exec(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
      const { child, output } = spawnService(dataDir, { DATABASE_URL: url, LINEKEEPER_MODE: 'sandbox' });
      while (!output().includes('another process is migrating')) await sleep(20);
      child.kill('SIGTERM');
      const [code] = await once(child, 'exit');
      assert.equal(code, 0, output());
    });
  });
});
