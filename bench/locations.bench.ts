import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ACCOUNT, basic, CLIENT, SMALL_FLEET, USER } from '../test/support/fleet.ts';
import { makeDataDir, removeDataDir, startServiceProcess } from '../test/support/service-process.ts';
import { startBenchPostgres } from './support/bench-postgres.ts';
import { requestsPerSecond } from './support/load.ts';
import type { Finding } from './support/report.ts';
import { residentMb } from './support/resident-memory.ts';
import { median, show, spread } from './support/statistics.ts';

const DEVICES = 10_000;
const ROUNDS = 9;
const PAGE_ROUNDS = 5;
const PAGE_SECONDS = 4;
const REPORTS = 20;
const MEMORY_MB_MAX = 300;
const DB_CONNECTIONS = 10;
const OPERATOR_KEY = 'operator-key-for-the-bench';

const devices = Array.from({ length: DEVICES }, (_, n) => ({
  accountName: ACCOUNT,
  imei: `9900${String(n).padStart(11, '0')}`,
  mdn: `555${String(n).padStart(7, '0')}`,
}));
const deviceList = devices.map(({ imei }) => ({ id: imei, kind: 'IMEI' }));

async function openScene() {
  const postgres = await startBenchPostgres();
  const databaseUrl = await postgres.createDatabase('locations');
  const service = await startServiceProcess(makeDataDir(), {
    DATABASE_URL: databaseUrl,
    LINEKEEPER_MODE: 'sandbox',
    LINEKEEPER_OPERATOR_KEY: OPERATOR_KEY,
    LINEKEEPER_DB_CONNECTIONS: String(DB_CONNECTIONS),
    LINEKEEPER_LOG_LEVEL: 'warn',
  });
  const operator = async (path: string, body: string) => {
    const answer = await fetch(`${service.url}/operator/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${OPERATOR_KEY}` },
      body,
    });
    if (!answer.ok) throw new Error(await answer.text());
  };
  await operator('/import', JSON.stringify({ ...SMALL_FLEET, devices }));
  const at = new Date().toISOString();
  const positions = devices.map(({ imei }, n) => ({
    ...{ kind: 'imei', device: imei, at },
    ...{ lat: 30 + n / 1_000, lon: -90 - n / 1_000, radius: 300 },
  }));
  await operator('/positions', positions.map((position) => JSON.stringify(position)).join('\n'));
  const token = await fetch(`${service.url}/ts/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: basic(CLIENT) },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const authorization = `Bearer ${((await token.json()) as { access_token: string }).access_token}`;
  const session = await fetch(`${service.url}/m2m/v1/session/login`, {
    method: 'POST',
    headers: { authorization },
    body: JSON.stringify(USER),
  });
  const { sessionToken } = (await session.json()) as { sessionToken: string };
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return {
    databaseUrl,
    service,
    client,
    headers: { authorization, 'svc-m2m-token': sessionToken },
    async close() {
      await client.end();
      await service.stop();
      await postgres.stop();
      removeDataDir(service.dataDir);
    },
  };
}
type Scene = Awaited<ReturnType<typeof openScene>>;

async function createReport({ service, headers }: Scene, cacheMode: string) {
  const answer = await fetch(`${service.url}/loc/v1/locationreports`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ accountName: ACCOUNT, cacheMode, deviceList }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as { txid: string; status: string };
}

/** The same rows in one statement, into a table with the same columns and indexes. */
async function insertBare({ client }: Scene, txid: string): Promise<void> {
  const { rows } = await client.query(
    `select device_id, msid, latitude, longitude, radius_m, located_at from location_entry where txid = $1 order by nth`,
    [txid],
  );
  const column = (name: string) => rows.map((row) => row[name]);
  const values = ['device_id', 'msid', 'latitude', 'longitude', 'radius_m', 'located_at'].map(column);
  const startedAt = performance.now();
  await client.query(
    `insert into bare_entry (ecpd_id, txid, nth, device_id, msid, state, cached, latitude, longitude, radius_m, located_at)
     select '9000001', gen_random_uuid(), nth, d, m, 'located', true, x, y, r, t
     from unnest($1::uuid[], $2::text[], $3::float8[], $4::float8[], $5::float8[], $6::timestamptz[])
       with ordinality as e (d, m, x, y, r, t, nth)`,
    values,
  );
  bareMs.push(performance.now() - startedAt);
}
const bareMs: number[] = [];

async function measureCached(scene: Scene): Promise<Finding & { txid: string }> {
  await scene.client.query('create table bare_entry (like location_entry including all)');
  const oursMs: number[] = [];
  let txid = '';
  for (let round = 0; round <= ROUNDS; round++) {
    const startedAt = performance.now();
    const report = await createReport(scene, '0');
    oursMs.push(performance.now() - startedAt);
    if (report.status !== 'COMPLETED') throw new Error(`the report is ${report.status}`);
    txid = report.txid;
    await insertBare(scene, txid);
  }
  // The first of each is for warming up.
  const [ours, bare] = [oursMs.slice(1), bareMs.slice(1)];
  const ratios = ours.map((ms, n) => ms / bare[n]!);
  return {
    txid,
    what: 'Cached report of 10,000 devices, from the POST to COMPLETED, ms',
    ours: `${show(median(ours))} (${spread(ours)})`,
    against: `${show(median(bare))} (its 10,000 rows inserted in one statement)`,
    ratio: `${show(median(ratios))} (${spread(ratios)})`,
    target: 'at most 3',
    met: median(ratios) <= 3,
  };
}

async function measurePage({ service, headers, databaseUrl }: Scene, txid: string): Promise<Finding> {
  const child = spawn(process.execPath, ['bench/support/bare-page.ts'], {
    env: {
      ...process.env,
      BENCH_DATABASE_URL: databaseUrl,
      BENCH_TXID: txid,
      BENCH_CONNECTIONS: String(DB_CONNECTIONS),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const load = { connections: 8, seconds: PAGE_SECONDS };
  const url = `${service.url}/loc/v1/locationreports/${ACCOUNT}/report/${txid}/index/0`;
  const ours = () => requestsPerSecond({ ...load, url, headers });
  const theirs = () => requestsPerSecond({ ...load, url: `${/on (\S+)/.exec(line)![1]}/page` });
  await ours();
  await theirs();
  const rounds: { ours: number; theirs: number }[] = [];
  for (let round = 0; round < PAGE_ROUNDS; round++) {
    const first = round % 2 === 0 ? await ours() : await theirs();
    const second = round % 2 === 0 ? await theirs() : await ours();
    rounds.push(round % 2 === 0 ? { ours: first, theirs: second } : { ours: second, theirs: first });
  }
  child.kill();
  const ratios = rounds.map((round) => round.ours / round.theirs);
  return {
    what: 'Page of 1,000 of a report, consent asked for, requests/s',
    ours: show(median(rounds.map((round) => round.ours))),
    against: `${show(median(rounds.map((round) => round.theirs)))} (bare Fastify handler, same rows)`,
    ratio: `${show(median(ratios))} (${spread(ratios)})`,
    target: 'at least 0.7',
    met: median(ratios) >= 0.7,
  };
}

async function measureMemory(scene: Scene): Promise<Finding[]> {
  const { service, client } = scene;
  let most = 0;
  let watching = true;
  const watch = (async () => {
    while (watching) {
      most = Math.max(most, residentMb(service.child.pid!));
      await sleep(50);
    }
  })();
  const startedAt = performance.now();
  for (let n = 0; n < REPORTS; n++) await createReport(scene, '2');
  for (;;) {
    const { rows } = await client.query(
      `select count(*)::int as n from location_request where ended_at is null`,
    );
    if (rows[0].n === 0) break;
    await sleep(100);
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  watching = false;
  await watch;
  return [
    {
      what: `Resident memory while ${REPORTS} reports of 10,000 devices are worked on, MB`,
      ours: show(most),
      against: '',
      ratio: '',
      target: `under ${MEMORY_MB_MAX}`,
      met: most < MEMORY_MB_MAX,
    },
    {
      what: 'Devices located by the simulated network, recorded and billed, per second',
      ours: show((REPORTS * DEVICES) / seconds),
      against: '',
      ratio: '',
      target: '',
      met: undefined,
    },
  ];
}

export async function locations(): Promise<Finding[]> {
  const scene = await openScene();
  try {
    const { txid, ...cached } = await measureCached(scene);
    return [cached, await measurePage(scene, txid), ...(await measureMemory(scene))];
  } finally {
    await scene.close();
  }
}
