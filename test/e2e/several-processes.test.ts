import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../src/platform/db/db.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { createTestDatabase } from '../support/database.ts';
import { ACCOUNT, basic, CLIENT, SMALL_FLEET, USER } from '../support/fleet.ts';
import { openListener } from '../support/listener.ts';
import {
  makeDataDir,
  removeDataDir,
  type ServiceProcess,
  startServiceProcess,
} from '../support/service-process.ts';

const CONNECTIONS = 6;
const REQUESTS = 40;
const DEVICES_EACH = 25;
const DEVICES = REQUESTS * DEVICES_EACH;
const FEEDS = 20;
const RECORDS_EACH = 200;
/** The number of answered calls at which two of the four are killed. */
const KILLED_AFTER = 10;

const imeis = Array.from({ length: DEVICES }, (_, n) => `9955000000${String(n).padStart(5, '0')}`);
const { url, drop } = await createTestDatabase();
const db = openDatabase(url, { connections: 4, applicationName: 'test' });
const dataDir = makeDataDir();
const env = {
  DATABASE_URL: url,
  LINEKEEPER_MODE: 'sandbox',
  LINEKEEPER_DB_CONNECTIONS: String(CONNECTIONS),
  LINEKEEPER_OPERATOR_KEY: 'an-operator-key-of-length',
  LINEKEEPER_SECRET_KEY: 'k1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  LINEKEEPER_LOG_LEVEL: 'silent',
};
const processes: ServiceProcess[] = [];
const listener = await openListener();
let mostConnections: Record<string, number> = {};

