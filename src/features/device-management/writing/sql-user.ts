import type { Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { nextId, sql } from '../../../platform/db/sql.ts';
import type { WireRecord } from '../querying/wire.ts';

export const insertUser = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  userId: string,
  record: WireRecord,
  now: Date,
) =>
  db.exec(sql`
    insert into user_profile (ecpd_id, account_name, user_id, record, foreign_id, created_on, last_updated, version, version_id)
    select p.ecpd_id, ${accountName}, ${userId}, ${JSON.stringify(record)}::jsonb, p.foreign_id, ${now}, ${now}, 1,
      gen_random_uuid()
    from profile p where p.ecpd_id = ${ecpdId}`);

/** What the patch names is replaced, what is `dropped` goes, the rest stays. */
export const updateUserRow = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  userId: string,
  { patch, dropped }: { readonly patch: WireRecord; readonly dropped: readonly string[] },
  now: Date,
) =>
  db.exec(sql`
    update user_profile u set record = (u.record || ${JSON.stringify(patch)}::jsonb) - ${dropped}::text[], last_updated = ${now},
      version = u.version + 1, version_id = ${nextId('u.version_id', now)}
    where u.ecpd_id = ${ecpdId} and u.account_name = ${accountName} and u.user_id = ${userId}`);

export const deleteUserRow = (db: Db, { ecpdId, accountName }: Tenant, userId: string) =>
  db.exec(sql`
    delete from user_profile where ecpd_id = ${ecpdId} and account_name = ${accountName} and user_id = ${userId}`);
