import type { Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { type Query, sql, trusted } from '../../../platform/db/sql.ts';

/** Says on which lane there is something new: whoever delivers looks at once. */
export const CALLBACK_CHANNEL = 'linekeeper_callback';

export interface LaneNews {
  readonly lane: Tenant & { readonly serviceName: string };
  readonly what: 'due' | 'listener';
}

/** As a statement says it that has the columns of a lane. */
export const newsOf = (what: LaneNews['what']) =>
  trusted(`json_build_object('what', '${what}', 'lane',
    json_build_object('ecpdId', ecpd_id, 'accountName', account_name, 'serviceName', service_name))::text`);

export const announceListenerChange = (db: Db, { ecpdId, accountName }: Tenant, serviceName: string) =>
  db.exec(
    sql`select pg_notify(${CALLBACK_CHANNEL}, ${JSON.stringify({ what: 'listener', lane: { ecpdId, accountName, serviceName } })})`,
  );

/** Removing a listener fails what waits for it. */
export const deletePendingOfListener = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  serviceName: string,
  condition = sql`true`,
) =>
  db.exec(sql`
    with gone as (
      delete from callback_pending p
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and service_name = ${serviceName} and ${condition}
      returning message_id),
    sent as materialized (
      select gone.message_id, m.created_at from gone cross join lateral (
        select created_at from callback_message m
        where m.ecpd_id = ${ecpdId} and m.message_id = gone.message_id limit 1) m),
    filed as (
      insert into callback_failed (ecpd_id, message_id, account_name, service_name, created_at)
      select p.ecpd_id, sent.message_id, ${accountName}, ${serviceName}, sent.created_at
      from sent join profile p on p.ecpd_id = ${ecpdId} on conflict do nothing)
    select 1`);

/** What waits for a listener that is not there, or has no address, at this moment. */
export const deletePendingOfNobody = (db: Db, lane: LaneNews['lane']) =>
  deletePendingOfListener(
    db,
    lane,
    lane.serviceName,
    sql`not exists (
      select 1 from callback_listener l where l.ecpd_id = p.ecpd_id and l.account_name = p.account_name
        and l.service_name = p.service_name and l.url is not null)`,
  );

/** Accounts whose messages carry a request id, wherever they are: for an operator who knows only that. */
export const listAccountsOfRequest = (db: Db, requestId: string) =>
  db.many<Tenant>(sql`
    select distinct ecpd_id as "ecpdId", account_name as "accountName" from callback_message where request_id = ${requestId}
    limit 1000`);

export const deleteMessagesOfAccount = async (db: Db, { ecpdId, accountName }: Tenant): Promise<void> => {
  const deleteFrom = (table: Query) =>
    db.exec(sql`delete from ${table} where ecpd_id = ${ecpdId} and account_name = ${accountName}`);
  // In this order: who records holds the lane first too, and what is re-sent or tried meanwhile is met by a later step.
  await deleteFrom(sql`callback_lane`);
  await deleteFrom(sql`callback_failed`);
  await deleteFrom(sql`callback_pending`);
  await db.exec(sql`
    delete from callback_attempt where ecpd_id = ${ecpdId} and message_id in (
      select message_id from callback_message where ecpd_id = ${ecpdId} and account_name = ${accountName})`);
  for (const table of [sql`callback_message`, sql`callback_pending`, sql`callback_lane`])
    await deleteFrom(table);
};

/**
 * What was said about where devices are, these or all of an account, goes with every trace of its delivery. The message
 * goes first: what is tried again meanwhile is then found by the ids. What was failed goes before what waits, and that
 * once more at the end: a re-send, or the next attempt, may have come while its row was waited for.
 */
export const deleteMessagesAbout = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceIds?: readonly string[],
): Promise<number> => {
  const gone = await db.many<{ id: string }>(sql`
    delete from callback_message where ecpd_id = ${ecpdId} and account_name = ${accountName} and rests_on is not null
      and ${deviceIds === undefined ? sql`true` : sql`rests_on->>'deviceId' = any(${deviceIds}::text[])`}
    returning message_id as id`);
  const ids = plainArray(gone.map(({ id }) => id));
  for (const table of [
    sql`callback_failed`,
    sql`callback_pending`,
    sql`callback_attempt`,
    sql`callback_pending`,
  ]) {
    await db.exec(sql`delete from ${table} where ecpd_id = ${ecpdId} and message_id = any(${ids}::uuid[])`);
  }
  return gone.length;
};
