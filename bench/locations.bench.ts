import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { ACCOUNT, SMALL_FLEET } from '../test/support/fleet.ts';
import { inTurns } from './support/in-turns.ts';
import { requestsPerSecond } from './support/load.ts';
import { alone, beside, type Finding } from './support/report.ts';
import { residentMb } from './support/resident-memory.ts';
import { roundsOr } from './support/rounds.ts';
import { openServiceScene, type ServiceScene } from './support/service-scene.ts';
import { msOf } from './support/statistics.ts';

const DEVICES = 10_000;
const ROUNDS = roundsOr(9);
const PAGE_ROUNDS = roundsOr(5);
const PAGE_SECONDS = 4;
const REPORTS = 20;
const MEMORY_MB_MAX = 300;
const DB_CONNECTIONS = 10;

const devices = Array.from({ length: DEVICES }, (_, n) => ({
  accountName: ACCOUNT,
  imei: `9900${String(n).padStart(11, '0')}`,
  mdn: `555${String(n).padStart(7, '0')}`,
}));
const deviceList = devices.map(({ imei }) => ({ id: imei, kind: 'IMEI' }));

async function openScene() {
  const scene = await openServiceScene(
    'locations',
    { ...SMALL_FLEET, devices },
    { LINEKEEPER_DB_CONNECTIONS: String(DB_CONNECTIONS) },
  );
  // The comparison also waits for the disk.
  await scene.client.query('set synchronous_commit = on');
  const at = new Date().toISOString();
  const positions = devices.map(({ imei }, n) => ({
    ...{ kind: 'imei', device: imei, at },
    ...{ lat: 30 + n / 1_000, lon: -90 - n / 1_000, radius: 300 },
  }));
  await scene.operate('/positions', positions.map((position) => JSON.stringify(position)).join('\n'));
  return scene;
}

const createReport = async ({ post }: ServiceScene, cacheMode: string) =>
  (await post('/loc/v1/locationreports', { accountName: ACCOUNT, cacheMode, deviceList })).body as {
    readonly txid: string;
    readonly status: string;
  };

/** Inserts the same rows in one statement, into a table with the same columns and indexes. */
async function insertBare({ client }: ServiceScene, txid: string): Promise<number> {
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
  return performance.now() - startedAt;
}

async function measureCached(scene: ServiceScene): Promise<Finding & { txid: string }> {
  await scene.client.query('create table bare_entry (like location_entry including all)');
  let txid = '';
  const turns = await inTurns(
    ROUNDS,
    () =>
      msOf(async () => {
        const report = await createReport(scene, '0');
        if (report.status !== 'COMPLETED') throw new Error(`the report is ${report.status}`);
        txid = report.txid;
      }),
    () => insertBare(scene, txid),
  );
  return {
    txid,
    ...beside({
      what: 'Cached report of 10,000 devices, from the POST to COMPLETED, ms',
      ...turns,
      is: 'its 10,000 rows inserted in one statement',
      target: { atMost: 3 },
    }),
  };
}

async function measurePage({ service, headers, databaseUrl }: ServiceScene, txid: string): Promise<Finding> {
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
  const rates = await inTurns(PAGE_ROUNDS, ours, theirs);
  child.kill();
  return beside({
    what: 'Page of 1,000 of a report, consent asked for, requests/s',
    ...rates,
    is: 'a bare Fastify handler with the same rows',
    target: { atLeast: 0.7 },
  });
}

async function measureMemory(scene: ServiceScene): Promise<Finding[]> {
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
    alone(`Resident memory while ${REPORTS} reports of 10,000 devices are worked on, MB`, [most], {
      atMost: MEMORY_MB_MAX,
    }),
    alone('Devices located by the simulated network, recorded and billed, per second', [
      (REPORTS * DEVICES) / seconds,
    ]),
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
