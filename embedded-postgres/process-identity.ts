import { readFile, readlink, realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { errorCode } from './errors.ts';
import { runProgram } from './run-program.ts';

/** True for a zombie, too, which some containers never reap. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** Tells a server of this cluster from a process that merely got the same process id later. */
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
