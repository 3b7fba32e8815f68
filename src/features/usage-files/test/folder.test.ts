import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { settledFinder, type WaitingFile } from '../folder.ts';
import { openRejectFile } from '../reject-file.ts';
import { settleFile } from '../settle-file.ts';
import type { HeldFile } from '../take-file.ts';

const folder = await mkdtemp(join(tmpdir(), 'linekeeper-folder-'));
after(() => rm(folder, { recursive: true, force: true }));

const fileAt = (name: string, modifiedMs: number, bytes = 1): WaitingFile => ({
  name,
  path: join(folder, name),
  bytes,
  modifiedAt: new Date(modifiedMs),
});

describe('a file in a folder', () => {
  it('is whole when nobody has written to it for two seconds, also where it is dated ahead', () => {
    let nowMs = 10_000;
    const find = settledFinder(() => nowMs);
    const names = (...files: WaitingFile[]) => find(files).map(({ name }) => name);
    const [old, fresh, ahead] = [fileAt('old', 8_000), fileAt('fresh', 8_001), fileAt('ahead', 90_000)];
    assert.deepEqual(names(old, fresh, ahead), ['old']);
    nowMs = 11_999;
    assert.deepEqual(names(fresh, ahead), ['fresh']);
    nowMs = 12_000;
    assert.deepEqual(names(ahead), ['ahead']);
    // It has grown: another two seconds.
    const grown = fileAt('ahead', 91_000, 2);
    assert.deepEqual(names(grown), []);
    nowMs = 13_999;
    assert.deepEqual(names(grown), []);
    nowMs = 14_000;
    assert.deepEqual(names(grown), ['ahead']);
  });

  it('that another process has moved meanwhile leaves nothing behind', async () => {
    const held = { feed: { name: 'f', folder, mapping: { format: 'ndjson' } }, file: fileAt('gone', 1) };
    await settleFile(held as unknown as HeldFile, 'is not as the mapping says');
    assert.deepEqual(await readdir(folder), []);
  });
});

describe('the rejected lines of a file', () => {
  const line = (n: number) => ({ line: n, reason: 'is bad' });

  it('go on behind what was committed, and begin anew where somebody has taken them away', async () => {
    const path = join(folder, 'x.rejected');
    const first = await openRejectFile(path, 0);
    const kept = await first.add([line(1)]);
    await first.add([line(2)]);
    await first.close();
    const again = await openRejectFile(path, kept);
    await again.add([line(3)]);
    await again.close();
    const linesThere = async () =>
      (await readFile(path, 'utf8'))
        .trimEnd()
        .split('\n')
        .map((text) => JSON.parse(text));
    assert.deepEqual(await linesThere(), [line(1), line(3)]);
    await rm(path);
    const anew = await openRejectFile(path, 2 * kept);
    assert.equal(await anew.add([line(4)]), kept);
    await anew.close();
    assert.deepEqual(await linesThere(), [line(4)]);
    await writeFile(path, '');
  });
});
