import { randomBytes, randomUUID } from 'node:crypto';
import { type Query, sql } from '../db/sql.ts';

/** Makes an id inside a statement; `row` is text that is unique among the rows of the statement. */
export type RowId = (row: Query) => Query;

/** The source of all generated values: ids, tokens, secrets. */
export interface Chance {
  /** Whether results must be repeatable: then nothing may depend on which of two operations is faster. */
  readonly repeats: boolean;
  newId(): string;
  bytes(count: number): Buffer;
  /** For one column of one statement. */
  rowIds(): RowId;
  /**
   * The chance of a piece of work, independent of all other draws at the same time. The name of the work is computed at its
   * first draw. Later work with the same name draws different values.
   */
  of(work: () => string): Chance;
}

/** Unpredictable: for production, and for sandboxes without a seed. */
export const trueChance: Chance = {
  repeats: false,
  newId: () => randomUUID(),
  bytes: (count) => randomBytes(count),
  rowIds: () => () => sql`gen_random_uuid()`,
  of: () => trueChance,
};
