import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';

export const ACCESS_CHANNEL = 'linekeeper_access';

/** The cached entries that a process must drop. The database carries hashes, never tokens. */
export type AccessChange =
  | { readonly what: 'session' | 'token' | 'user' | 'client'; readonly id: string }
  | { readonly what: 'everything' };

/** Every process is notified when the transaction commits. */
export const announceAccessChange = (db: Db, change: AccessChange) =>
  db.exec(sql`select pg_notify(${ACCESS_CHANNEL}, ${JSON.stringify(change)})`);
