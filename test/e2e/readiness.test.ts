import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openDatabase } from '../../src/platform/db/db.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { LOOPS, LOOPS_OF_ALL, LOOPS_OF_CLUSTER, LOOPS_OF_FEEDS, LOOPS_OF_REQUESTS } from '../audit/timers.ts';
import { createTestDatabase } from '../support/database.ts';
import { breakWrites, untilFailing, untilReady } from '../support/readiness.ts';
import {
  makeDataDir,
  removeDataDir,
  type ServiceProcess,
  startServiceProcess,
} from '../support/service-process.ts';

const dataDirs = [makeDataDir(), makeDataDir()];
const { url, drop } = await createTestDatabase();
const db = openDatabase(url, { connections: 4 });
const start = (dataDir: string, role: string) =>
  startServiceProcess(dataDir, {
    DATABASE_URL: url,
    DATABASE_REPLICA_URL: url,
    LINEKEEPER_MODE: 'sandbox',
    LINEKEEPER_ROLE: role,
    LINEKEEPER_OPERATOR_KEY: 'an-operator-key-of-some-length',
  });
const [worker, api] = await Promise.all([start(dataDirs[0]!, 'worker'), start(dataDirs[1]!, 'api')]);
after(async () => {
  await Promise.all([worker.stop(), api.stop()]);
  await db.close();
  dataDirs.forEach(removeDataDir);
  await drop();
});

const ask = (service: ServiceProcess) => async (path: string) => {
  const answer = await fetch(new URL(path, service.url));
  const body = await answer.text();
  return { statusCode: answer.status, body, json: <T>() => JSON.parse(body) as T };
};
async function loopsOf(service: ServiceProcess): Promise<string[]> {
  const { body } = await ask(service)('/metrics');
  return [...body.matchAll(/^linekeeper_loop_failed_passes\{loop="([^"]+)"\}/gm)].map(([, name]) => name!);
}

describe('a process', () => {
  it('reports the passes of exactly the recurring work of its role', async () => {
    const ofWorkers = Object.values(LOOPS)
      .flat()
      .filter((name) => ![...LOOPS_OF_REQUESTS, ...LOOPS_OF_CLUSTER, ...LOOPS_OF_FEEDS].includes(name));
    assert.deepEqual((await loopsOf(worker)).sort(), ofWorkers.sort());
    assert.deepEqual((await loopsOf(api)).sort(), [...LOOPS_OF_REQUESTS, ...LOOPS_OF_ALL].sort());
  });

  it('is alive but not ready if work of its role fails; one with another role is ready', async () => {
    await untilReady(ask(worker));
    const repair = await breakWrites(db, { table: 'job', on: 'update', when: "new.state = 'running'" });
    await db.exec(
      sql`update job set due_at = clock_timestamp() - interval '1 minute' where state = 'waiting'`,
    );
    const { code } = await untilFailing(ask(worker), 'jobs.claim');
    assert.equal(code, 503);
    assert.equal((await ask(worker)('/health/live')).statusCode, 200);
    assert.equal((await ask(api)('/health/ready')).statusCode, 200);
    await repair();
    await untilReady(ask(worker));
  });
});
