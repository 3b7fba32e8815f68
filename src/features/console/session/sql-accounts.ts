import type { AccountName, EcpdId } from '../../../kernel/account-name.ts';
import type { Db } from '../../../platform/db/db.ts';
import { sql } from '../../../platform/db/sql.ts';

export interface ViewedAccount {
  readonly ecpdId: EcpdId;
  readonly accountName: AccountName;
  readonly organizationName: string | null;
  readonly timeZone: string;
  readonly billCycleDay: number;
}

const literal = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

/** In the order of their names. `among` is undefined for operators, who see all of them. */
export const listViewedAccounts = (
  db: Db,
  page: {
    readonly among: readonly AccountName[] | undefined;
    readonly search: string | undefined;
    readonly after: string;
    readonly limit: number;
  },
) =>
  db.many<ViewedAccount>(sql`
    select ecpd_id as "ecpdId", account_name as "accountName", organization_name as "organizationName",
      time_zone as "timeZone", bill_cycle_day as "billCycleDay"
    from account
    where account_name > ${page.after}
      ${page.among === undefined ? sql`` : sql`and account_name = any(${page.among}::text[])`}
      ${
        page.search === undefined
          ? sql``
          : sql`and (account_name like ${`%${literal(page.search)}%`} or organization_name ilike ${`%${literal(page.search)}%`})`
      }
    order by account_name limit ${page.limit}`);
