import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { EXIT, Failure, wrongUsage } from './failure.ts';
import { print } from './print.ts';
import { describeShare, startProgress } from './progress.ts';
import type { GlobalOptions, Run } from './run.ts';

/** Programs run as processes, not imported: sources in a checkout, built files in a package. */
const EXTENSION = /\.\w+$/.exec(import.meta.url)![0];
export const programFile = (name: 'main' | 'app/backup-command' | 'app/shard-command'): string =>
  fileURLToPath(new URL(`../../src/${name}${EXTENSION}`, import.meta.url));

/** SQLite, which locks a data folder, is experimental in Node 22, which would print a warning at each start. */
export const QUIET =
  Number.parseInt(process.versions.node, 10) < 24 ? ['--disable-warning=ExperimentalWarning'] : [];

const OF_CLIENTS = ['url', 'key', 'profile', 'timeout'] as const satisfies readonly (keyof GlobalOptions)[];

/** Options that select a service have no meaning for a program that is the service, or works on its database. */
export function refuseClientOptions({ options }: Run): void {
  for (const name of OF_CLIENTS)
    if (options[name] !== undefined)
      throw wrongUsage(`--${name} only works with commands that call a service`);
}

/** The progress lines of a program; the last one has the result. */
interface Told {
  readonly step?: string;
  /** From 0 to 1. */
  readonly share?: number;
  readonly line?: string;
  readonly result?: object;
  readonly error?: string;
}

const reasonOf = (exitCode: number | null) =>
  exitCode === EXIT.usage ? 'usage' : exitCode === EXIT.unreachable ? 'unreachable' : 'refused';

/** Runs the program in its own process, shows its progress and returns its result. */
export async function runServiceProgram<Result>(
  run: Run,
  file: string,
  args: readonly string[],
): Promise<Result> {
  refuseClientOptions(run);
  const { env, cwd } = run.around;
  const child = spawn(process.execPath, [...QUIET, file, ...args], {
    env,
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const endChild = () => void child.kill();
  process.once('exit', endChild);
  const progress = startProgress(run);
  const closed = once(child, 'close') as Promise<[number | null]>;
  const stderr = text(child.stderr);
  let last: Told = {};
  try {
    for await (const line of createInterface(child.stdout)) {
      last = JSON.parse(line) as Told;
      const bar = last.share === undefined ? '' : `${describeShare(last.share)}  `;
      if (last.step !== undefined) progress.show(`${bar}${last.step}`);
      if (last.line !== undefined && !run.json) {
        progress.clear();
        print(run, last.line);
      }
    }
    const [exitCode] = await closed;
    if (last.result !== undefined) return last.result as Result;
    const said = last.error ?? (await stderr).trim();
    throw new Failure(
      reasonOf(exitCode),
      said || `The program was ended before it finished (${child.signalCode})`,
    );
  } finally {
    progress.stop();
    process.off('exit', endChild);
  }
}
