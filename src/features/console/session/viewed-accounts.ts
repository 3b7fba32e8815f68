import type { AccountName, EcpdId } from '../../../kernel/account-name.ts';
import type { Boundaries } from '../../../kernel/calendar.ts';
import type { Viewer } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { sql } from '../../../platform/db/sql.ts';
import { BOUNDARIES, isFoundBy } from '../../accounts/index.ts';

/** The accounts of a user, home first; undefined for operators, who see all. */
export const accountsOf = (viewer: Viewer): readonly AccountName[] | undefined =>
  viewer.kind === 'user' ? [...viewer.principal.accounts.keys()] : undefined;

export const nameOf = (viewer: Viewer): string =>
  viewer.kind === 'user' ? viewer.principal.username : viewer.operator.keyName;

/** The same in all sessions of a user or key, and different for a user and a key of the same name. */
export const callerOf = (viewer: Viewer): string => `${viewer.kind} ${nameOf(viewer)}`;

export interface ViewedAccount extends Boundaries {
  readonly ecpdId: EcpdId;
  readonly accountName: AccountName;
  readonly organizationName: string | null;
}

/** In the order of their names, all accounts if `among` is undefined. `page` is the last name of the previous page. */
export const listViewedAccounts = (
  db: Db,
  among: readonly AccountName[] | undefined,
  {
    search,
    page = '',
    limit,
  }: {
    readonly search?: string | undefined;
    readonly page?: string | undefined;
    readonly limit: number;
  },
) =>
  db.many<ViewedAccount>(sql`
    select ecpd_id as "ecpdId", account_name as "accountName", organization_name as "organizationName",
      ${BOUNDARIES}
    from account a
    where account_name > ${page}
      ${among === undefined ? sql`` : sql`and account_name = any(${among}::text[])`}
      ${search === undefined ? sql`` : sql`and ${isFoundBy(search)}`}
    order by account_name limit ${limit}`);
