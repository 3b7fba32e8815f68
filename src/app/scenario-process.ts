import { fork } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ScenarioEvent } from '../features/operator/index.ts';
import type { Log } from '../platform/telemetry/log.ts';

/** A separate program. Its extension follows this file's, because an installed package has JavaScript. */
const PROGRAM = fileURLToPath(
  new URL(`../../clients/simulator/scenarios/main${extname(import.meta.url)}`, import.meta.url),
);
const NODE_OPTIONS = ['--max-old-space-size=256', '--max-semi-space-size=4'];
/** Time limit for its current step at a stop. */
const STOP_MS = 15_000;

/** The program's reports; see clients/simulator/scenarios/main.ts. */
export type Report =
  | { readonly begun: { readonly name: string; readonly summary: string; readonly steps: number } }
  /** The file has an error. */
  | { readonly wrong: string }
  | { readonly step: number }
  | { readonly event: ScenarioEvent }
  | { readonly ended: { readonly ok: boolean; readonly lookAt: readonly string[] } }
  | { readonly stopped: true }
  | { readonly broken: string };

export interface ScenarioProcess {
  /** Asks it to stop, and waits for its end. */
  stop(): Promise<void>;
}

interface Played {
  readonly env: Readonly<Record<string, string>>;
  readonly file: string;
  readonly text: string;
  readonly log: Log;
  readonly onReport: (report: Report) => void;
  /** Called once, after all reports. */
  readonly onGone: () => void;
}

/** It gets its input only from its environment and the first message, and inherits no environment of the service. */
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
  // Fires after its last message.
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