const operator = { authorization: `Bearer ${env.LINEKEEPER_OPERATOR_KEY}` };
const call = (to: number, method: string, path: string, headers: Record<string, string>, body?: unknown) =>
  fetch(`${processes[to]!.url}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
const jsonOf = async (answer: Response) => {
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return JSON.parse(text) as Record<string, string>;
};

/** A token and a session of one process. */
async function logIn(at: number): Promise<Record<string, string>> {
  const form = { authorization: basic(CLIENT), 'content-type': 'application/x-www-form-urlencoded' };
  const grant = 'grant_type=client_credentials';
  const token = (await jsonOf(await call(at, 'POST', '/ts/v1/oauth2/token', form, grant)))['access_token']!;
  const authorization = `Bearer ${token}`;
  const session = await jsonOf(await call(at, 'POST', '/m2m/v1/session/login', { authorization }, USER));
  return { authorization, 'svc-m2m-token': session['sessionToken']! };
}
const plansAt = async (at: number, headers: Record<string, string>) =>
  (await call(at, 'GET', `/m2m/v1/plans/${ACCOUNT}`, headers)).status;

async function until(condition: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await condition())) {
    assert.ok(Date.now() < end, 'it did not come to that');
    await sleep(50);
  }
}
const count = async (what: ReturnType<typeof sql>) =>
  (await db.one<{ n: number }>(sql`select count(*)::int as n from ${what}`)).n;

before(async () => {
  await Promise.all(
    ['api', 'api', 'worker', 'worker'].map(async (role, n) => {
      processes[n] = await startServiceProcess(dataDir, { ...env, LINEKEEPER_ROLE: role });
    }),
  );
  const devices = imeis.map((imei) => ({ accountName: ACCOUNT, imei, servicePlan: 'P-5MB' }));
  await jsonOf(await call(0, 'POST', '/operator/v1/import', operator, { ...SMALL_FLEET, devices }));
});
after(async () => {
  await Promise.all(processes.map((service) => service.stop()));
  await db.close();
  await drop();
  removeDataDir(dataDir);
});

describe('two api and two worker processes on one database', () => {
  it("accept each other's tokens and sessions, and both are notified when one ends", async () => {
    const headers = await logIn(0);
    assert.deepEqual([await plansAt(0, headers), await plansAt(1, headers)], [200, 200]);
    await call(1, 'POST', '/m2m/v1/session/logout', headers);
    await until(async () => (await plansAt(0, headers)) === 400);
    await until(async () => (await plansAt(1, headers)) === 400);
  });

  it('refuse to move the clock, which only a single process can do', async () => {
    const answer = await call(1, 'POST', '/operator/v1/clock', operator, { advance: 'PT1S' });
    assert.equal(answer.status, 409);
  });

  it('lose nothing accepted and do nothing twice, even if one of each is killed under load', async () => {
    const headers = await logIn(0);
    await jsonOf(
      await call(1, 'POST', `/m2m/v1/callbacks/${ACCOUNT}`, headers, {
        name: 'CarrierService',
        url: listener.url,
      }),
    );
    let answered = 0;
    let killed = false;
    /** Unanswered calls are repeated at the other process with the same key, because they may have been accepted. */
    const accepted = async (n: number, path: string, more: Record<string, string>, body: unknown) => {
      for (const end = Date.now() + 60_000; ; ) {
        const to = killed ? 1 : n % 2;
        const answer = await call(to, 'POST', path, more, body).catch(() => undefined);
        // 409: the killed process may still hold the key for a moment.
        if (answer !== undefined && ![409, 503].includes(answer.status)) {
          answered++;
          return jsonOf(answer);
        }
        assert.ok(Date.now() < end, 'it was never accepted');
        await sleep(50);
      }
    };
    const suspend = (n: number) => {
      const devices = imeis
        .slice(n * DEVICES_EACH, (n + 1) * DEVICES_EACH)
        .map((id) => ({ deviceIds: [{ id, kind: 'imei' }] }));
      const key = { ...headers, 'idempotency-key': `suspend-${n}` };
      return accepted(n, '/m2m/v1/devices/actions/suspend', key, { accountName: ACCOUNT, devices });
    };
    const at = new Date().toISOString();
    const feed = (n: number) =>
      accepted(
        n,
        '/operator/v1/usage',
        operator,
        Array.from({ length: RECORDS_EACH }, (_, i) =>
          JSON.stringify({ id: `${n}-${i}`, kind: 'imei', device: imeis[i], at, bytes: 1 }),
        ).join('\n'),
      );
    const killing = (async () => {
      await until(async () => answered >= KILLED_AFTER);
      await Promise.all([processes[0]!.stop('SIGKILL'), processes[2]!.stop('SIGKILL')]);
      killed = true;
    })();
    const watching = new AbortController();
    const watched = watchConnections(watching.signal);
    // A few at a time, so that some are in progress when the two die and many follow.
    const work = Array.from({ length: REQUESTS }, (_, n) =>
      n < FEEDS ? [() => suspend(n), () => feed(n)] : [() => suspend(n)],
    ).flat();
    const requestIds = new Set<string>();
    const take = async () => {
      for (let next = work.shift(); next !== undefined; next = work.shift()) {
        const { requestId } = await next();
        if (requestId !== undefined) requestIds.add(requestId);
      }
    };
    await Promise.all(Array.from({ length: 4 }, take));
    await killing;
    assert.equal(requestIds.size, REQUESTS);

    await until(async () => (await count(sql`carrier_request where status = 'Pending'`)) === 0);
    await until(async () => (await count(sql`callback_pending`)) === 0);
    watching.abort();
    await watched;
    assert.deepEqual(
      {
        requests: await count(sql`carrier_request where status = 'Success'`),
        suspended: await count(sql`device where state = 'suspend'`),
        suspensions: await count(sql`device_suspension where resumed_at is null`),
        messages: await count(sql`callback_message`),
        failedJobs: await count(sql`job where state = 'failed'`),
        records: await count(sql`usage_record`),
      },
      {
        requests: REQUESTS,
        suspended: DEVICES,
        suspensions: DEVICES,
        messages: DEVICES,
        failedJobs: 0,
        records: FEEDS * RECORDS_EACH,
      },
    );
    const { bytes } = await db.one<{ bytes: number }>(
      sql`select sum(bytes)::int as bytes from usage_account_day where account_name = ${ACCOUNT}`,
    );
    assert.equal(bytes, FEEDS * RECORDS_EACH);
    assert.equal(new Set(listener.heard.map((heard) => heard.headers['webhook-id'])).size, DEVICES);
    assert.equal(await plansAt(1, headers), 200, 'a session outlives the process that gave it');
  });

  it('never used more connections than allowed', () => {
    const allowed = {
      'linekeeper-api': 2 * CONNECTIONS,
      'linekeeper-worker': 2 * CONNECTIONS,
      'linekeeper-api-upkeep': 2,
      'linekeeper-worker-upkeep': 2,
      'linekeeper-listen': 4,
    };
    assert.deepEqual(Object.keys(mostConnections).sort(), Object.keys(allowed).sort());
    for (const [name, most] of Object.entries(allowed))
      assert.ok(mostConnections[name]! <= most, `${name}: ${mostConnections[name]}`);
  });
});

async function watchConnections(signal: AbortSignal): Promise<void> {
  const most: Record<string, number> = {};
  while (!signal.aborted) {
    const rows = await db.many<{ name: string; n: number }>(sql`
      select application_name as name, count(*)::int as n from pg_stat_activity
      where datname = current_database() and application_name like 'linekeeper%' group by 1`);
    for (const { name, n } of rows) most[name] = Math.max(most[name] ?? 0, n);
    await sleep(20);
  }
  mostConnections = most;
}
