import { fork } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ScenarioEvent } from '../features/operator/index.ts';
import type { Log } from '../platform/telemetry/log.ts';

/** A program beside the service, and no part of it. It is named as this file is: an installed package has JavaScript. */
const PROGRAM = fileURLToPath(
  new URL(`../../clients/simulator/scenarios/main${extname(import.meta.url)}`, import.meta.url),
);
const NODE_OPTIONS = ['--max-old-space-size=256', '--max-semi-space-size=4'];
/** What it is doing may end within this; then it is ended. */
const STOP_MS = 15_000;

/** What the program tells; see clients/simulator/scenarios/main.ts. */
export type Report =
  | { readonly begun: { readonly name: string; readonly summary: string; readonly steps: number } }
  /** Something is wrong with the file. */
  | { readonly wrong: string }
  | { readonly step: number }
  | { readonly event: ScenarioEvent }
  | { readonly ended: { readonly ok: boolean; readonly lookAt: readonly string[] } }
  | { readonly stopped: true }
  | { readonly broken: string };

export interface ScenarioProcess {
  /** Asks it to stop, and waits until it has. */
  stop(): Promise<void>;
}

interface Played {
  readonly env: Readonly<Record<string, string>>;
  readonly file: string;
  readonly text: string;
  readonly log: Log;
  readonly onReport: (report: Report) => void;
  /** Once, after all that it has told. */
  readonly onGone: () => void;
}

/** Everything it is told goes by its environment and the first message; it inherits nothing of the service's own. */
export function startScenarioProcess({ env, file, text, log, onReport, onGone }: Played): ScenarioProcess {
  const child = fork(PROGRAM, [], {
    env: { ...env, PATH: process.env['PATH'] },
    execArgv: NODE_OPTIONS,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const closed = Promise.withResolvers<void>();
  child.on('message', (report: Report) => onReport(report));
  child.once('error', (error) => {
    onReport({ broken: `it could not be started: ${error.message}` });
    closed.resolve();
  });
  // After its last message.
  child.once('close', () => closed.resolve());
  void closed.promise.then(onGone);
  child.stderr?.setEncoding('utf8').on('data', (said: string) => log.warn({ said: said.trim() }, 'scenario'));
  child.send({ play: { file, text } }, () => {});
  return {
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return closed.promise;
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited.finally(() => clearTimeout(late));
      return closed.promise;
    },
  };
}
