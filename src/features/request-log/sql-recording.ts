import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';

/** NOTIFY channel: the set of recorded accounts has changed. */
export const RECORDING_CHANNEL = 'linekeeper_recording';

const announce = (db: Db) => db.exec(sql`select pg_notify(${RECORDING_CHANNEL}, '')`);

export const listRecordings = (db: Db, now: Date, limit: number) =>
  db.many<Tenant & { readonly until: Date }>(sql`
    select ecpd_id as "ecpdId", account_name as "accountName", until from recorded_account
    where until > ${now} order by until desc limit ${limit}`);

export async function upsertRecording(db: Db, { ecpdId, accountName }: Tenant, until: Date): Promise<void> {
  await db.exec(sql`
    insert into recorded_account (ecpd_id, account_name, until) values (${ecpdId}, ${accountName}, ${until})
    on conflict (ecpd_id, account_name) do update set until = excluded.until`);
  await announce(db);
}

export async function deleteRecording(db: Db, { ecpdId, accountName }: Tenant): Promise<void> {
  await db.exec(sql`
    delete from recorded_account where ecpd_id = ${ecpdId} and account_name = ${accountName}`);
  await announce(db);
}

/** Deletes recordings that have ended. The read takes no locks; each delete names one profile. */
export async function deleteEndedRecordings(db: Db, before: Date, limit: number): Promise<number> {
  const ended = await db.many<{ ecpdId: string; names: string[] }>(sql`
    select ecpd_id as "ecpdId", array_agg(account_name) as names from (
      select ecpd_id, account_name from recorded_account where until < ${before} limit ${limit}) ended
    group by ecpd_id`);
  let deleted = 0;
  for (const { ecpdId, names } of ended)
    deleted += await db.exec(sql`
      delete from recorded_account where ecpd_id = ${ecpdId} and account_name = any(${names}::text[])`);
  return deleted;
}
