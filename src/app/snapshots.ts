import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addressOf, type Databases, withDatabases } from '../../embedded-postgres/index.ts';
import {
  type Asking,
  copyKeys,
  replaceKeys,
  type Snapshot,
  type Snapshots,
  snapshotFaults,
} from '../features/operator/index.ts';
import { refuse } from '../platform/context/fault.ts';
import { type Db, openDatabase } from '../platform/db/db.ts';
import type { Log } from '../platform/telemetry/log.ts';
import { databaseOf, EMPTY, ensureEmpty, nameOfPassing, PASSING } from './empty-database.ts';
import type { Exchange } from './exchange.ts';
import { schemaName } from './own-migrations.ts';
import { spareCopies } from './spare-copies.ts';
import { VERSION } from './version.ts';

const SNAPSHOT = 'snapshot ';
/** Limit, because each snapshot is a whole database on disk. */
const SNAPSHOTS_MAX = 100;
/** Dropping a database forces a checkpoint, so it waits for idle times, or for a full disk. */
const [QUIET_MS, LEFT_OVER_MAX] = [1_000, 20];
/** Server errors and their meaning for the caller. */
const REFUSALS = new Map([
  ['53100', snapshotFaults.diskFull],
  ['55006', snapshotFaults.inUse],
]);

/** Stored as the comment of the database, so that both always exist together. */
interface Note {
  readonly version: string;
  /** A checksum of all migrations; a database with another one cannot be opened. */
  readonly schema: string;
  readonly at: string;
  /** The state of the simulated fleet, which is not in the database. */
  readonly simulator: string | null;
}

interface StoreDeps {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly log: Log;
  readonly exchange: (wanted: Exchange) => Promise<void>;
}

function parseNote(comment: string | undefined): Note | undefined {
  try {
    return JSON.parse(comment ?? '') as Note;
  } catch {
    return undefined;
  }
}

interface Replacing {
  readonly asking: Asking;
  readonly simulator: string | null;
  readonly fresh?: boolean;
  readonly at?: Date;
}

const explain = (error: unknown): never => {
  const { code = '', message } = error as { code?: string; message: string };
  const fault = REFUSALS.get(code);
  if (fault !== undefined) refuse(fault, { reason: message });
  throw error;
};

