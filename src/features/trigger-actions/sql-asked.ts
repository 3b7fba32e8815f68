import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { type Query, sql } from '../../platform/db/sql.ts';
import { lastVersionSeen, type Viewer } from '../price-plan-triggers/index.ts';

/** Actions `a` of the account that wait and can still be approved. */
const asked = ({ ecpdId, accountName }: Tenant, now: Date): Query => sql`
  a.ecpd_id = ${ecpdId} and a.account_name = ${accountName} and a.state = 'awaitingApproval' and a.approvable_to > ${now}`;

/** A firing that waits for approval. */
interface AskedFiring {
  readonly firingId: string;
  readonly approvableTo: Date;
  readonly triggerName: string;
  /** Whether the trigger still exists: actions of a deleted trigger cannot be approved. */
  readonly isThere: boolean;
}

export interface AskedPage {
  readonly viewer: Viewer | undefined;
  readonly now: Date;
  readonly after?: Pick<AskedFiring, 'firingId' | 'approvableTo'> | undefined;
  readonly limit: number;
}

/** The firings that the viewer may decide on, the next to expire first. No viewer means the operator, who sees all. */
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

/** The mark covers at most this many actions. */
const MARKED_MAX = 1_000;

/** A text that changes whenever an action starts or stops waiting in the account, for clients that watch it. */
export const findAskedMark = (db: Db, tenant: Tenant, now: Date): Promise<string> =>
  db.value<string>(sql`
    select coalesce(md5(string_agg(action_id::text, ' ' order by approvable_to, action_id)), '') as mark from (
      select a.action_id, a.approvable_to from trigger_action a where ${asked(tenant, now)}
      order by a.approvable_to, a.action_id limit ${MARKED_MAX}) first`);
