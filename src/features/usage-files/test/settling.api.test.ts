import assert from 'node:assert/strict';
import { rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { OPERATOR_KEY } from '../../../../test/support/world.ts';
import { CSV, HEADER, IMSI, makeFolders } from './scene.ts';

const row = (minute: number, kb = 1) =>
  `2026-01-15 08:${String(minute % 60).padStart(2, '0')}:00;${IMSI};${kb};iot.apn`;
const linesOf = (...rows: readonly string[]) => `${HEADER}\n${rows.join('\n')}\n`;
const ID = { ...CSV, columns: { ...CSV.columns, id: 'ID' } };
const GIVEN = `ID;${HEADER}\n`;

describe('a folder of files', async () => {
  const folders = await makeFolders({ csv: CSV, ids: ID, north: ID, stuck: CSV, blocked: CSV });
  const { world, put, ended, bytes, names, text, until, feeds, root } = folders;
  const stateOf = async (name: string) =>
    (await feeds()).find((feed: { name: string }) => feed.name === name);
  // As a sender stalled it before: a file has the name of the folder for finished files.
  await put('stuck', 'done', linesOf(row(50)));
  world.files?.start();
  /** The bytes that files add. */
  async function adds(feed: string, files: Readonly<Record<string, string>>): Promise<number> {
    const before = await bytes();
    for (const [name, content] of Object.entries(files)) await put(feed, name, content);
    await ended(feed, ...Object.keys(files));
    return (await bytes()) - before;
  }

  it('whose result folder was blocked by a file of its name continues, and takes that file too', async () => {
    await put('stuck', 'next.csv', linesOf(row(51)));
    await ended('stuck', 'next.csv', 'done.file');
    assert.deepEqual(await names('stuck'), ['done']);
  });

  // proves usage/names-of-files
  it('refuses names of result folders and names that are not plain', async () => {
    const upload = (name: string) =>
      world.api.inject({
        method: 'PUT',
        url: `/api/operator/v1/network/csv/files/${encodeURIComponent(name)}`,
        headers: { authorization: `Bearer ${OPERATOR_KEY}` },
        payload: linesOf(row(1)),
      });
    for (const name of ['done', 'failed', 'DONE', 'a\nb.csv', 'a\u0007.csv', 'a\u202e.csv', 'ü'.repeat(150)])
      assert.equal((await upload(name)).statusCode, 400, JSON.stringify(name));
    assert.equal((await upload('grüße 1.csv')).statusCode, 202);
    await ended('csv', 'grüße 1.csv');
  });

  // proves usage/grown-files
  it('counts the rest of a file that comes again with more rows, under any name', async () => {
    const rows = [1, 2, 3, 4, 5].map((n) => row(n, 10 + n));
    assert.equal(await adds('csv', { 'part.csv': linesOf(...rows.slice(0, 2)) }), (11 + 12) * 1024);
    assert.equal(await adds('csv', { 'part-2.csv': linesOf(...rows.slice(0, 3)) }), 13 * 1024);
    assert.equal(await adds('csv', { 'whole.csv': linesOf(...rows) }), (14 + 15) * 1024);
    assert.equal(await adds('csv', { 'again.csv': linesOf(...rows) }), 0);
    // Another file with the same beginning is not the same file.
    assert.equal(await adds('csv', { 'other.csv': linesOf(rows[0]!, row(9, 90)) }), (11 + 90) * 1024);
  });

  // proves usage/grown-files
  it('counts nothing of a part that comes after the whole, however it was cut', async () => {
    const rows = Array.from({ length: 9_000 }, (_, n) => row(n, 1 + (n % 7)));
    const partOf = (count: number) => linesOf(...rows.slice(0, count));
    const whole = linesOf(...rows);
    // Another file continues otherwise after the same rows.
    await adds('csv', { 'long.csv': whole, 'long-fork.csv': linesOf(...rows.slice(0, 4), row(59, 500)) });
    const parts = [
      partOf(2),
      partOf(8_500),
      partOf(8_191).trimEnd(),
      `${partOf(5)}2026-01-15 08:`,
      partOf(2),
      partOf(8_600),
      whole,
    ];
    const files = parts.map((part, n) => [`part-${n}-of-long.csv`, part] as const);
    assert.equal(await adds('csv', Object.fromEntries(files)), 0);
    const others = {
      'more.csv': `${whole}${row(58, 600)}\n`,
      'apart.csv': linesOf(rows[0]!, row(57, 700)),
    };
    assert.equal(await adds('csv', others), (600 + 1 + 700) * 1024);
  });

  // proves usage/grown-files
  it('counts a last row again that was cut in the part', async () => {
    const cut = `${HEADER}\n${row(20)}\n2026-01-15 08:21:00;${IMSI};12;iot`;
    assert.equal(await adds('csv', { 'cut.csv': cut }), 13 * 1024);
    assert.equal(await adds('csv', { 'uncut.csv': `${cut}.apn\n` }), 12 * 1024);
    assert.equal(await adds('csv', { 'unended.csv': `${HEADER}\n${row(22, 3)}` }), 3 * 1024);
    assert.equal(await adds('csv', { 'ended.csv': `${HEADER}\n${row(22, 3)}\n${row(23, 4)}` }), 4 * 1024);
  });

  // proves usage/other-file-of-the-same-name
  it('reads another file of the same name, size and date', async () => {
    for (const feed of ['csv', 'ids'] as const) {
      const [first, second] =
        feed === 'csv'
          ? [linesOf(row(30, 5)), linesOf(row(31, 6))]
          : [`${GIVEN}a;${row(30, 5)}\n`, `${GIVEN}b;${row(31, 6)}\n`];
      const before = await bytes();
      const date = new Date(Date.now() - 60_000);
      for (const [content, name] of [
        [first, 'same.csv'],
        [second, 'same.csv.2'],
      ] as const) {
        const path = join(root, feed, 'same.csv');
        await writeFile(`${path}.tmp`, content);
        await utimes(`${path}.tmp`, date, date);
        await rename(`${path}.tmp`, path);
        await ended(feed, name);
      }
      assert.equal((await bytes()) - before, 11 * 1024);
    }
  });

  // proves usage/sources
  it('has a source: the ids of its records are its own', async () => {
    const content = `${GIVEN}1;${row(40, 7)}\n`;
    assert.equal(await adds('ids', { 'source.csv': content }), 7 * 1024);
    assert.equal(await adds('north', { 'source.csv': content }), 7 * 1024);
    assert.equal(await adds('north', { 'source-again.csv': content }), 0);
  });

  // proves usage/files-set-aside
  it('names files that it cannot move away or name, takes the others, and is failing until then', async () => {
    const long = `${'x'.repeat(251)}.csv`;
    await put('blocked', 'a.csv', linesOf(row(41)));
    await ended('blocked', 'a.csv');
    await writeFile(join(root, 'blocked', long), linesOf(row(42), 'bad'));
    await utimes(join(root, 'blocked', long), new Date(0), new Date(0));
    await put('blocked', 'b.csv', linesOf(row(43)));
    await ended('blocked', 'b.csv');
    await until(async () => (await stateOf('blocked')).state === 'failing');
    assert.ok((await stateOf('blocked')).problem.includes(`1 set aside: ${long}`));
    await rm(join(root, 'blocked', long));
    // Not every file system takes names that are no text.
    const latin = Buffer.concat([
      Buffer.from(join(root, 'blocked', 'M')),
      Buffer.from([0xfc]),
      Buffer.from('.csv'),
    ]);
    const isTaken = await writeFile(latin, linesOf(row(44))).then(
      () => true,
      () => false,
    );
    await put('blocked', 'line\nbreak.csv', linesOf(row(44)));
    await until(async () => (await stateOf('blocked')).problem?.includes('line\\u{a}break.csv'));
    const { problem, state } = await stateOf('blocked');
    assert.equal(state, 'failing');
    assert.ok(
      problem.startsWith(`${isTaken ? 2 : 1} set aside: `) && (!isTaken || problem.includes('M\\xfc.csv')),
    );
    await put('blocked', 'c.csv', linesOf(row(44)));
    await ended('blocked', 'c.csv');
    for (const path of [latin, join(root, 'blocked', 'line\nbreak.csv')]) await rm(path, { force: true });
    await until(async () => (await stateOf('blocked')).state === 'up');
    assert.equal((await stateOf('blocked')).problem, null);
  });

  it('takes a row whose unmapped columns hold bytes that are not UTF-8', async () => {
    const before = await bytes();
    const latin = Buffer.from([0xfc]);
    const header = `${HEADER};CITY\n`;
    await folders.put(
      'csv',
      'latin.csv',
      Buffer.concat([
        Buffer.from(`${header}${row(45)};M`),
        latin,
        Buffer.from(`nchen\n${row(46)}`),
        latin,
        Buffer.from(';x\n'),
      ]),
    );
    await ended('csv', 'latin.csv');
    assert.equal((await bytes()) - before, 1024);
    assert.match(
      await text('csv', 'done', 'latin.csv.rejected'),
      /"line":3,"reason":"has bytes that are not UTF-8"/,
    );
  });
});
