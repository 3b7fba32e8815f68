import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';

export interface NotificationGroup {
  /** As it was asked for: the group may be kept in another spelling of Unicode. */
  readonly name: string;
  readonly emails: string[];
  readonly phones: string[];
}

/** Those of the named groups that the profile has, in one statement. */
export const findNotificationGroups = (db: Db, ecpdId: string, names: readonly string[]) =>
  db.many<NotificationGroup>(sql`
    select asked.name, g.emails, g.phones from unnest(${names}::text[]) as asked (name)
    join notification_group g on g.ecpd_id = ${ecpdId} and g.name = normalize(asked.name, NFC)
    order by asked.name`);

/** The names of the groups of a profile, to choose from. */
export const listGroupNames = async (db: Db, ecpdId: string, limit: number): Promise<readonly string[]> =>
  (
    await db.many<{ name: string }>(
      sql`select name from notification_group where ecpd_id = ${ecpdId} order by name limit ${limit}`,
    )
  ).map(({ name }) => name);
