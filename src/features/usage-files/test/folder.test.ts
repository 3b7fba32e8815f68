import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { listWaiting, putBackLeft, settledFinder, type WaitingFile } from '../folder.ts';
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
  changedAt: new Date(modifiedMs),
  inode: 0,
});

describe('a file in a folder', () => {
  it('is complete when it has not changed for two seconds, even if it is dated in the future', () => {
    let nowMs = 10_000;
    const find = settledFinder(() => nowMs);
    const names = (...files: WaitingFile[]) => find(files).map(({ name }) => name);
    const [old, fresh, ahead] = [fileAt('old', 8_000), fileAt('fresh', 8_001), fileAt('ahead', 90_000)];
    assert.deepEqual(names(old, fresh, ahead), ['old']);
    nowMs = 11_999;
    assert.deepEqual(names(fresh, ahead), ['fresh']);
    nowMs = 12_000;
    assert.deepEqual(names(ahead), ['ahead']);
    // It has grown: wait another two seconds.
    const grown = fileAt('ahead', 91_000, 2);
    assert.deepEqual(names(grown), []);
    nowMs = 13_999;
    assert.deepEqual(names(grown), []);
    nowMs = 14_000;
    assert.deepEqual(names(grown), ['ahead']);
  });

  // proves usage/replaced-files
  it('that comes in the place of a finished one is not moved away with it', async () => {
    const put = async (name: string, content: string) => {
      await writeFile(join(folder, `${name}.tmp`), content);
      await utimes(join(folder, `${name}.tmp`), 1, 1);
      await rename(join(folder, `${name}.tmp`), join(folder, name));
    };
    const waiting = async (name: string) =>
      (await listWaiting(folder)).files.find((file) => file.name === name)!;
    const settle = (file: WaitingFile) =>
      settleFile(
        { feed: { name: 'f', folder, mapping: { format: 'ndjson' } }, file } as unknown as HeldFile,
        undefined,
      );
    await put('a', 'old');
    const old = await waiting('a');
    await put('a', 'new');
    // Even if the other one came after the last look at it.
    const [other] = [await waiting('a')];
    await settle(old);
    await settle({ ...old, changedAt: other.changedAt });
    assert.equal(await readFile(join(folder, 'a'), 'utf8'), 'new');
    assert.deepEqual(await readdir(join(folder, 'done')).catch(() => []), []);
    await settle(await waiting('a'));
    assert.deepEqual(await readdir(join(folder, 'done')), ['a']);
    await rm(join(folder, 'done'), { recursive: true });
  });

  it('that a killed process was moving away is put back', async () => {
    await writeFile(join(folder, '.moving-b'), 'left');
    const { moving } = await listWaiting(folder);
    await putBackLeft(folder, moving);
    assert.deepEqual(await readdir(folder), ['.moving-b']);
    await writeFile(join(folder, 'b'), 'new');
    await putBackLeft(folder, moving, Date.now() + 60_000);
    assert.deepEqual((await readdir(folder)).toSorted(), ['b', 'b.2']);
    await Promise.all(['b', 'b.2'].map((name) => rm(join(folder, name))));
  });

  it('that another process moved leaves nothing behind', async () => {
    const held = { feed: { name: 'f', folder, mapping: { format: 'ndjson' } }, file: fileAt('gone', 1) };
    await settleFile(held as unknown as HeldFile, 'does not match the mapping');
    assert.deepEqual(await readdir(folder), []);
  });
});

describe('the rejected lines of a file', () => {
  const line = (n: number) => ({ line: n, reason: 'is bad' });

  it('continue after what was committed, and start over if the file was deleted', async () => {
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
    const reopened = await openRejectFile(path, 2 * kept);
    assert.equal(await reopened.add([line(4)]), kept);
    await reopened.close();
    assert.deepEqual(await linesThere(), [line(4)]);
    await writeFile(path, '');
  });
});
