import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { type Query, sql } from '../../platform/db/sql.ts';
import { lastVersionSeen, type Viewer } from '../price-plan-triggers/index.ts';

/** What waits in the account and can still be approved, as `a`. */
const asked = ({ ecpdId, accountName }: Tenant, now: Date): Query => sql`
  a.ecpd_id = ${ecpdId} and a.account_name = ${accountName} and a.state = 'awaitingApproval' and a.approvable_to > ${now}`;

/** A firing that waits, in the order in which they expire. */
interface AskedFiring {
  readonly firingId: string;
  readonly approvableTo: Date;
  readonly triggerName: string;
  /** Of a trigger that was deleted nothing can be approved any more. */
  readonly isThere: boolean;
}

export interface AskedPage {
  readonly viewer: Viewer | undefined;
  readonly now: Date;
  readonly after?: Pick<AskedFiring, 'firingId' | 'approvableTo'> | undefined;
  readonly limit: number;
}

/** Those that the viewer may decide on; without one for the operator, who sees all. */
export const listAsked = (db: Db, tenant: Tenant, { viewer, now, after, limit }: AskedPage) =>
  db.many<AskedFiring>(sql`
    select distinct a.approvable_to as "approvableTo", f.firing_id as "firingId", seen.trigger_name as "triggerName",
      seen.is_there as "isThere"
    from trigger_action a
    join firing_action f on f.ecpd_id = ${tenant.ecpdId} and f.action_id = a.action_id
    join ${lastVersionSeen(tenant.ecpdId, sql`a.trigger_id`, viewer)}
    where ${asked(tenant, now)}
      ${after === undefined ? sql`` : sql`and (a.approvable_to, f.firing_id) > (${after.approvableTo}, ${after.firingId}::uuid)`}
    order by a.approvable_to, f.firing_id limit ${limit}`);

/** More than these are not told apart. */
const MARKED_MAX = 1_000;

/** Another text whenever something has come to wait in the account, or waits no more: for those who watch. */
export const findAskedMark = (db: Db, tenant: Tenant, now: Date): Promise<string> =>
  db.value<string>(sql`
    select coalesce(md5(string_agg(action_id::text, ' ' order by approvable_to, action_id)), '') as mark from (
      select a.action_id, a.approvable_to from trigger_action a where ${asked(tenant, now)}
      order by a.approvable_to, a.action_id limit ${MARKED_MAX}) first`);
