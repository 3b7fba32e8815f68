import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { users } from '../../demo/credentials.ts';
import { demoFleet } from '../../demo/fleet.ts';
import { ConfigError } from '../platform/config/settings.ts';
import type { Ctx } from '../platform/context/context.ts';
import { importDocument } from '../platform/fleet-document/import-document.ts';
import type { FleetSection, Problem } from '../platform/fleet-document/section.ts';
import { selectEntries } from '../platform/fleet-document/select-entries.ts';

/** A database with any of these is in use, so nothing is added to it. */
const OWNED = ['profiles', 'accounts', 'clients', 'users'];

async function isEmpty({ db }: Ctx, sections: readonly FleetSection[]): Promise<boolean> {
  for (const section of sections.filter(({ name }) => OWNED.includes(name))) {
    for await (const _ of selectEntries(db, section, undefined)) return false;
  }
  return true;
}

async function* asChunks(document: Buffer): AsyncIterable<Buffer> {
  yield document;
}

/** Omits the listeners on this machine if the settings forbid callbacks to it. */
function allowedIn(document: ReturnType<typeof demoFleet>, sections: readonly FleetSection[]) {
  const check = sections.find(({ name }) => name === 'listeners')?.check ?? (() => []);
  return {
    ...document,
    listeners: document.listeners.filter((listener) => check(listener as never).length === 0),
  };
}

/**
 * Imports the demo fleet into an empty database, like any fleet. False if it was not empty. Two processes may
 * both find it empty, because the second import changes nothing.
 */
export async function loadDemoFleet(
  ctx: Ctx,
  sections: readonly FleetSection[],
  prefix?: string,
): Promise<boolean> {
  if (!(await isEmpty(ctx, sections))) return false;
  ctx.log.debug('loading the demo fleet');
  const document = allowedIn(demoFleet(ctx.now(), prefix), sections);
  const chunks = asChunks(Buffer.from(JSON.stringify(document)));
  const result = await importDocument(ctx, chunks, sections, { isProven: true });
  if ('problems' in result) {
    const found = result.problems.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; ');
    throw new Error(`the demo fleet was refused: ${found}`);
  }
  ctx.log.info(result.counts, 'demo fleet loaded');
  return true;
}

const PROBLEMS_SHOWN = 10;

function describeProblems(problems: readonly Problem[]): string {
  const found = problems.map(
    ({ pointer, line, detail }) =>
      `${line === undefined ? '' : `line ${line}: `}${pointer === '' ? '' : `${pointer} `}${detail}`,
  );
  const more = found.length > PROBLEMS_SHOWN ? [`and ${found.length - PROBLEMS_SHOWN} more`] : [];
  return [...found.slice(0, PROBLEMS_SHOWN), ...more].map((line) => `\n  ${line}`).join('');
}

/** Imports a fleet document from a file into an empty database, all or nothing. */
export async function loadFleetFile(
  ctx: Ctx,
  sections: readonly FleetSection[],
  file: string,
): Promise<void> {
  if (!(await isEmpty(ctx, sections)))
    return ctx.log.info({ file }, 'the fleet document is not loaded: the database is not empty');
  const bytes = await readFile(file)
    .then((read) => (read[0] === 0x1f && read[1] === 0x8b ? gunzipSync(read) : read))
    .catch(({ message }: Error) => {
      throw new ConfigError(`The fleet document ${file} cannot be read: ${message}.`);
    });
  const result = await importDocument(ctx, asChunks(bytes), sections);
  if ('problems' in result)
    throw new ConfigError(
      `The fleet document ${file} was refused, and nothing of it was loaded:${describeProblems(result.problems)}`,
    );
  ctx.log.info(result.counts, 'fleet document loaded');
}

/** Whether the demo's first user still exists, so that its credentials are printed at later starts too. */
export async function hasDemoFleet({ db }: Ctx, sections: readonly FleetSection[]): Promise<boolean> {
  for (const section of sections.filter(({ name }) => name === 'users'))
    for await (const user of selectEntries(db, section, undefined))
      if ((user as { username: string }).username === users[0]!.username) return true;
  return false;
}
