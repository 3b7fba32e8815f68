import type { Db } from '../../src/platform/db/db.ts';
import { type Query, sql } from '../../src/platform/db/sql.ts';

/** Creates or drops triggers. A cluster needs a setting that says they stay within a row's own customer. */
export const changeTriggers = (db: Db, ...statements: readonly Query[]): Promise<void> =>
  db.tx(async (tx) => {
    await tx.exec(sql`set local citus.enable_unsafe_triggers = on`);
    for (const statement of statements) await tx.exec(statement);
  });
