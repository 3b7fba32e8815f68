import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Database } from '../src/platform/db/db.ts';
import { sql, trusted } from '../src/platform/db/sql.ts';
import { freeUdpPort } from '../test/network/support/addresses.ts';
import { accountingRate, benchImsi, SECRET } from './support/accounting-packets.ts';
import { startFeedScene } from './support/feed-scene.ts';
import { inTurns } from './support/in-turns.ts';
import { beside, type Finding } from './support/report.ts';
import { roundsOr } from './support/rounds.ts';
import { show } from './support/statistics.ts';
import { FED_TABLES, makeBareTables } from './support/usage-bare.ts';
import { benchDevice } from './support/usage-fleet.ts';

const ROUNDS = roundsOr(3);
const SESSIONS = 10_000;
const STEPS = 3;
const BARE = fileURLToPath(new URL('./support/bare-accounting.ts', import.meta.url));

/** Gives each line an IMSI, by which access servers identify it. */
async function nameLines(db: Database): Promise<void> {
  const lines = Array.from({ length: SESSIONS }, (_, n) => ({ ...benchDevice(n), imsi: benchImsi(n) }));
  await db.exec(sql`
    insert into device_identifier (ecpd_id, account_name, device_id, kind, value)
    select d.e, d.a, d.i, 'imsi', d.v from unnest(${lines.map((d) => d.ecpdId)}::text[],
      ${lines.map((d) => d.accountName)}::text[], ${lines.map((d) => d.deviceId)}::uuid[],
      ${lines.map((d) => d.imsi)}::text[]) d (e, a, i, v)`);
  await db.exec(sql`vacuum analyze device_identifier`);
}

async function makeBare(url: string): Promise<void> {
  const admin = new pg.Client(url);
  await admin.connect();
  await makeBareTables(admin);
  await admin.query('create table bare.data_session (like public.data_session including all)');
  await admin.end();
}

/** Compares the service as an accounting server with a minimal one that keeps the same rows. */
export async function radiusAccounting(): Promise<Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'linekeeper-bench-'));
  const [ours, bare] = [await freeUdpPort('127.0.0.1'), await freeUdpPort('127.0.0.1')];
  const file = join(folder, 'network.json');
  const clients = [{ address: '127.0.0.1', secret: SECRET }];
  writeFileSync(file, JSON.stringify({ feeds: { radius: { listen: `127.0.0.1:${ours}`, clients } } }));
  const scene = await startFeedScene(SESSIONS, 'all', { LINEKEEPER_NETWORK: file });
  await nameLines(scene.db);
  await makeBare(scene.databaseUrl);
  const child = spawn(process.execPath, [BARE, scene.databaseUrl, String(bare)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout!, 'data');
  const prepare = async () => {
    await scene.startOver();
    await scene.db.exec(sql`truncate data_session`);
    for (const table of [...FED_TABLES, 'data_session'])
      await scene.db.exec(sql`truncate bare.${trusted(table)}`);
    await scene.db.exec(sql`checkpoint`);
  };
  try {
    const turns = await inTurns(
      ROUNDS,
      async () => {
        await prepare();
        return accountingRate(ours, SESSIONS, STEPS);
      },
      async () => {
        await prepare();
        return accountingRate(bare, SESSIONS, STEPS);
      },
    );
    return [
      beside({
        what: `RADIUS packets taken, kept and answered per second, ${show(SESSIONS * STEPS)} of ${show(SESSIONS)} sessions`,
        ...turns,
        is: 'a bare UDP loop that writes the same rows in batches',
        target: { atLeast: 0.5 },
      }),
    ];
  } finally {
    child.kill();
    await scene.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
