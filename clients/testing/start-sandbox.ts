import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Sandbox } from './sandbox.ts';
import { StartError, startServiceProcess } from './service-process.ts';
import { FOR_TESTS, surroundingVariables, type Variables } from './service-settings.ts';
import { makeTemporaryFolder, type TemporaryFolder } from './temporary-folder.ts';

export interface SandboxOptions {
  /** A fleet document, or the path of a file with one, which may be gzip. */
  readonly fleet?: object | string | undefined;
  /** Loads the demo fleet of 200 devices. Otherwise the sandbox starts empty, or with `fleet`. */
  readonly demo?: boolean | undefined;
  /** Seed for ids, tokens and simulated devices. With a frozen clock, the same seed gives the same results. */
  readonly seed?: number | string | undefined;
  /** Start time of the sandbox's clock; default: real time. */
  readonly now?: string | Date | undefined;
  /** Freezes the clock from the start; only `clock.advance` and `clock.set` move it. */
  readonly freeze?: boolean | undefined;
  /** Simulates the devices of the fleet, which drive, report and use data. */
  readonly life?: boolean | undefined;
  /** Settings of the service (docs/settings.md). It ignores those in this process's environment. */
  readonly env?: Variables | undefined;
  /** A file for the service's log; `LINEKEEPER_LOG_LEVEL` in `env` sets the level. */
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

/** Writes a document to a file for the service. */
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
    return await startServiceProcess({ env: await variablesFor(options, folder), log: options.log });
  } catch (error) {
    // If the service was killed, its folder shows the next start where its database is.
    if (!(error instanceof StartError && error.wasKilled)) await folder.remove();
    throw error;
  }
}

/**
 * Starts Linekeeper for a test: the real service with its own database, on free ports of this machine, and a
 * listener for its callbacks. It shares nothing with other sandboxes, and leaves nothing behind when it stops
 * or this process ends.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  check(options);
  const { demo = false, fleet, env } = options;
  const prefix = env?.['LINEKEEPER_PREFIX'];
  const service = startOn(await makeTemporaryFolder(), options);
  // The caller gets this error from the sandbox.
  service.catch(() => {});
  // Loaded only now, because the service starts meanwhile.
  const { createSandbox } = await import('./sandbox.ts');
  return createSandbox({ service, demo, fleet, sessionHeader: prefix && `${prefix}-M2M-Token` });
}
