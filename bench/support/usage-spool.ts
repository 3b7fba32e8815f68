import { existsSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/platform/db/db.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { AT, benchRecord } from './usage-bare.ts';
import { type Fed, linesOf } from './usage-feed.ts';

const LIMIT_MS = 30 * 60_000;
const LOOK_MS = 100;

const MAPPINGS = {
  records: { format: 'ndjson' },
  rows: {
    format: 'csv',
    columns: {
      device: { column: 'IMEI', kind: 'imei' },
      at: { column: 'START' },
      bytes: { column: 'BYTES' },
      apn: 'APN',
      ratingGroup: 'RG',
      countryCode: 'CC',
      chargeAmount: 'COST',
    },
  },
};
/** As records, or as rows without ids, which are known by their file and line. */
export type FileForm = keyof typeof MAPPINGS;

/** As many folders as there are feeds at once. */
const FOLDERS = 2;
const folderOf = (root: string, form: FileForm, place: number) => join(root, `${form}-${place}`);

/** Folders beside a network file that names them; answers its path. */
export function makeSpool(root: string): string {
  const files = Object.entries(MAPPINGS).flatMap(([form, mapping]) => {
    writeFileSync(join(root, `${form}.json`), JSON.stringify(mapping));
    return Array.from({ length: FOLDERS }, (_, place) => {
      const folder = folderOf(root, form as FileForm, place);
      mkdirSync(folder);
      return { name: `${form}-${place}`, folder, mapping: `${form}.json` };
    });
  });
  const network = join(root, 'network.json');
  writeFileSync(network, JSON.stringify({ feeds: { files } }));
  return network;
}

const HEADER = 'START,IMEI,BYTES,APN,RG,CC,COST\n';

function rowsOf(from: number, to: number, { devices, run, at = AT }: Fed): string {
  const rows = Array.from({ length: to - from }, (_, n) => {
    const { device, bytes } = benchRecord(from + n, devices, run);
    return `${at},${device.imei},${bytes},iot.apn,100,USA,0.12\n`;
  });
  return HEADER + rows.join('');
}

/** As if it had lain there for a while. */
function put(folder: string, name: string, content: string): void {
  const path = join(folder, name);
  writeFileSync(`${path}.part`, content);
  const before = Date.now() / 1_000 - 60;
  utimesSync(`${path}.part`, before, before);
  renameSync(`${path}.part`, path);
}

/** Records taken in a second, from when the first of two files is begun to when the last one is at its end. */
export async function filesRate(
  db: Database,
  root: string,
  form: FileForm,
  fed: Fed & { readonly records: number },
): Promise<number> {
  const { records, run } = fed;
  const half = Math.ceil(records / 2);
  const name = `${run}.txt`;
  for (const [place, [from, to]] of [
    [0, half],
    [half, records],
  ].entries())
    put(
      folderOf(root, form, place),
      name,
      form === 'rows' ? rowsOf(from!, to!, fed) : linesOf(from!, to!, fed).join(''),
    );
  const moved = (place: number) => join(folderOf(root, form, place), 'done', name);
  for (const end = Date.now() + LIMIT_MS; ![0, 1].every((place) => existsSync(moved(place))); ) {
    if (Date.now() > end) throw new Error(`the files of ${run} were not taken`);
    await sleep(LOOK_MS);
  }
  for (const place of [0, 1]) rmSync(moved(place));
  const { accepted, seconds } = await db.one<{ accepted: number; seconds: number }>(sql`
    select sum(accepted)::float8 as accepted, extract(epoch from max(ended_at) - min(begun_at))::float8 as seconds
    from usage_file where name = ${name} and folder like ${`${root}/${form}-%`}`);
  if (accepted !== records) throw new Error(`accepted ${accepted}`);
  return records / seconds;
}
