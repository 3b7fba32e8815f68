import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Log } from '../platform/telemetry/log.ts';

/** A separate program. Its extension follows this file's, because an installed package has JavaScript. */
const PROGRAM = fileURLToPath(
  new URL(`../../clients/simulator/main${extname(import.meta.url)}`, import.meta.url),
);
const READY_MS = 20_000;
const NODE_OPTIONS = ['--max-old-space-size=512', '--max-semi-space-size=4'];

export interface SimulatorProcess {
  readonly pid: number;
  readonly alive: boolean;
  /** Resolves when it reports completion. Without an answer in time it is killed, and another can be started. */
  ask(question: object, withinMs: number): Promise<object>;
  end(): Promise<void>;
}

type Report =
  | { ready: true }
  | { behindMs: number }
  | { nr: number; done: object }
  | { nr: number; failed: string };

interface SimulatorHost {
  readonly log: Log;
  /** Called repeatedly while time should run faster than real time. */
  readonly onBehind: (behindMs: number) => void;
}

interface Waiting {
  readonly resolve: (done: object) => void;
  readonly reject: (error: Error) => void;
}

function listenTo(child: ChildProcess, { log, onBehind }: SimulatorHost) {
  const waiting = new Map<number, Waiting>();
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => {});
  child.on('message', (report: Report) => {
    if ('ready' in report) return ready.resolve();
    if ('behindMs' in report) return onBehind(report.behindMs);
    const asked = waiting.get(report.nr);
    waiting.delete(report.nr);
    if ('done' in report) asked?.resolve(report.done);
    else asked?.reject(new Error(report.failed));
  });
  const gone = (why: string) => {
    const error = new Error(why);
    ready.reject(error);
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  child.once('error', (error) => gone(`the simulator could not be started: ${error.message}`));
  child.once('exit', () => gone('the simulator ended'));
  child.stderr
    ?.setEncoding('utf8')
    .on('data', (text: string) => log.warn({ said: text.trim() }, 'simulator'));
  return { waiting, ready: ready.promise };
}

/** It gets its input only from its environment, and inherits no environment of the service. */
export async function startSimulatorProcess(
  env: Readonly<Record<string, string>>,
  host: SimulatorHost,
): Promise<SimulatorProcess> {
  const child = fork(PROGRAM, [], {
    env: { ...env, PATH: process.env['PATH'] },
    execArgv: NODE_OPTIONS,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const { waiting, ready } = listenTo(child, host);
  const alive = () => child.exitCode === null && child.signalCode === null && child.connected;
  const late = setTimeout(() => child.kill('SIGKILL'), READY_MS);
  await ready.finally(() => clearTimeout(late));
  let nr = 0;
  return {
    pid: child.pid ?? 0,
    get alive() {
      return alive();
    },
    async ask(question, withinMs) {
      if (!alive()) throw new Error('the simulator ended');
      const { promise, resolve, reject } = Promise.withResolvers<object>();
      waiting.set(++nr, { resolve, reject });
      const patience = setTimeout(() => child.kill('SIGKILL'), withinMs);
      child.send({ ...question, nr }, (error) => error && reject(error));
      return promise.finally(() => clearTimeout(patience));
    },
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}
