import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';

export interface NotificationGroup {
  readonly name: string;
  readonly emails: string[];
  readonly phones: string[];
}

/** Those of the named groups that the profile has, in one statement. */
export const findNotificationGroups = (db: Db, ecpdId: string, names: readonly string[]) =>
  db.many<NotificationGroup>(sql`
    select name, emails, phones from notification_group
    where ecpd_id = ${ecpdId} and name = any(${names}::text[]) order by name`);

/** The names of the groups of a profile, to choose from. */
export const listGroupNames = async (db: Db, ecpdId: string, limit: number): Promise<readonly string[]> =>
  (
    await db.many<{ name: string }>(
      sql`select name from notification_group where ecpd_id = ${ecpdId} order by name limit ${limit}`,
    )
  ).map(({ name }) => name);
