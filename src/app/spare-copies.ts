import { withDatabases } from '../../embedded-postgres/index.ts';
import type { Log } from '../platform/telemetry/log.ts';
import { nameOfPassing } from './empty-database.ts';

/** One is taken while the next is made. */
const SPARES = 2;

interface Spare {
  readonly name: string;
  /** False where it could not be made. */
  readonly ready: Promise<boolean>;
}

interface SparesDeps {
  readonly databaseUrl: string;
  readonly log: Log;
  readonly drop: (name: string) => void;
}

/** Copies of one database that are made before somebody asks: a suite goes back to one state again and again. */
export function spareCopies({ databaseUrl, log, drop }: SparesDeps) {
  let source: string | undefined;
  let spares: Spare[] = [];

  function make(from: string, before: Promise<boolean> | undefined): Spare {
    const name = nameOfPassing();
    const copy = () => withDatabases(databaseUrl, (databases) => databases.copy(from, name, ''));
    const ready = (before ?? Promise.resolve()).then(copy).then(
      () => true,
      (error: unknown) => {
        log.debug({ err: error }, 'no copy was made ahead');
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
    /** The name of one, which from then on is the caller's. */
    async take(from: string): Promise<string | undefined> {
      const spare = source === from ? spares.shift() : undefined;
      return spare !== undefined && (await spare.ready) ? spare.name : undefined;
    },
    forgetOf(from: string): void {
      if (source === from) forget();
    },
  };
}
