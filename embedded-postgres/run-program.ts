import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { parse } from 'node:path';
import { EmbeddedPostgresError, errorCode } from './errors.ts';
import type { ServerUser } from './server-user.ts';

export interface ProgramResult {
  readonly code: number | null;
  readonly lines: string[];
}

/** Only what the programs need: the rest may hold secrets of the service, or PG* variables that misdirect them. */
const passedOn = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'TMP'];

export function spawnOptions(program: string, user: ServerUser): SpawnOptions {
  const env: NodeJS.ProcessEnv = { LC_ALL: 'C', TZ: 'UTC' };
  for (const name of passedOn) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return {
    // initdb fails if the server's user cannot enter the current folder.
    cwd: parse(program).root || '/',
    env,
    detached: true,
    windowsHide: true,
    // Node accepts these ids only as signed 32-bit numbers.
    ...(user === null ? {} : { uid: user.uid | 0, gid: user.gid | 0 }),
  };
}

export function runProgram(
  program: string,
  args: readonly string[],
  options: { user: ServerUser; timeoutMs: number; input?: string; signal?: AbortSignal | undefined },
): Promise<ProgramResult> {
  const { signal } = options;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const child = spawn(program, args, { ...spawnOptions(program, options.user), stdio: 'pipe' });
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text));
    // The exit code already shows that a program ended before it read its input.
    child.stdin?.on('error', () => {});
    child.stdin?.end(options.input ?? '');
    let isTooLate = false;
    const timer = setTimeout(() => {
      isTooLate = true;
      killGroup(child);
    }, options.timeoutMs);
    const giveUp = () => killGroup(child);
    signal?.addEventListener('abort', giveUp);
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    };
    child.once('error', (error) => {
      settle();
      reject(error);
    });
    child.once('close', (code) => {
      settle();
      if (signal?.aborted) return reject(signal.reason);
      if (!isTooLate) return resolve({ code, lines: output.split(/\r?\n/) });
      const limit = options.timeoutMs / 1000;
      reject(new EmbeddedPostgresError(`${program} did not finish within ${limit} seconds.`));
    });
  });
}

/** With its helpers, which would hold its output open; a detached child leads a group of its own. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || process.platform === 'win32') {
    child.kill('SIGKILL');
    return;
  }
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

/** Asks the system itself rather than reading mode bits, which would miss access lists and mount options. */
export async function canEnter(folder: string, user: ServerUser): Promise<boolean> {
  if (user === null) return true;
  const result = await runProgram('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { user, timeoutMs: 10_000 });
  return result.code === 0;
}
