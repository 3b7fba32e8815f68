import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { makeFolders } from '../data-folder.ts';

const home = mkdtempSync(join(tmpdir(), 'linekeeper-folders-'));
after(() => rmSync(home, { recursive: true }));

describe('making folders', () => {
  it('makes what is missing and names it from the top, once', async () => {
    const [a, b] = [join(home, 'a'), join(home, 'a', 'b')];
    assert.deepEqual(await makeFolders(b), [a, b]);
    assert.ok(statSync(b).isDirectory());
    assert.deepEqual(await makeFolders(b), []);
    assert.deepEqual(await makeFolders('/'), []);
  });

  it('is done by one of several that make the same', async () => {
    const path = join(home, 'c', 'd', 'e');
    const made = await Promise.all(Array.from({ length: 8 }, () => makeFolders(path)));
    assert.deepEqual(made.flat().sort(), [join(home, 'c'), join(home, 'c', 'd'), path]);
  });

  it('refuses a file in its place or above it, and a link to nowhere', async () => {
    const [file, link] = [join(home, 'file'), join(home, 'link')];
    writeFileSync(file, '');
    symlinkSync(join(home, 'nowhere'), link);
    await assert.rejects(makeFolders(file), { code: 'EEXIST' });
    await assert.rejects(makeFolders(join(file, 'data')), { code: 'ENOTDIR' });
    await assert.rejects(makeFolders(link), { code: 'EEXIST' });
  });

  it('gives up where nothing can be made below a folder that is there', {
    skip: process.platform !== 'linux',
  }, async () => {
    for (const path of ['/proc/x', '/proc/x/y']) await assert.rejects(makeFolders(path), { code: 'ENOENT' });
  });
});
