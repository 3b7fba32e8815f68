import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnService } from '../../support/service-process.ts';

export type Role = 'all' | 'api' | 'worker';

/** A process of the service that restarts whenever it ends, as with a process manager. */
export interface KeptProcess {
  readonly role: Role;
  readonly pid: number | undefined;
  /** Undefined while it does not serve. */
  url(): string | undefined;
  kill(): void;
  /** Whether it is running, and its last lines of output. */
  said(): string;
  /** Stops it without a restart; returns its exit code. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
  /** Suspends it for this time, without its knowledge. */
  pause(ms: number): Promise<void>;
}

const READY = /^Linekeeper ready on (\S+)$/m;
const PAUSE_MS = 200;
const OUTPUT_KEPT = 4_000;
const LINES_SHOWN = 8;
/** The time that docs/operating.md makes a process manager wait, plus a margin for a busy machine. */
const STOP_MAX_MS = 90_000;

/** Shortens a line of the log to leave out its stack, so that the last lines of several processes can be read together. */
function shorten(line: string): string {
  try {
    const { time, msg, err } = JSON.parse(line) as { time: string; msg: string; err?: { message: string } };
    return [time, msg, err?.message].filter((part) => part !== undefined).join(' | ');
  } catch {
    return line;
  }
}

export function keepProcess(
  role: Role,
  dataDir: string,
  env: NodeJS.ProcessEnv,
  onSurprise: (what: string) => void,
): KeptProcess {
  let child: ChildProcess;
  let output = () => '';
  let stopping = false;
  const killed = new WeakSet<ChildProcess>();
  const isUp = () => child.exitCode === null && child.signalCode === null;
  const readyUrl = () => (isUp() ? READY.exec(output())?.[1] : undefined);

  const start = () => {
    ({ child, output } = spawnService(dataDir, { ...env, LINEKEEPER_ROLE: role }));
  };
  const keep = async () => {
    while (!stopping) {
      const [mine, said] = [child, output];
      if (mine.exitCode === null && mine.signalCode === null) await once(mine, 'exit');
      // Without a database it cannot start, and exits. Once it serves, it must not end on its own.
      if (!stopping && !killed.has(mine) && READY.test(said()))
        onSurprise(`a ${role} ended by itself (${mine.exitCode}):\n${said().slice(-OUTPUT_KEPT)}`);
      if (stopping) return;
      await sleep(PAUSE_MS);
      if (!stopping) start();
    }
  };
  start();
  const kept = keep();
  return {
    role,
    get pid() {
      return child.pid;
    },
    url: readyUrl,
    said() {
      const lines = output().trimEnd().split('\n').slice(-LINES_SHOWN).map(shorten);
      return [isUp() ? 'up' : `ended (${child.exitCode ?? child.signalCode})`, ...lines].join('\n  ');
    },
    kill() {
      killed.add(child);
      child.kill('SIGKILL');
    },
    async stop(signal) {
      stopping = true;
      child.kill('SIGCONT');
      child.kill(signal);
      const impatient = setTimeout(() => {
        onSurprise(`a ${role} did not stop:\n${output().slice(-OUTPUT_KEPT)}`);
        child.kill('SIGKILL');
      }, STOP_MAX_MS);
      await kept;
      if (isUp()) await once(child, 'exit');
      clearTimeout(impatient);
      return child.exitCode;
    },
    async pause(ms) {
      const mine = child;
      mine.kill('SIGSTOP');
      await sleep(ms);
      mine.kill('SIGCONT');
    },
  };
}
