import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';

export const ACCESS_CHANNEL = 'linekeeper_access';

/** What a process must forget. Hashes, never tokens, travel through the database. */
export type AccessChange =
  | { readonly what: 'session' | 'token' | 'user' | 'client'; readonly id: string }
  | { readonly what: 'everything' };

/** Heard by every process when the transaction commits, and by none if it does not. */
export const announceAccessChange = (db: Db, change: AccessChange) =>
  db.exec(sql`select pg_notify(${ACCESS_CHANNEL}, ${JSON.stringify(change)})`);
