import { randomBytes, randomUUID } from 'node:crypto';
import { type Query, sql } from '../db/sql.ts';

/** Makes an id up inside a statement; `row` is text that no other row of the statement has. */
export type RowId = (row: Query) => Query;

/** Where all that is made up comes from: ids, tokens, secrets. */
export interface Chance {
  /** Whether all is to be the same another time: then nothing may depend on which of two is the faster. */
  readonly repeats: boolean;
  newId(): string;
  bytes(count: number): Buffer;
  /** For one column of one statement. */
  rowIds(): RowId;
  /**
   * For a piece of work, which nothing else that draws at the same time gets in the way of. The work is named when it draws
   * first; one that comes again under its name draws anew.
   */
  of(work: () => string): Chance;
}

/** Unpredictable: what production has, and whoever gave no seed. */
export const trueChance: Chance = {
  repeats: false,
  newId: () => randomUUID(),
  bytes: (count) => randomBytes(count),
  rowIds: () => () => sql`gen_random_uuid()`,
  of: () => trueChance,
};
