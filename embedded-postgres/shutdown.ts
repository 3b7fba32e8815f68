import type { Binaries } from './binaries.ts';
import { errorCode } from './errors.ts';
import { runProgram } from './run-program.ts';

/** Fast ends all sessions and writes a checkpoint; immediate leaves the cleaning up to the next start. */
export type Shutdown = 'fast' | 'immediate';

/** How long each way to stop may take before the next one is tried. */
export const patience: readonly (readonly [Shutdown, number])[] = [
  ['fast', 20_000],
  ['immediate', 10_000],
];

const signals = { fast: 'INT', immediate: 'QUIT' } as const;

export async function shutDown(pid: number, mode: Shutdown, binaries: Binaries): Promise<void> {
  const signal = signals[mode];
  if (process.platform === 'win32') {
    // Windows knows no signals; PostgreSQL has a substitute of its own, which only its tools speak.
    await runProgram(binaries.pgCtl, ['kill', signal, String(pid)], { user: null, timeoutMs: 10_000 });
    return;
  }
  try {
    process.kill(pid, `SIG${signal}`);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}
