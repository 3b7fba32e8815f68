import { type Query, sql } from './sql.ts';

/** A page of rows, newest first. Rows with the same time are sorted by a key, in descending order. */
export interface NewestFirst {
  readonly at: Date;
  /** Among rows with exactly this time, only those before this key. */
  readonly key: string;
  readonly limit: number;
}

/** Whether a row comes after the last row of the page before. */
export const isOlder = (at: Query, key: Query, page: NewestFirst): Query =>
  sql`(${at} < ${page.at} or (${at} = ${page.at} and (${key}) collate "C" < ${page.key}))`;
