import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ACCOUNT, SMALL_FLEET } from '../test/support/fleet.ts';
import { inTurns } from './support/in-turns.ts';
import { beside, type Finding } from './support/report.ts';
import { roundsOr } from './support/rounds.ts';
import { openServiceScene, type ServiceScene } from './support/service-scene.ts';
import { msOf, show } from './support/statistics.ts';

const DEVICES = Number(process.env['BENCH_IMPORT_DEVICES'] ?? 100_000);
const ROUNDS = roundsOr(3);
const RATIO_MAX = 4;
/** The tables that the import of a device writes, referenced tables first. */
const WRITTEN = ['device', 'device_identifier', 'device_plan', 'line_change', 'audit_entry'];

/** A line with three identifiers, a plan and a label. */
const document = () =>
  JSON.stringify({
    devices: Array.from({ length: DEVICES }, (_, n) => ({
      accountName: ACCOUNT,
      imei: String(990_000_100_000_000 + n),
      mdn: String(5_000_000_000 + n),
      iccid: `8914800000${String(n).padStart(9, '0')}`,
      servicePlan: 'P-5MB',
      labels: [{ name: 'Site', value: `site ${n % 100}` }],
    })),
  });

/** Removes all traces of devices. */
async function empty({ client }: ServiceScene): Promise<void> {
  await client.query(`truncate ${WRITTEN.join(', ')} cascade`);
  await client.query('checkpoint');
}

/** Inserts the same rows in one transaction: by COPY into temporary tables, and from there into the same tables. */
async function insertBare({ client }: ServiceScene, folder: string): Promise<void> {
  await client.query('begin');
  for (const table of WRITTEN) {
    await client.query(`create temporary table rows_of_${table} (like ${table}) on commit drop`);
    await client.query(`copy rows_of_${table} from '${join(folder, table)}'`);
    await client.query(`insert into ${table} overriding system value select * from rows_of_${table}`);
  }
  await client.query('commit');
}

/** Compares the import of a hundred thousand devices in one document with merely writing their rows. */
export async function importFleet(): Promise<Finding[]> {
  const scene = await openServiceScene('import', { ...SMALL_FLEET, devices: [] });
  const folder = mkdtempSync(join(tmpdir(), 'linekeeper-import-'));
  // The server writes into it as its own user.
  chmodSync(folder, 0o777);
  const text = document();
  try {
    // The comparison also waits for the disk.
    await scene.client.query('set synchronous_commit = on');
    const turns = await inTurns(
      ROUNDS,
      async () => {
        await empty(scene);
        return msOf(() => scene.operate('/import', text));
      },
      async (round) => {
        if (round === 0)
          for (const table of WRITTEN) await scene.client.query(`copy ${table} to '${join(folder, table)}'`);
        await empty(scene);
        return msOf(() => insertBare(scene, folder));
      },
    );
    const { rows } = await scene.client.query('select count(*)::int as devices from device');
    if (rows[0].devices !== DEVICES) throw new Error(`${rows[0].devices} devices were written`);
    return [
      beside({
        what: `Import of a document with ${show(DEVICES)} devices, ms`,
        ...turns,
        is: 'the same rows by COPY and inserts into the same tables',
        target: { atMost: RATIO_MAX },
      }),
    ];
  } finally {
    await scene.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
