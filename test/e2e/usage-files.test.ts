import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createOperatorClient } from '../../clients/sdk/index.ts';
import { createTestDatabase } from '../support/database.ts';
import { ACCOUNT, SMALL_FLEET } from '../support/fleet.ts';
import {
  makeDataDir,
  removeDataDir,
  type ServiceProcess,
  startServiceProcess,
} from '../support/service-process.ts';

const IMSI = '311480000000001';
const FILES = 4;
const ROWS = Number(process.env['TEST_ROWS'] ?? 20_000) / FILES;
const KILLS = 4;

const dataDir = makeDataDir();
after(() => removeDataDir(dataDir));

/** Where files are put, and the network file that names it. */
function makeSpool() {
  const spool = join(dataDir, 'spool');
  mkdirSync(spool, { recursive: true });
  const network = join(dataDir, 'network.json');
  writeFileSync(join(dataDir, 'mapping.json'), JSON.stringify(MAPPING));
  writeFileSync(
    network,
    JSON.stringify({ feeds: { files: [{ folder: 'spool', mapping: 'mapping.json' }] } }),
  );
  return { spool, network };
}

const MAPPING = {
  format: 'csv',
  columns: {
    device: { column: 'IMSI', kind: 'imsi' },
    at: { column: 'START' },
    bytes: { column: 'BYTES' },
  },
};

const operatorOf = ({ url: baseUrl, operatorKey }: ServiceProcess) =>
  createOperatorClient({ baseUrl, operatorKey, timeoutMs: 60_000 });

it('files are counted to the byte through kill -9 in the middle, again and again', async () => {
  const { spool, network } = makeSpool();
  const database = await createTestDatabase();
  const env = {
    DATABASE_URL: database.url,
    LINEKEEPER_MODE: 'sandbox',
    LINEKEEPER_OPERATOR_KEY: 'an-operator-key-of-length',
    LINEKEEPER_SECRET_KEY: 'k1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
    LINEKEEPER_NETWORK: network,
  };
  let service = await startServiceProcess(dataDir, env);
  await operatorOf(service).call('POST /operator/v1/import', {
    raw: JSON.stringify({ ...SMALL_FLEET, devices: [{ accountName: ACCOUNT, imsi: IMSI }] }),
  });
  let bytes = 0;
  const start = Math.floor(Date.now() / 1_000) - 3_600;
  for (let file = 0; file < FILES; file++) {
    const rows = Array.from({ length: ROWS }, (_, n) => {
      const used = 1 + ((n * 7_919 + file) % 100_000);
      bytes += used;
      return `${start + (n % 3_000)},${IMSI},${used}`;
    });
    const path = join(spool, `${file}.csv`);
    writeFileSync(path, `START,IMSI,BYTES\n${rows.join('\n')}\n`);
    utimesSync(path, start, start + file);
  }
  const done = () => (readdirSync(spool).includes('done') ? readdirSync(join(spool, 'done')) : []);
  for (let kills = 0; kills < KILLS; kills++) {
    // Wherever it is by then.
    await sleep(300 + 400 * kills);
    await service.stop('SIGKILL');
    service = await startServiceProcess(dataDir, env);
  }
  for (let n = 0; n < 1_200 && done().length < FILES; n++) await sleep(100);
  assert.deepEqual(
    done().toSorted(),
    Array.from({ length: FILES }, (_, n) => `${n}.csv`),
  );
  const client = new pg.Client(database.url);
  await client.connect();
  for (const table of ['usage_record', 'usage_account_day']) {
    const { rows } = await client.query(`select sum(bytes)::text as bytes from ${table}`);
    assert.equal(rows[0].bytes, String(bytes), table);
  }
  await client.end();
  const files = await operatorOf(service).call('GET /operator/v1/network/{feed}/files', {
    path: { feed: 'files' },
  });
  const taken = files.reduce((sum, { accepted, duplicates }) => sum + accepted + duplicates, 0);
  assert.equal(taken, FILES * ROWS);
  assert.equal(await service.stop(), 0);
  await database.drop();
});
