import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Surroundings } from './surroundings.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;
/** Signals that a terminal sends to all its processes. */
const OF_TERMINAL: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];
/** The exit codes of a shell. */
const EXIT_NOT_FOUND = 127;
const EXIT_NOT_RUN = 126;

function sayWhyNot(word: string, { code, message }: NodeJS.ErrnoException): number {
  const isMissing = code === 'ENOENT';
  process.stderr.write(`linekeeper: ${word} cannot be run: ${isMissing ? 'command not found' : message}.\n`);
  return isMissing ? EXIT_NOT_FOUND : EXIT_NOT_RUN;
}

/** Replaces this process's signal handlers while the command runs, which decides how it ends. */
export async function runCommand(
  [word = '', ...words]: readonly string[],
  env: Surroundings['env'],
): Promise<number> {
  // On Windows, most npm programs are scripts, which need a shell.
  const child = spawn(word, words, { stdio: 'inherit', env, shell: process.platform === 'win32' });
  const before = SIGNALS.map((signal) => [signal, process.listeners(signal)] as const);
  for (const signal of SIGNALS) {
    process.removeAllListeners(signal);
    process.on(signal, () => {
      if (!(process.stdin.isTTY && OF_TERMINAL.includes(signal))) child.kill(signal);
    });
  }
  try {
    return await new Promise<number>((resolve) => {
      child.once('error', (error) => resolve(sayWhyNot(word, error)));
      child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal!]));
    });
  } finally {
    for (const [signal, listeners] of before) {
      process.removeAllListeners(signal);
      for (const listener of listeners) process.on(signal, listener);
    }
  }
}
