import type { LocalDay } from '../../../kernel/bill-cycle.ts';
import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { sql } from '../../../platform/db/sql.ts';

/** Those that are in the ledger already. */
export const listKnownRecords = async (
  db: Db,
  ecpdId: string,
  ids: readonly string[],
): Promise<readonly string[]> =>
  (
    await db.many<{ id: string }>(sql`
      select record_id as id from usage_record where ecpd_id = ${ecpdId} and record_id = any(${ids}::text[])`)
  ).map(({ id }) => id);

/** What the accounts' counters stand at, in the order of what was asked for. */
export const listAccountDays = async (
  db: Db,
  ecpdId: string,
  asked: readonly { readonly accountName: string; readonly day: LocalDay; readonly planCode: string }[],
): Promise<readonly bigint[]> =>
  (
    await db.many<{ bytes: bigint }>(sql`
      select coalesce(c.bytes, 0) as bytes
      from unnest(${asked.map((a) => a.accountName)}::text[], ${plainArray(asked.map((a) => a.day))}::date[],
        ${asked.map((a) => a.planCode)}::text[]) with ordinality as a (account_name, day, plan_code, nth)
      left join usage_account_day c on c.ecpd_id = ${ecpdId} and c.account_name = a.account_name and c.day = a.day
        and c.plan_code = a.plan_code
      order by a.nth`)
  ).map(({ bytes }) => bytes);
