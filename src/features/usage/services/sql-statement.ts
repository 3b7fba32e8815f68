import type { Tenant } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { MeteredService } from './subscription.ts';

export interface StatementLine {
  readonly accountName: string;
  readonly transactions: bigint;
}

/** A primary account pays for at most so many. */
const LINES_MAX = 10_001;

interface StatementMonth {
  readonly serviceName: MeteredService;
  readonly month: string;
}

/** What the account is billed for in a month, by the account that used it; its own uses first. */
export const listStatementLines = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { serviceName, month }: StatementMonth,
  { from = 0, limit = LINES_MAX }: { readonly from?: number; readonly limit?: number } = {},
) =>
  db.many<StatementLine>(sql`
    select account_name as "accountName", transactions from service_month_line
    where ecpd_id = ${ecpdId} and billed_to = ${accountName} and service_name = ${serviceName} and month = ${month}
    order by account_name <> ${accountName}, account_name offset ${from} limit ${limit}`);

export const sumStatementLines = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { serviceName, month }: StatementMonth,
): Promise<bigint> =>
  (
    await db.one<{ total: bigint }>(sql`
      select coalesce(sum(transactions), 0)::bigint as total from service_month_line
      where ecpd_id = ${ecpdId} and billed_to = ${accountName} and service_name = ${serviceName} and month = ${month}`)
  ).total;
