import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

/** Whether a program is installed. */
export const isInstalled = (program: string): boolean =>
  spawnSync('sh', ['-c', 'command -v "$0"', program]).status === 0;

/** A program that was written by others, under the hands of a test. */
export interface PeerProcess {
  readonly pid: number;
  /** What it has written so far, the last of it. */
  readonly output: () => string;
  /** As `kill -9` does. */
  kill(): Promise<void>;
  /** It stands still, with its sockets open. */
  stop(): void;
  /** It goes on after `stop`. */
  goOn(): void;
}

const OUTPUT_MAX = 20_000;

export function startPeer(program: string, args: readonly string[]): PeerProcess {
  const child: ChildProcess = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  // Whoever waits for it hears of it; a start that failed shows when nothing listens.
  ended.catch(() => undefined);
  let output = '';
  const keep = (text: Buffer) => {
    output = (output + text).slice(-OUTPUT_MAX);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  child.on('error', (error) => keep(Buffer.from(error.message)));
  const endWithTest = () => child.kill('SIGKILL');
  process.once('exit', endWithTest);
  return {
    pid: child.pid ?? 0,
    output: () => output,
    async kill() {
      process.off('exit', endWithTest);
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      child.kill('SIGKILL');
      await ended;
    },
    stop: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
  };
}
