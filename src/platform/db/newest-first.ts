import { type Query, sql } from './sql.ts';

/** A page of something that is newest first. Several may have one moment: each has a key, of which the last is the first. */
export interface NewestFirst {
  readonly at: Date;
  /** Of those with this very moment, what is before this key. */
  readonly key: string;
  readonly limit: number;
}

/** Whether a row comes after where the page before has ended. */
export const isOlder = (at: Query, key: Query, page: NewestFirst): Query =>
  sql`(${at} < ${page.at} or (${at} = ${page.at} and (${key}) collate "C" < ${page.key}))`;
