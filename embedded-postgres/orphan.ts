import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { readIfThere } from './files.ts';
import { isAlive, isServerOf } from './process-identity.ts';
import { patience, shutDown } from './shutdown.ts';

/**
 * Stops a server that a killed service left behind. The caller holds the service lock, so a server of this
 * cluster that still runs has no owner any more.
 */
export async function stopOrphan(
  clusterDir: string,
  binaries: Binaries,
  log: (line: string) => void,
): Promise<void> {
  const pidFile = join(clusterDir, 'postmaster.pid');
  const firstLine = Number.parseInt((await readIfThere(pidFile)) ?? '', 10);
  // Single-user mode marks its process id by a minus sign.
  const pid = Math.abs(firstLine);
  if (!(pid > 0)) return;
  if (await isServerOf(pid, clusterDir)) {
    log(`stopping the PostgreSQL server (pid ${pid}) that an earlier run of Linekeeper left behind`);
    await stopAndWait(pid, clusterDir, binaries);
  } else if (isAlive(pid)) {
    // PostgreSQL would take the stranger for its other self. Should backends of a dead server still hold the
    // cluster, it notices that by its shared memory, without this file.
    await rm(pidFile, { force: true });
  }
}

async function stopAndWait(pid: number, clusterDir: string, binaries: Binaries): Promise<void> {
  for (const [mode, patienceMs] of patience) {
    await shutDown(pid, mode, binaries);
    const deadline = Date.now() + patienceMs;
    while (Date.now() < deadline) {
      if (!(await isServerOf(pid, clusterDir))) return;
      await sleep(20);
    }
  }
  throw new EmbeddedPostgresError(
    `The PostgreSQL server that an earlier run of Linekeeper left behind (pid ${pid}) does not stop.`,
  );
}
