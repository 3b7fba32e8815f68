import assert from 'node:assert/strict';
import { it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { randomFor } from '../../../../test/support/seeded-random.ts';
import { sql } from '../../../platform/db/sql.ts';
import { IMSI, makeFolders, NOON } from './scene.ts';

/** The usage that the files will contain. */
interface Use {
  readonly id: string;
  readonly atMs: number;
  readonly kb: number;
  readonly apn: string;
}

const ZONE = 'America/Chicago';
const local = new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE, dateStyle: 'short', timeStyle: 'medium' });
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

const columnsOf = (withId: boolean) => ({
  ...(withId && { id: 'Ref' }),
  device: { column: 'Who', kind: 'imsi' },
  at: { column: 'When', zone: ZONE },
  bytes: { column: 'How much', unit: 'KB' },
  apn: 'APN',
});

/** The time in one of the forms in which it may be written. */
function writeTime(atMs: number, random: (below: number) => number): string {
  const forms = [
    () => new Date(atMs).toISOString(),
    () => local.format(atMs),
    () => local.format(atMs).replaceAll(/[^0-9]/g, ''),
    () => String(atMs),
    () => String(atMs / 1_000),
  ];
  return forms[random(forms.length)]!();
}

const writeCsv = (uses: readonly Use[], withId: boolean, random: (below: number) => number): string => {
  const columns = ['APN', 'When', 'Ref', 'Other', 'Who', 'How much'];
  const rows = uses.map(({ id, atMs, kb, apn }) =>
    [
      quoted(apn),
      writeTime(atMs, random),
      id,
      random(2) === 0 ? '' : quoted('a, "b"'),
      IMSI,
      String(kb),
    ].join(','),
  );
  return [columns.join(','), ...rows].join(random(2) === 0 ? '\n' : '\r\n') + (withId ? '' : '\n');
};

const writeNdjson = (uses: readonly Use[], random: (below: number) => number): string =>
  uses
    .map(({ id, atMs, kb, apn }) =>
      JSON.stringify({
        Ref: id,
        When: writeTime(atMs, random),
        'How much': kb,
        Who: IMSI,
        APN: apn,
        more: [1],
      }),
    )
    .join('\n');

it('the ledger holds the exact usage, in whatever form and however often it was sent', async () => {
  const { between } = randomFor('files of usage');
  const random = (below: number) => between(0, below - 1);
  const folders = await makeFolders({
    ids: { format: 'csv', columns: columnsOf(true) },
    hashed: { format: 'csv', columns: columnsOf(false) },
    lines: { format: 'ndjson', columns: columnsOf(true) },
  });
  const { world, put, ended } = folders;
  const expected = new Map<string, number>();
  const seen = new Set<string>();
  const known = new Map<string, Use>();
  const keyOf = (atMs: number, apn: string) => `${new Date(atMs).toISOString()} ${apn}`;
  const count = (id: string, { atMs, kb, apn }: Use) => {
    if (seen.has(id)) return;
    seen.add(id);
    const key = keyOf(atMs, apn);
    expected.set(key, (expected.get(key) ?? 0) + kb * 1024);
  };
  const kept: { readonly feed: string; readonly uses: readonly Use[]; readonly text: string }[] = [];
  const put1 = async (feed: string, uses: readonly Use[], text: string, n: number) => {
    const name = `${n}.${random(2) === 0 ? 'x' : 'y'}`;
    await put(feed, name, random(2) === 0 ? text : gzipSync(text));
    for (const [row, use] of uses.entries()) count(feed === 'hashed' ? `${text} ${row}` : use.id, use);
    return name;
  };
  const files: [string, string][] = [];
  for (let n = 0; n < 60; n++) {
    const again = kept[random(kept.length + 3)];
    if (again !== undefined) {
      files.push([again.feed, await put1(again.feed, again.uses, again.text, n)]);
      continue;
    }
    const feed = ['ids', 'hashed', 'lines'][random(3)]!;
    const uses = Array.from(
      { length: random(30) },
      (): Use => ({
        id: `u${random(2_000)}`,
        atMs: NOON.getTime() - random(20 * 86_400) * 1_000,
        kb: random(1_000),
        apn: ['iot.apn', 'a "b", c', 'x;y'][random(3)]!,
      }),
    );
    // An id is one use: the first record with it counts.
    for (const use of uses) if (!known.has(use.id)) known.set(use.id, use);
    const own = uses.map(({ id }) => known.get(id)!);
    const text = feed === 'lines' ? writeNdjson(own, random) : writeCsv(own, feed === 'ids', random);
    kept.push({ feed, uses: own, text });
    files.push([feed, await put1(feed, own, text, n)]);
  }
  world.files?.start();
  for (const [feed, name] of files) await ended(feed, name);
  const rows = await world.ctx.db.many<{ at: Date; apn: string; bytes: string }>(
    sql`select at, apn, sum(bytes)::text as bytes from usage_record group by 1, 2 having sum(bytes) > 0`,
  );
  const found = new Map(rows.map(({ at, apn, bytes }) => [keyOf(at.getTime(), apn), Number(bytes)]));
  for (const [key, bytes] of expected) if (bytes === 0) expected.delete(key);
  assert.deepEqual([...found].toSorted(), [...expected].toSorted());
});
