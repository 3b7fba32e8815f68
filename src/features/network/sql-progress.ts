import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql } from '../../platform/db/sql.ts';

/** A check, and one account that it covers. */
export interface CheckedAccount extends Tenant {
  readonly checkId: string;
}

/** The result of comparing some lines. */
export interface PageResult {
  /** Lines that every element that can tell was asked about, and has answered. */
  readonly checked: number;
  /** Lines that an element was not asked about: none can tell, or they were being changed. */
  readonly skipped: number;
  /** Lines that differ on an element. */
  readonly differences: number;
  /** Lines for which an element gave no answer. */
  readonly unanswered: number;
  /** Elements that gave no answer for a whole batch. */
  readonly silent: readonly string[];
}

/** Stores each account with its present number of lines. Rows that the check has already stay as they are. */
export const insertChecks = (
  db: Db,
  ecpdId: string,
  {
    checkId,
    repair,
    accountNames,
    now,
  }: { checkId: string; repair: boolean; accountNames: string[]; now: Date },
) =>
  db.exec(sql`
    insert into network_check (ecpd_id, check_id, account_name, repair, lines, created_at)
    select p.ecpd_id, ${checkId}, a.account_name, ${repair}, (
      select count(*)::int from device d
      where d.ecpd_id = ${ecpdId} and d.account_name = a.account_name and d.kind <> 'sensor'), ${now}
    from profile p join account a on a.ecpd_id = p.ecpd_id
    where p.ecpd_id = ${ecpdId} and a.ecpd_id = ${ecpdId} and a.account_name = any(${accountNames}::text[])
    on conflict (ecpd_id, check_id, account_name) do nothing`);

/** Starts from the first line, even if it was started before. */
export const beginCheck = (db: Db, { ecpdId, accountName, checkId }: CheckedAccount) =>
  db.exec(sql`
    update network_check set checked = 0, skipped = 0, differences = 0, unanswered = 0, silent = '{}', ended_at = null, failed = false
    where ecpd_id = ${ecpdId} and check_id = ${checkId} and account_name = ${accountName}`);

export const addPageResult = (
  db: Db,
  { ecpdId, accountName, checkId }: CheckedAccount,
  { checked, skipped, differences, unanswered, silent }: PageResult,
) =>
  db.exec(sql`
    update network_check set checked = checked + ${checked}, skipped = skipped + ${skipped}, differences = differences + ${differences},
      unanswered = unanswered + ${unanswered}, silent = ${silent}::text[]
    where ecpd_id = ${ecpdId} and check_id = ${checkId} and account_name = ${accountName}`);

export const endCheck = (
  db: Db,
  { ecpdId, accountName, checkId }: CheckedAccount,
  { failed, now }: { readonly failed: boolean; readonly now: Date },
) =>
  db.exec(sql`
    update network_check set ended_at = ${now}, failed = ${failed}
    where ecpd_id = ${ecpdId} and check_id = ${checkId} and account_name = ${accountName}`);

export interface CheckSums extends Omit<PageResult, 'silent'> {
  readonly accounts: number;
  readonly accountsEnded: number;
  readonly accountsFailed: number;
  readonly lines: number;
}

export const sumCheck = (db: Db, checkId: string) =>
  db.one<CheckSums>(sql`
    select count(*)::int as accounts, count(ended_at)::int as "accountsEnded",
      (count(*) filter (where failed))::int as "accountsFailed", coalesce(sum(lines), 0)::float8 as lines,
      coalesce(sum(checked), 0)::float8 as checked, coalesce(sum(skipped), 0)::float8 as skipped, coalesce(sum(differences), 0)::float8 as differences,
      coalesce(sum(unanswered), 0)::float8 as unanswered
    from network_check where check_id = ${checkId}`);

/** Elements that gave no answer for a whole batch. */
export const listSilent = async (db: Db, checkId: string): Promise<string[]> => {
  const listed = await db.many<{ silent: string[] }>(sql`
    select distinct silent from network_check where check_id = ${checkId} and silent <> '{}' limit 1000`);
  return [...new Set(listed.flatMap(({ silent }) => silent))].toSorted();
};

/** One of the profiles that the check covers. */
export const findProfileOfCheck = (db: Db, checkId: string): Promise<string | undefined> =>
  db.maybeValue<string>(
    sql`select ecpd_id as "ecpdId" from network_check where check_id = ${checkId} limit 1`,
  );

/** Lines of the check's accounts that differ now, counted up to a hundred thousand. */
export const countLeft = (db: Db, checkId: string): Promise<number> =>
  db.value<number>(sql`
    select count(*)::int as n from (
      select 1 from network_check c
      join network_difference d on d.ecpd_id = c.ecpd_id and d.account_name = c.account_name
      where c.check_id = ${checkId} limit 100000) differing`);

/** Open repair orders for such lines, counted up to a hundred thousand. */
export const countRepairing = (db: Db, checkId: string): Promise<number> =>
  db.value<number>(sql`
    select count(*)::int as n from (
      select 1 from network_check c
      join network_order o on o.ecpd_id = c.ecpd_id and o.account_name = c.account_name
      where c.check_id = ${checkId} and c.repair and o.cause = 'repair' and o.closed_at is null limit 100000) repairing`);

/** The read across profiles takes no locks; each delete names one profile. */
export async function deleteChecks(db: Db, createdBefore: Date, limit: number): Promise<number> {
  const old = await db.many<{ ecpdId: string; ids: string[] }>(sql`
    select ecpd_id as "ecpdId", array_agg(distinct check_id) as ids from (
      select ecpd_id, check_id from network_check where created_at < ${createdBefore} order by created_at limit ${limit}) oldest
    group by ecpd_id`);
  let deleted = 0;
  for (const { ecpdId, ids } of old)
    deleted += await db.exec(
      sql`delete from network_check where ecpd_id = ${ecpdId} and check_id = any(${plainArray(ids)}::uuid[])`,
    );
  return deleted;
}
