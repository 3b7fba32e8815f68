import assert from 'node:assert/strict';
import { appendFile, chmod, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { sql } from '../../../platform/db/sql.ts';
import { NOT_STORABLE } from '../../../platform/json/storable-text.ts';
import { CSV, HEADER, IMSI, makeFolders } from './scene.ts';

const row = (minute: number, kb = 1) =>
  `2026-01-15 08:${String(minute % 60).padStart(2, '0')}:00;${IMSI};${kb};iot.apn`;
const fileOf = (...rows: string[]) => linesOf(rows);
const linesOf = (rows: readonly string[]) => `${HEADER}\n${rows.join('\n')}\n`;

describe('a folder of files', async () => {
  const folders = await makeFolders({ csv: CSV, plain: { format: 'ndjson' }, gone: CSV });
  const { world, put, ended, bytes, listed, names, text, until, feeds } = folders;
  await rm(join(folders.root, 'gone'), { recursive: true });
  world.files?.start();

  it('is taken row by row, and each file is moved away', async () => {
    const before = await bytes();
    await put('csv', 'a.csv', fileOf(row(1), row(2, 2), row(3, 3)));
    await ended('csv', 'a.csv');
    assert.equal((await bytes()) - before, 6 * 1024);
    const [file] = await listed('csv');
    assert.equal(file.name, 'a.csv');
    assert.deepEqual(
      [file.state, file.accepted, file.duplicates, file.rejected, file.lines],
      ['done', 3, 0, 0, 4],
    );
    assert.deepEqual(await names('csv', 'done'), ['a.csv']);
  });

  it('counts nothing for the same content under another name, compressed or not', async () => {
    const before = await bytes();
    await put('csv', 'again.csv', fileOf(row(1), row(2, 2), row(3, 3)));
    await put('csv', 'packed.csv.gz', gzipSync(fileOf(row(1), row(2, 2), row(3, 3))));
    await ended('csv', 'again.csv', 'packed.csv.gz');
    assert.equal(await bytes(), before);
    for (const { duplicates } of (await listed('csv')).slice(0, 2)) assert.equal(duplicates, 3);
  });

  it('leaves the rejected lines and their reasons in a file next to it', async () => {
    const before = await bytes();
    const bad = [
      'yesterday;1;1;x',
      `2026-01-15 08:00:00;${IMSI};lots;x`,
      `2026-01-15 08:00:00;999999999999999;1;x`,
    ];
    const zeros = Array.from({ length: 20 }, () => `${row(12)}\0`);
    await put('csv', 'bad.csv', fileOf(row(10), ...bad, `"half;${IMSI};1`, 'two;values', row(11), ...zeros));
    await ended('csv', 'bad.csv');
    assert.equal((await bytes()) - before, 2 * 1024);
    const rejected = (await text('csv', 'done', 'bad.csv.rejected')).trim().split('\n');
    assert.deepEqual(
      rejected.map((line) => JSON.parse(line)),
      [
        { line: 3, reason: 'START is not a date-time: yesterday' },
        { line: 4, reason: 'VOL is not a number of KB: lots' },
        { line: 5, reason: 'device is not known' },
        { line: 6, reason: 'has a quotation mark that does not end on its line' },
        { line: 7, reason: 'has 2 values instead of 4' },
        ...zeros.map((_, n) => ({ line: 9 + n, reason: NOT_STORABLE })),
      ],
    );
  });

  it('moves a file that does not match the mapping aside, and continues with the next', async () => {
    await put('csv', 'other.csv', 'WHEN;WHO\n1;2\n');
    await put('csv', 'broken.csv.gz', gzipSync(fileOf(row(20))).subarray(0, 30));
    await put('csv', 'after.csv', fileOf(row(21)));
    await ended('csv', 'other.csv', 'broken.csv.gz', 'after.csv');
    assert.match(
      await text('csv', 'failed', 'other.csv.reason'),
      /^The file has no column IMSI, START, VOL, APN/,
    );
    assert.match(await text('csv', 'failed', 'broken.csv.gz.reason'), /^The file /);
    const { state, reason } = (await listed('csv')).find(
      (file: { name: string }) => file.name === 'other.csv',
    );
    assert.deepEqual([state, reason], ['failed', 'has no column IMSI, START, VOL, APN in its first line']);
    await until(
      async () =>
        (await feeds())[0].lastError?.includes('broken.csv.gz') ||
        (await feeds())[0].lastError?.includes('other.csv'),
    );
  });

  it('takes records in the form of the feed, if no columns are mapped', async () => {
    const before = await bytes();
    const record = { id: 'own-1', kind: 'imsi', device: IMSI, at: '2026-01-15T09:00:00Z', bytes: 77 };
    await put('plain', 'a.ndjson', `${JSON.stringify(record)}\n${JSON.stringify(record)}\n`);
    await ended('plain', 'a.ndjson');
    assert.equal((await bytes()) - before, 77);
  });

  it('skips files that are still written to or whose name marks them as unfinished', async () => {
    await put('csv', 'b.csv.part', fileOf(row(30)));
    await put('csv', '.hidden', fileOf(row(31)));
    await put('csv', 'last.csv', fileOf(row(32)));
    await ended('csv', 'last.csv');
    const left = await names('csv');
    assert.ok(left.includes('b.csv.part') && left.includes('.hidden'));
  });

  it('is not taken while it is paused, and is taken again afterwards', async () => {
    assert.equal((await world.operator('POST', '/network/csv/pause')).statusCode, 200);
    const csv = async () => (await feeds()).find((feed: { name: string }) => feed.name === 'csv');
    const reportedAt = () =>
      world.ctx.db.value<Date>(sql`select noted_at from network_feed_report where feed = 'csv'`);
    const reported = async () => {
      const last = (await reportedAt()).getTime();
      await until(async () => (await reportedAt()).getTime() > last);
    };
    assert.equal((await csv()).state, 'paused');
    // The process learns of the pause before a report, perhaps before the one after the next.
    await reported();
    await reported();
    assert.equal((await csv()).processes, 1);
    const before = await bytes();
    await put('csv', 'paused.csv', fileOf(row(40)));
    // It has been seen, and what followed from that would have happened by the next report.
    await until(
      async () => (await csv()).backlog === 1 || (await names('csv', 'done')).includes('paused.csv'),
    );
    await reported();
    assert.ok((await names('csv')).includes('paused.csv'));
    assert.equal(await bytes(), before);
    await world.operator('POST', '/network/csv/resume');
    await ended('csv', 'paused.csv');
    assert.equal((await bytes()) - before, 1_024);
  });

  it('that does not exist is reported, and does not affect the others', async () => {
    await until(async () =>
      /ENOENT/.test((await feeds()).find((feed: { name: string }) => feed.name === 'gone').lastError ?? ''),
    );
    assert.equal((await world.operator('GET', '/network/csv/files')).statusCode, 200);
    assert.equal((await world.operator('GET', '/network/nobody/files')).statusCode, 404);
    assert.equal((await world.operator('PUT', '/network/gone/files/a.csv', {})).statusCode, 503);
  });
});

describe('a file', async () => {
  const folders = await makeFolders({ csv: CSV });
  const { world, put, ended, text, bytes, root } = folders;
  world.files?.start();

  it('that cannot be read does not hold up the others of its folder', {
    skip: process.getuid?.() === 0 && 'root may read everything',
  }, async () => {
    await put('csv', 'closed.csv', fileOf(row(1)));
    await chmod(join(root, 'csv', 'closed.csv'), 0);
    await put('csv', 'open.csv', fileOf(row(2)));
    await ended('csv', 'open.csv');
  });

  it('that grows while it is read is moved aside', async () => {
    const rows = Array.from({ length: 150_000 }, (_, n) => row(n));
    const before = await bytes();
    await put('csv', 'growing.csv', linesOf(rows));
    const path = join(root, 'csv', 'growing.csv');
    // After the first batch was counted, and long before the last.
    await folders.until(async () => (await bytes()) > before);
    await appendFile(path, `${row(1)}\n`);
    await ended('csv', 'growing.csv');
    assert.match(
      await text('csv', 'failed', 'growing.csv.reason'),
      /^The file has changed while it was read\./,
    );
    assert.ok((await bytes()) - before < 150_000 * 1024);
  });

  it('waits while its feed is paused, and is moved aside if its content changed before the feed continues', async () => {
    const path = join(root, 'csv', 'paused.csv');
    const before = await bytes();
    await put('csv', 'paused.csv', linesOf(Array.from({ length: 150_000 }, (_, n) => row(n, 2))));
    await folders.until(async () => (await bytes()) > before);
    await world.operator('POST', '/network/csv/pause');
    await folders.until(
      async () =>
        (await world.ctx.db.maybe(
          sql`select from usage_file where name = 'paused.csv' and lease_until = '-infinity'`,
        )) !== undefined,
    );
    const rested = await bytes();
    const [{ state, lines }] = await folders.listed('csv');
    assert.equal(state, 'taking');
    assert.equal(rested - before, (lines - 1) * 2 * 1024);
    // With the same size and date.
    const { mtime } = await stat(path);
    await writeFile(path, linesOf(Array.from({ length: 150_000 }, (_, n) => row(n, 3))));
    await utimes(path, mtime, mtime);
    await world.operator('POST', '/network/csv/resume');
    await ended('csv', 'paused.csv');
    assert.match(
      await text('csv', 'failed', 'paused.csv.reason'),
      /^The file has changed since its first lines were taken\./,
    );
    assert.equal(await bytes(), rested);
  });
});