/** Snapshots of the embedded database: each is a copy on the same server, and so is a restored database. */
export function openSnapshots({ databaseUrl, dataDir, log, exchange }: StoreDeps): Snapshots {
  const current = databaseOf(databaseUrl);
  const memory = join(dataDir, 'simulator.json');
  let isBusy = false;
  const leftOver: string[] = [];
  let dropping: NodeJS.Timeout | undefined;

  const onServer = <T>(work: (databases: Databases) => Promise<T>) =>
    withDatabases(databaseUrl, work).catch(explain);

  const list = async (databases: Databases): Promise<(Snapshot & { readonly note: Note })[]> =>
    (await databases.list(SNAPSHOT)).flatMap(({ name, bytes, comment }) => {
      const note = parseNote(comment);
      return note === undefined ? [] : [{ name: name.slice(SNAPSHOT.length), at: note.at, bytes, note }];
    });

  const findNote = async (databases: Databases, name: string): Promise<Note> =>
    parseNote(await databases.commentOf(`${SNAPSHOT}${name}`)) ?? refuse(snapshotFaults.unknown);

  const dropNow = (name: string) =>
    withDatabases(databaseUrl, (databases) => databases.dropIfThere(name)).catch((error: unknown) =>
      log.debug({ err: error }, 'an unused database will be dropped at the next start'),
    );

  async function dropLeftOver(): Promise<void> {
    await Promise.all(leftOver.splice(0).map(dropNow));
  }

  /** Runs later. The next start drops the remaining ones. */
  function drop(name: string): void {
    leftOver.push(name);
    clearTimeout(dropping);
    dropping = setTimeout(dropLeftOver, QUIET_MS).unref();
  }

  /** All of these need exclusive access to the database. */
  async function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
    if (isBusy) refuse(snapshotFaults.busy);
    isBusy = true;
    try {
      return await work();
    } finally {
      isBusy = false;
    }
  }

  async function noteOf(at: Date): Promise<string> {
    const simulator = await readFile(memory, 'utf8').catch(() => null);
    const note: Note = { version: VERSION, schema: await schemaName(), at: at.toISOString(), simulator };
    return JSON.stringify(note);
  }

  const spares = spareCopies({ databaseUrl, log, drop });

  /** Returns the name of a copy. */
  async function copyOf(databases: Databases, from: string): Promise<string> {
    const spare = await spares.take(from);
    if (spare !== undefined) return spare;
    const name = nameOfPassing();
    await databases.copy(from, name, '');
    return name;
  }

  async function within<T>(name: string, work: (db: Db) => Promise<T>): Promise<T> {
    const database = openDatabase(addressOf(databaseUrl, name), { connections: 1 });
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  }

  /** Operator keys live outside the snapshots: no restore revives a deleted key or loses a new one. */
  async function carryKeys(to: string): Promise<void> {
    const keys = await within(current, copyKeys);
    await within(to, (db) => replaceKeys(db, keys));
  }

  /** Replaces the database in use with a copy of `from`. */
  async function replace(
    databases: Databases,
    from: string,
    { asking, simulator, ...opened }: Replacing,
  ): Promise<void> {
    if (leftOver.length > LEFT_OVER_MAX) await dropLeftOver();
    const old = nameOfPassing();
    let next: string | undefined;
    try {
      await exchange({
        ...asking,
        opened,
        async beside() {
          next = await copyOf(databases, from);
        },
        async change() {
          await carryKeys(next!);
          await databases.rename([
            [current, old],
            [next!, current],
          ]);
          next = undefined;
          if (simulator === null) await rm(memory, { force: true });
          else await writeFile(memory, simulator, { mode: 0o600 });
        },
      });
    } finally {
      for (const name of [old, ...(next === undefined ? [] : [next])]) drop(name);
    }
  }

  return {
    list: async () => (await onServer(list)).map(({ note, ...snapshot }) => snapshot),

    make: (name, asking) =>
      oneAtATime(async () => {
        const known = await onServer(list);
        if (known.some((each) => each.name === name)) refuse(snapshotFaults.exists);
        if (known.length >= SNAPSHOTS_MAX) refuse(snapshotFaults.tooMany);
        const draft = nameOfPassing();
        const change = (at: Date) =>
          onServer(async (databases) => {
            await databases.copy(current, draft, await noteOf(at));
            await databases.rename([[draft, `${SNAPSHOT}${name}`]]);
          });
        await exchange({ ...asking, change, opened: {} }).catch((error: unknown) => {
          drop(draft);
          throw error;
        });
        spares.makeAhead(`${SNAPSHOT}${name}`);
        const { note, ...made } = (await onServer(list)).find((each) => each.name === name)!;
        return made;
      }),

    restore: (name, asking) =>
      oneAtATime(async () => {
        const from = `${SNAPSHOT}${name}`;
        await onServer(async (databases) => {
          const { simulator, at, schema, version } = await findNote(databases, name);
          if (schema !== (await schemaName()))
            refuse(snapshotFaults.otherVersion, {
              reason: `Linekeeper ${version} made ${name}, and its tables differ from those of ${VERSION}. Delete the snapshot and create it again`,
            });
          await replace(databases, from, { asking, simulator, at: new Date(at) });
        });
        spares.makeAhead(from);
      }),

    reset: (asking) =>
      oneAtATime(async () => {
        await ensureEmpty(databaseUrl).catch(explain);
        await onServer((databases) => replace(databases, EMPTY, { asking, simulator: null, fresh: true }));
      }),

    delete: (name) =>
      oneAtATime(() =>
        onServer(async (databases) => {
          await findNote(databases, name);
          const from = `${SNAPSHOT}${name}`;
          spares.forgetOf(from);
          await databases.dropIfThere(from);
        }),
      ),

    tidy: () =>
      onServer(async (databases) => {
        for (const name of await databases.names(PASSING)) drop(name);
      }),
  };
}
