import { users } from '../../demo/credentials.ts';
import { demoFleet } from '../../demo/fleet.ts';
import type { Ctx } from '../platform/context/context.ts';
import { importDocument } from '../platform/fleet-document/import-document.ts';
import type { FleetSection } from '../platform/fleet-document/section.ts';
import { selectEntries } from '../platform/fleet-document/select-entries.ts';

/** A database with one of these belongs to somebody: nothing is put beside it. */
const OWNED = ['profiles', 'accounts', 'clients', 'users'];

async function isEmpty({ db }: Ctx, sections: readonly FleetSection[]): Promise<boolean> {
  for (const section of sections.filter(({ name }) => OWNED.includes(name))) {
    for await (const _ of selectEntries(db, section, undefined)) return false;
  }
  return true;
}

async function* asChunks(document: object): AsyncIterable<Buffer> {
  yield Buffer.from(JSON.stringify(document));
}

/** A sandbox whose settings keep callbacks from this machine gets the fleet without the listeners that wait on it. */
function allowedIn(document: ReturnType<typeof demoFleet>, sections: readonly FleetSection[]) {
  const check = sections.find(({ name }) => name === 'listeners')?.check ?? (() => []);
  return {
    ...document,
    listeners: document.listeners.filter((listener) => check(listener as never).length === 0),
  };
}

/**
 * Fills an empty database with the demo fleet, by the import that every fleet comes in by. False when
 * it was not empty. Two processes that both find it empty do no harm: the second import changes nothing.
 */
export async function loadDemoFleet(
  ctx: Ctx,
  sections: readonly FleetSection[],
  prefix?: string,
): Promise<boolean> {
  if (!(await isEmpty(ctx, sections))) return false;
  const document = allowedIn(demoFleet(ctx.now(), prefix), sections);
  const result = await importDocument(ctx, asChunks(document), sections);
  if ('problems' in result) {
    const found = result.problems.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; ');
    throw new Error(`the demo fleet was refused: ${found}`);
  }
  ctx.log.info(result.counts, 'demo fleet loaded');
  return true;
}

/** Whether the demo's first user is still there: its credentials are worth printing at a later start too. */
export async function hasDemoFleet({ db }: Ctx, sections: readonly FleetSection[]): Promise<boolean> {
  for (const section of sections.filter(({ name }) => name === 'users'))
    for await (const user of selectEntries(db, section, undefined))
      if ((user as { username: string }).username === users[0]!.username) return true;
  return false;
}
