import type { Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { MeteredService } from './subscription.ts';

export interface StatementLine {
  readonly accountName: string;
  readonly transactions: bigint;
}

/** A primary account pays for at most this many accounts, itself included. */
const LINES_MAX = 10_001;

/** What the account is billed for in a month, by the account that used it; its own uses come first. */
export const listStatementLines = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { serviceName, month }: { readonly serviceName: MeteredService; readonly month: string },
) =>
  db.many<StatementLine>(sql`
    select account_name as "accountName", transactions from service_month_line
    where ecpd_id = ${ecpdId} and billed_to = ${accountName} and service_name = ${serviceName} and month = ${month}
    order by account_name <> ${accountName}, account_name limit ${LINES_MAX}`);

export interface DayRange {
  /** Both days included. */
  readonly from: string;
  readonly to: string;
}

/** The account's own uses by days of its zone, whichever account paid. */
export const countOwnUses = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  serviceName: MeteredService,
  { from, to }: DayRange,
): Promise<bigint> =>
  db.value<bigint>(sql`
    select coalesce(sum(transactions), 0)::bigint as count from service_day
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and service_name = ${serviceName}
      and day between ${from}::date and ${to}::date`);

/** At most this many lines in one report. The total covers all of them. */
const REPORTED_MAX = 20_001;

/**
 * What the account paid for by days of its zone, by the account that used it; its own uses come first. Accounts
 * activated under it now are included even without a use.
 */
export const listPaidUses = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  serviceName: MeteredService,
  { from, to }: DayRange,
) =>
  db.many<{ readonly accountName: string; readonly count: bigint; readonly total: bigint }>(sql`
    select account_name as "accountName", sum(transactions)::bigint as count,
      sum(sum(transactions)) over ()::bigint as total
    from (
      select account_name, transactions from service_billed_day
      where ecpd_id = ${ecpdId} and billed_to = ${accountName} and service_name = ${serviceName}
        and day between ${from}::date and ${to}::date
      union all
      select account_name, 0 from managed_account
      where ecpd_id = ${ecpdId} and paccount_name = ${accountName} and service_name = ${serviceName}
        and state = 'provisioned'
      union all
      values (${accountName}::text, 0)) uses
    group by account_name
    order by account_name <> ${accountName}, account_name limit ${REPORTED_MAX}`);
