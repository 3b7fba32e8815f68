import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

/** Whether a program is installed. */
export const isInstalled = (program: string): boolean =>
  spawnSync('sh', ['-c', 'command -v "$0"', program]).status === 0;

/** A third-party program that a test controls. */
export interface PeerProcess {
  readonly pid: number;
  /** The end of its output so far. */
  readonly output: () => string;
  /** Like `kill -9`. */
  kill(): Promise<void>;
  /** Pauses it, with its sockets open. */
  stop(): void;
  /** Continues it after `stop`. */
  goOn(): void;
}

const OUTPUT_MAX = 20_000;

export function startPeer(program: string, args: readonly string[]): PeerProcess {
  const child: ChildProcess = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  // Callers that wait for the end get the error. After a failed start, nothing listens, which the test notices.
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
