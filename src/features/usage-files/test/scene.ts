import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ACCOUNT, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import { type Mapping, parseMapping } from '../mapping.ts';

export const NOON = new Date('2026-01-15T12:00:00Z');
export const IMSI = '311480000000001';

export const CSV = {
  format: 'csv',
  delimiter: ';',
  columns: {
    device: { column: 'IMSI', kind: 'imsi' },
    at: { column: 'START', zone: 'UTC' },
    bytes: { column: 'VOL', unit: 'KB' },
    apn: 'APN',
  },
};
export const HEADER = 'START;IMSI;VOL;APN';

function mappingOf(value: unknown): Mapping {
  const parsed = parseMapping(value);
  assert.ok('mapping' in parsed);
  return parsed.mapping;
}

/** A world that watches folders; scanning begins when it is started. */
export async function makeFolders(mappings: Readonly<Record<string, unknown>>, databaseUrl?: string) {
  const root = await mkdtemp(join(tmpdir(), 'linekeeper-files-'));
  after(() => rm(root, { recursive: true, force: true }));
  const folders = Object.entries(mappings).map(([name, mapping]) => ({
    name,
    folder: join(root, name),
    mapping: mappingOf(mapping),
    ...(name === 'north' && { source: name }),
  }));
  for (const { folder } of folders) await mkdir(folder);
  const files = folders.map(({ name, folder }) => ({ name, folder, mapping: '' }));
  const world = await makeWorld({
    folders,
    settings: { network: { elements: [], positions: [], feeds: { files } } },
    ...(databaseUrl !== undefined && { databaseUrl }),
  });
  world.clock.holdAt(NOON);
  if (databaseUrl === undefined)
    await world.import({
      ...SMALL_FLEET,
      devices: [
        { accountName: ACCOUNT, imsi: IMSI, servicePlan: 'P-5MB', planSince: '2025-12-20T00:00:00Z' },
      ],
    });
  const { db } = world.ctx;
  const until = async (is: () => Promise<boolean>) => {
    for (let n = 0; n < 1_200 && !(await is()); n++) await sleep(50);
    assert.ok(await is());
  };
  const names = async (...path: string[]) => (await readdir(join(root, ...path)).catch(() => [])).toSorted();
  return {
    world,
    root,
    until,
    names,
    /** As if it had not changed for a while. */
    async put(feed: string, name: string, content: string | Buffer) {
      const path = join(root, feed, name);
      await writeFile(`${path}.tmp`, content);
      await utimes(`${path}.tmp`, new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
      await rename(`${path}.tmp`, path);
    },
    text: (...path: string[]) => readFile(join(root, ...path), 'utf8'),
    /** Waits until the files are in the folders for done or failed files. */
    ended: (feed: string, ...files: string[]) =>
      until(async () => {
        const there = [...(await names(feed, 'done')), ...(await names(feed, 'failed'))];
        return files.every((file) => there.includes(file));
      }),
    bytes: async () =>
      Number(
        (
          await db.one<{ bytes: string }>(
            sql`select coalesce(sum(bytes), 0)::text as bytes from usage_record`,
          )
        ).bytes,
      ),
    listed: async (feed: string) => (await world.operator('GET', `/network/${feed}/files`)).json(),
    feeds: async () => (await world.operator('GET', '/network')).json().feeds,
  };
}
