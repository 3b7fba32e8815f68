import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { clearAbandoned, deleteDataDir } from '../index.ts';
import { runService, temporaryFolder } from './support.ts';

const MARK = 'temporary';

/** A data folder whose cluster lies elsewhere, in a home that says whose it is. */
async function makeFolders(root: string, owner: 'this one' | 'another') {
  const [dataDir, home] = [join(root, 'data'), join(root, 'home')];
  await mkdir(dataDir);
  await writeFile(join(dataDir, MARK), '');
  await mkdir(join(home, 'pgdata'), { recursive: true });
  await writeFile(join(dataDir, 'cluster-location'), `${home}\n`);
  await writeFile(join(home, 'data-folder'), `${owner === 'this one' ? dataDir : join(root, 'original')}\n`);
  return { dataDir, home };
}

describe('deleting a data folder', () => {
  test('deletes the cluster that it has elsewhere, and none that belongs to another folder', async (t) => {
    const own = await makeFolders(await temporaryFolder(t), 'this one');
    await deleteDataDir(own.dataDir, { mark: MARK });
    assert.deepEqual([existsSync(own.dataDir), existsSync(own.home)], [false, false]);
    const copy = await makeFolders(await temporaryFolder(t), 'another');
    await deleteDataDir(copy.dataDir, { mark: MARK });
    assert.deepEqual([existsSync(copy.dataDir), existsSync(copy.home)], [false, true]);
    await deleteDataDir(copy.dataDir, { mark: MARK });
  });

  test('that a killed service left behind deletes it too', async (t) => {
    const { dataDir, home } = await makeFolders(await temporaryFolder(t), 'this one');
    assert.equal(await clearAbandoned(dataDir, MARK, () => {}), true);
    assert.deepEqual([existsSync(dataDir), existsSync(home)], [false, false]);
  });

  test('that was interrupted can be continued: its mark, and the note in its cluster, go last', async (t) => {
    const { dataDir, home } = await makeFolders(await temporaryFolder(t), 'this one');
    for (let allowed = 0; existsSync(dataDir); allowed++) {
      let done = 0;
      const remove = (path: string) => {
        if (done++ >= allowed) throw new Error('interrupted');
        rmSync(path, { recursive: true });
      };
      await deleteDataDir(dataDir, { mark: MARK, remove }).catch(() => {});
      assert.equal(existsSync(join(dataDir, MARK)), existsSync(dataDir));
      assert.equal(existsSync(join(home, 'data-folder')), existsSync(home));
      assert.ok(!existsSync(home) || existsSync(join(dataDir, 'cluster-location')));
    }
    assert.equal(existsSync(home), false);
  });

  test('leaves one that a service holds', async (t) => {
    const dataDir = await temporaryFolder(t);
    const service = runService(t, dataDir, { mode: 'lock' });
    await service.report;
    assert.equal(await clearAbandoned(dataDir, MARK, () => {}), false);
    assert.ok(existsSync(join(dataDir, 'service.lock')));
  });
});
