import { type Query, sql } from '../../platform/db/sql.ts';

/**
 * Parts of a statement that insert ledger rows (`entered`) for what `changes` selects, in its order: account_name, at,
 * change, identifier, device_id and level. A part that reads no table numbers them, because each server of a cluster
 * would number them in its own range.
 */
export const enterChanges = (ecpdId: string, actor: string, changes: Query): Query => sql`
    ledger_change as materialized (${changes}),
    numbered_change as materialized (select nextval('consent_ledger_entry_id_seq') as entry_id, * from ledger_change),
    entered as (
      insert into consent_ledger (ecpd_id, entry_id, account_name, at, actor, change, identifier, device_id, level)
      overriding system value
      select p.ecpd_id, n.entry_id, n.account_name, n.at, ${actor}, n.change, n.identifier, n.device_id, n.level
      from numbered_change n join profile p on p.ecpd_id = ${ecpdId}
      returning entry_id)`;
