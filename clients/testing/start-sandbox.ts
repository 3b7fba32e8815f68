import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { real } from './real-time.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';
import { StartError, startServiceProcess } from './service-process.ts';
import { FOR_TESTS, surroundingVariables, type Variables } from './service-settings.ts';
import { makeTemporaryFolder, type TemporaryFolder } from './temporary-folder.ts';

export interface SandboxOptions {
  /** A fleet document, or the path of a file with one, which may be gzip. */
  readonly fleet?: object | string | undefined;
  /** The demo fleet of 200 devices; otherwise the sandbox starts empty, or with `fleet`. */
  readonly demo?: boolean | undefined;
  /** What ids, tokens and the lives of the devices follow from: with a clock that stands still they are the same again. */
  readonly seed?: number | string | undefined;
  /** The time at which the sandbox's clock starts; real time unless said otherwise. */
  readonly now?: string | Date | undefined;
  /** Lets the clock stand still from the start: only `clock.advance` and `clock.set` move it. */
  readonly freeze?: boolean | undefined;
  /** Lets the devices of the fleet live: they drive, report and use data by themselves. */
  readonly life?: boolean | undefined;
  /** Settings of the service (docs/settings.md). Those of this process's own environment are not passed on. */
  readonly env?: Variables | undefined;
  /** A file for the service's log, of which `LINEKEEPER_LOG_LEVEL` in `env` says how much. */
  readonly log?: string | undefined;
}

const OPTIONS: readonly string[] = [
  'fleet',
  'demo',
  'seed',
  'now',
  'freeze',
  'life',
  'env',
  'log',
] satisfies readonly (keyof SandboxOptions)[];

function check(options: SandboxOptions): void {
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined)
    throw new TypeError(`startSandbox has no option ${unknown}; it takes ${OPTIONS.join(', ')}.`);
  if (options.demo && options.fleet !== undefined)
    throw new TypeError('startSandbox takes a fleet or demo: true, and not both.');
}

/** A document needs a file that the service can read. */
async function placeFleet(
  fleet: SandboxOptions['fleet'],
  { path }: TemporaryFolder,
): Promise<string | undefined> {
  if (fleet === undefined || typeof fleet === 'string') return fleet && resolve(fleet);
  const file = join(path, 'fleet.json');
  await writeFile(file, JSON.stringify(fleet, null, 1), { mode: 0o600 });
  return file;
}

const timeText = (now: string | Date): string => (typeof now === 'string' ? now : now.toISOString());

async function variablesFor(options: SandboxOptions, folder: TemporaryFolder): Promise<Variables> {
  const { demo = false, seed, now, freeze = false, life = false, env } = options;
  return {
    ...surroundingVariables(process.env),
    ...FOR_TESTS,
    LINEKEEPER_DEMO: demo ? 'on' : 'off',
    LINEKEEPER_FLEET: await placeFleet(options.fleet, folder),
    LINEKEEPER_SIMULATOR_SEED: seed?.toString(),
    LINEKEEPER_NOW: now && timeText(now),
    LINEKEEPER_FREEZE: freeze ? 'on' : 'off',
    LINEKEEPER_SIMULATOR: life ? 'on' : 'off',
    ...env,
    ...folder.env,
  };
}

async function startOn(folder: TemporaryFolder, options: SandboxOptions) {
  try {
    const starting = startServiceProcess({ env: await variablesFor(options, folder), log: options.log });
    real.loadFetch();
    return await starting;
  } catch (error) {
    // Of one that was killed the folder tells the next where its database is.
    if (!(error instanceof StartError && error.wasKilled)) await folder.remove();
    throw error;
  }
}

/**
 * Starts Linekeeper for a test: the real service with a database of its own, on free ports of this machine, and a server that
 * listens for its callbacks. Nothing is shared with other sandboxes, and nothing is left of it when it stops or this process ends.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  check(options);
  const { demo = false, fleet, env } = options;
  const prefix = env?.['LINEKEEPER_PREFIX'];
  const service = await startOn(await makeTemporaryFolder(), options);
  try {
    return await createSandbox({ service, demo, fleet, sessionHeader: prefix && `${prefix}-M2M-Token` });
  } catch (error) {
    await service.stop();
    throw error;
  }
}
