import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { EXIT, Failure, wrongUsage } from './failure.ts';
import { print } from './print.ts';
import { describeShare, startProgress } from './progress.ts';
import type { GlobalOptions, Run } from './run.ts';

/** They are run, and not imported: sources in a checkout, what was built of them in a package. */
const EXTENSION = /\.\w+$/.exec(import.meta.url)![0];
export const programFile = (name: 'main' | 'app/backup-command' | 'app/shard-command'): string =>
  fileURLToPath(new URL(`../../src/${name}${EXTENSION}`, import.meta.url));

/** Node 22 has SQLite, which locks a data folder, as an experiment, and would say so at each start. */
export const QUIET =
  Number.parseInt(process.versions.node, 10) < 24 ? ['--disable-warning=ExperimentalWarning'] : [];

const OF_CLIENTS = ['url', 'key', 'profile', 'timeout'] as const satisfies readonly (keyof GlobalOptions)[];

/** What says which service to call means nothing to a program that is the service, or works on its database. */
export function refuseClientOptions({ options }: Run): void {
  for (const name of OF_CLIENTS)
    if (options[name] !== undefined)
      throw wrongUsage(`--${name} is for commands that call a service, which this one does not`);
}

/** What a program of the service says on its way, a line each; the last one has what came of it. */
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

/** Runs it in a process of its own and shows how far it is; answers its result. */
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
    throw new Failure(reasonOf(exitCode), said || `It was ended before it was done (${child.signalCode})`);
  } finally {
    progress.stop();
    process.off('exit', endChild);
  }
}
