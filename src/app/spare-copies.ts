import { withDatabases } from '../../embedded-postgres/index.ts';
import type { Log } from '../platform/telemetry/log.ts';
import { nameOfPassing } from './empty-database.ts';

/** Number of spare copies: one is used while the next is created. */
const SPARES = 2;

interface Spare {
  readonly name: string;
  /** False if creating it failed. */
  readonly ready: Promise<boolean>;
}

interface SparesDeps {
  readonly databaseUrl: string;
  readonly log: Log;
  readonly drop: (name: string) => void;
}

/** Copies of a database created in advance, because a test suite restores the same state often. */
export function spareCopies({ databaseUrl, log, drop }: SparesDeps) {
  let source: string | undefined;
  let spares: Spare[] = [];

  function make(from: string, before: Promise<boolean> | undefined): Spare {
    const name = nameOfPassing();
    const copy = () => withDatabases(databaseUrl, (databases) => databases.copy(from, name, ''));
    const ready = (before ?? Promise.resolve()).then(copy).then(
      () => true,
      (error: unknown) => {
        log.debug({ err: error }, 'no spare copy was created');
        return false;
      },
    );
    return { name, ready };
  }

  function forget(): void {
    for (const { name } of spares) drop(name);
    [source, spares] = [undefined, []];
  }

  return {
    makeAhead(from: string): void {
      if (source !== from) forget();
      source = from;
      while (spares.length < SPARES) spares.push(make(from, spares.at(-1)?.ready));
    },
    /** The name of a copy, which now belongs to the caller. */
    async take(from: string): Promise<string | undefined> {
      const spare = source === from ? spares.shift() : undefined;
      return spare !== undefined && (await spare.ready) ? spare.name : undefined;
    },
    forgetOf(from: string): void {
      if (source === from) forget();
    },
  };
}
