import type { Ctx } from '../../platform/context/context.ts';
import { sql } from '../../platform/db/sql.ts';
import { DEFAULT_LEVEL, OPERATOR } from './consent.ts';

/** Puts the default level on file for every account of the profile that has none; safe to repeat. */
export async function putDefaultConsents({ db, now }: Ctx, ecpdId: string): Promise<void> {
  await db.exec(sql`
    with added as (
      insert into consent (ecpd_id, account_name, level, updated_at)
      select ${ecpdId}, a.account_name, ${DEFAULT_LEVEL}::int, ${now()}
      from account a
      where a.ecpd_id = ${ecpdId}
        and not exists (select from consent c where c.ecpd_id = ${ecpdId} and c.account_name = a.account_name)
      on conflict do nothing
      returning account_name, level, updated_at)
    insert into consent_ledger (ecpd_id, account_name, at, actor, change, level)
    select ${ecpdId}, account_name, updated_at, ${OPERATOR}, 'level', level from added order by account_name`);
}
