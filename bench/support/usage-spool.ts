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
/** Records, or rows without ids, which the service identifies by file and line. */
export type FileForm = keyof typeof MAPPINGS;

const folderOf = (root: string, form: FileForm) => join(root, form);

/** Creates the folders and, next to them, a network file that names them; returns its path. */
export function makeSpool(root: string): string {
  const files = Object.entries(MAPPINGS).map(([form, mapping]) => {
    const folder = folderOf(root, form as FileForm);
    mkdirSync(folder);
    writeFileSync(join(root, `${form}.json`), JSON.stringify(mapping));
    return { name: form, folder, mapping: `${form}.json` };
  });
  const network = join(root, 'network.json');
  writeFileSync(network, JSON.stringify({ feeds: { files } }));
  return network;
}

const HEADER = 'START,IMEI,BYTES,APN,RG,CC,COST\n';

function rowsOf({ records, devices, run, at = AT }: Fed & { readonly records: number }): string {
  const rows = Array.from({ length: records }, (_, n) => {
    const { device, bytes } = benchRecord(n, devices, run);
    return `${at},${device.imei},${bytes},iot.apn,100,USA,0.12\n`;
  });
  return HEADER + rows.join('');
}

/** Puts a complete file there, dated a minute ago, so that the service takes it at once. */
function put(folder: string, name: string, content: string): void {
  const path = join(folder, name);
  writeFileSync(`${path}.part`, content);
  const before = Date.now() / 1_000 - 60;
  utimesSync(`${path}.part`, before, before);
  renameSync(`${path}.part`, path);
}

/** Records per second, from the start of a file to its end. */
export async function fileRate(
  db: Database,
  root: string,
  form: FileForm,
  fed: Fed & { readonly records: number },
): Promise<number> {
  const { records, run } = fed;
  const [folder, name] = [folderOf(root, form), `${run}.txt`];
  put(folder, name, form === 'rows' ? rowsOf(fed) : linesOf(0, records, fed).join(''));
  const moved = join(folder, 'done', name);
  for (const end = Date.now() + LIMIT_MS; !existsSync(moved); await sleep(LOOK_MS))
    if (Date.now() > end) throw new Error(`${name} was not taken`);
  rmSync(moved);
  const { accepted, seconds } = await db.one<{ accepted: number; seconds: number }>(sql`
    select accepted::float8 as accepted, extract(epoch from ended_at - begun_at)::float8 as seconds
    from usage_file where folder = ${folder} and name = ${name}`);
  if (accepted !== records) throw new Error(`accepted ${accepted}`);
  return records / seconds;
}
