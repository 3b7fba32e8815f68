import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { startServiceProcess } from '../support/service-process.ts';

const DISK = '300m';
/** Smaller than a database. */
const LEFT_BYTES = 4_000_000;

/** A separate small disk, which needs root; otherwise undefined. */
function mountDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'linekeeper-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK},mode=711`, 'tmpfs', folder], {
      stdio: 'ignore',
    });
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
}

const disk = mountDisk();

it('a snapshot on a full disk is refused with the reason; the sandbox continues, and makes it when there is room', {
  skip: disk === undefined && 'only root can mount a small disk',
}, async () => {
  const dataDir = join(disk!, 'data');
  const service = await startServiceProcess(dataDir, { LINEKEEPER_DEMO: 'on' });
  after(async () => {
    await service.stop();
    execFileSync('umount', [disk!]);
    rmSync(disk!, { recursive: true });
  });
  const operator = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${service.url}/operator/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${service.operatorKey}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    type Told = { code?: string; detail?: string; length?: number };
    return { status: answer.status, body: (await answer.json()) as Told };
  };
  const { bavail, bsize } = statfsSync(disk!);
  const filler = join(disk!, 'filler');
  writeFileSync(filler, Buffer.alloc(bavail * bsize - LEFT_BYTES));

  const refused = await operator('POST', '/snapshots', { name: 'full' });
  assert.deepEqual([refused.status, refused.body.code], [507, 'disk_full']);
  assert.match(refused.body.detail ?? '', /needs \d+ MB, and the disk of \S+ has 4 MB left/);
  const listed = await operator('GET', '/accounts');
  assert.deepEqual([listed.status, listed.body.length], [200, 5]);

  rmSync(filler);
  assert.equal((await operator('POST', '/snapshots', { name: 'full' })).status, 201);
  assert.deepEqual((await operator('GET', '/snapshots')).body.length, 1);
  assert.equal((await operator('POST', '/snapshots/full/restore')).status, 200);
});
