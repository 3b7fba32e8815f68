import { readdir, readFile, readlink, realpath, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { draftCluster, draftPrefix } from './cluster-location.ts';
import { EmbeddedPostgresError, errorCode } from './errors.ts';
import { readIfThere } from './files.ts';
import { runProgram } from './run-program.ts';

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
  // Single-user mode marks its process id with a minus sign.
  const pid = Math.abs(firstLine);
  if (!(pid > 0)) return;
  if (await isServerOf(pid, clusterDir)) {
    log(`stopping the PostgreSQL server (pid ${pid}) that an earlier run of Linekeeper left behind`);
    await stopServer(pid, binaries, () => isServerOf(pid, clusterDir));
  } else if (isAlive(pid)) {
    // PostgreSQL would mistake the other process for its own server. Should backends of a dead server still
    // hold the cluster, it notices that by its shared memory, without this file.
    await rm(pidFile, { force: true });
  }
}

/** The same for clusters that the killed service had begun to prepare. */
export async function stopOrphansOfDrafts(
  home: string,
  binaries: Binaries,
  log: (line: string) => void,
): Promise<void> {
  const drafts = (await readdir(home)).filter((name) => name.startsWith(draftPrefix));
  for (const draft of drafts) await stopOrphan(join(home, draft, draftCluster), binaries, log);
}

/**
 * A fast shutdown (INT) ends all sessions and writes a checkpoint; an immediate one (QUIT) leaves the cleanup
 * to the next start. Each has a time limit.
 */
const fast = ['INT', 20_000] as const;
const immediate = ['QUIT', 10_000] as const;

export async function stopServer(
  pid: number,
  binaries: Binaries,
  isRunning: () => boolean | Promise<boolean>,
  { keepsData = true, exited }: { readonly keepsData?: boolean; readonly exited?: Promise<unknown> } = {},
): Promise<void> {
  for (const [signal, limitMs] of keepsData ? [fast, immediate] : [immediate]) {
    const deadline = performance.now() + limitMs;
    // An old process id may belong to another process by now.
    if (await isRunning()) await sendSignal(pid, signal, binaries);
    while (performance.now() < deadline) {
      if (!(await isRunning())) return;
      await Promise.race([sleep(10), ...(exited === undefined ? [] : [exited])]);
    }
  }
  throw new EmbeddedPostgresError(`The PostgreSQL server (pid ${pid}) does not stop.`);
}

async function sendSignal(pid: number, signal: 'INT' | 'QUIT', binaries: Binaries): Promise<void> {
  if (process.platform === 'win32') {
    // Windows has no signals; PostgreSQL's own substitute works only with its tools.
    await runProgram(binaries.pgCtl, ['kill', signal, String(pid)], { user: null, timeoutMs: 10_000 });
    return;
  }
  try {
    process.kill(pid, `SIG${signal}`);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

/** True for a zombie, too, which some containers never reap. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** Distinguishes a server of this cluster from another process that got the same id later. */
export async function isServerOf(pid: number, clusterDir: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  switch (process.platform) {
    case 'linux':
      return isServerOnLinux(pid, clusterDir);
    case 'win32':
      return (await outputOf('tasklist', ['/NH', '/FI', `PID eq ${pid}`])).includes('postgres.exe');
    default:
      return isServerByPs(
        await outputOf('/bin/ps', ['-ww', '-o', 'command=', '-p', String(pid)]),
        clusterDir,
      );
  }
}

async function isServerOnLinux(pid: number, clusterDir: string): Promise<boolean> {
  // Empty for a zombie, unreadable for a process that has just ended.
  const args = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
  if (basename(args[0] ?? '') !== 'postgres') return false;
  // The server works in its cluster folder, which stays true when the folder has been moved meanwhile; in a
  // container root may lack the right to see that, but never to see the command line.
  const workingDir = await readlink(`/proc/${pid}/cwd`).catch(() => null);
  if (workingDir !== null) return workingDir === (await realpath(clusterDir));
  const dataArgument = args[args.indexOf('-D') + 1] ?? '';
  return dataArgument === clusterDir;
}

function isServerByPs(command: string, clusterDir: string): boolean {
  return /(^|\/)postgres /.test(command) && `${command.trim()} `.includes(` -D ${clusterDir} `);
}

async function outputOf(program: string, args: string[]): Promise<string> {
  const result = await runProgram(program, args, { user: null, timeoutMs: 10_000 });
  return result.lines.join('\n');
}
