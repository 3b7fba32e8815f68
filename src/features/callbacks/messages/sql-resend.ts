import type { Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { joinSql, type Query, sql, unprepared } from '../../../platform/db/sql.ts';
import { CALLBACK_CHANNEL, newsOf } from './sql-message.ts';

export interface ResendFilter {
  readonly messageIds?: readonly string[] | undefined;
  readonly requestId?: string | undefined;
  readonly serviceName?: string | undefined;
  readonly since?: Date | undefined;
  /** Exclusive. */
  readonly until?: Date | undefined;
}

/** Where one part of a long re-send ended, in order of creation. */
export interface ResendCursor {
  readonly at: Date;
  readonly id: string;
}

/** The requested rows `f` of failed messages. */
const wanted = (
  { ecpdId, accountName }: Tenant,
  { messageIds, requestId, serviceName, since, until }: ResendFilter,
): Query => {
  const conditions = [
    sql`f.ecpd_id = ${ecpdId} and f.account_name = ${accountName}`,
    messageIds && sql`f.message_id = any(${plainArray(messageIds)}::uuid[])`,
    requestId !== undefined &&
      sql`f.message_id in (
        select message_id from callback_message m
        where m.request_id = ${requestId} and m.ecpd_id = ${ecpdId} and m.account_name = f.account_name)`,
    serviceName !== undefined && sql`f.service_name = ${serviceName}`,
    since && sql`f.created_at >= ${since}`,
    until && sql`f.created_at < ${until}`,
  ];
  return joinSql(
    conditions.filter((condition) => condition !== undefined && condition !== false),
    ' and ',
  );
};

/** A row may be left over: its message waits or was acknowledged, and has not failed. */
const isFailed = ({ ecpdId }: Tenant): Query => sql`
  not exists (select 1 from callback_pending p where p.ecpd_id = ${ecpdId} and p.message_id = f.message_id)
  and not exists (
    select 1 from callback_attempt a
    where a.ecpd_id = ${ecpdId} and a.message_id = f.message_id and a.status between 200 and 299)`;

/**
 * Starts a new series for every matching failed message that has a listener; returns how many. Deleting the row of
 * the failed message decides which of two concurrent calls re-sends it.
 */
export const insertResends = async (
  db: Db,
  tenant: Tenant,
  filter: ResendFilter,
  { now, moveNr }: { readonly now: Date; readonly moveNr: number },
  limit: number,
): Promise<number> => {
  const { ecpdId, accountName } = tenant;
  const lanes = await db.many<{ n: number }>(sql`
    with failed as (
      select f.message_id from callback_failed f
      join callback_listener l on l.ecpd_id = f.ecpd_id and l.account_name = f.account_name and l.service_name = f.service_name
      where l.url is not null and ${wanted(tenant, filter)} and ${isFailed(tenant)}
      order by f.created_at limit ${limit}),
    taken as (
      delete from callback_failed f where f.ecpd_id = ${ecpdId} and f.message_id in (select message_id from failed)
      returning f.message_id, f.service_name),
    again as (
      insert into callback_pending (ecpd_id, account_name, service_name, due_at, message_id, series, attempts_made, move_nr)
      select p.ecpd_id, ${accountName}, f.service_name, ${now}, f.message_id,
        1 + coalesce((select max(series) from callback_attempt a where a.ecpd_id = ${ecpdId} and a.message_id = f.message_id), 0), 0,
        ${moveNr}
      from taken f join profile p on p.ecpd_id = ${ecpdId} returning ecpd_id, account_name, service_name)
    select count(*)::int as n, pg_notify(${CALLBACK_CHANNEL}, ${newsOf('due')})
    from again group by ecpd_id, account_name, service_name`);
  return lanes.reduce((sum, { n }) => sum + n, 0);
};

/**
 * The next messages after `after` that have a listener, oldest first, in index order. Nothing else is looked up for
 * them, so each part costs the same wherever it begins. Some rows may be left over; inserting the re-sends skips
 * those.
 */
export const listResendable = (
  db: Db,
  tenant: Tenant,
  filter: ResendFilter,
  { after, limit }: { readonly after: ResendCursor | undefined; readonly limit: number },
) =>
  db.many<ResendCursor>(
    unprepared(sql`
      select f.created_at as at, f.message_id as id from callback_failed f
      where ${wanted(tenant, filter)}
        and f.service_name = any(array(
          select l.service_name from callback_listener l
          where l.ecpd_id = ${tenant.ecpdId} and l.account_name = ${tenant.accountName} and l.url is not null))
        and ${after === undefined ? sql`true` : sql`f.created_at >= ${after.at} and (f.created_at, f.message_id) > (${after.at}, ${after.id}::uuid)`}
      order by f.created_at, f.message_id limit ${limit}`),
  );

/** By service, and whether a listener exists for it. Counts the oldest ones, up to `limit` in total. */
export const countFailed = (db: Db, tenant: Tenant, filter: ResendFilter, limit: number) =>
  db.many<{ serviceName: string; failed: number; hasListener: boolean }>(
    unprepared(sql`
      select c.service_name as "serviceName", count(*)::int as failed, exists (
          select 1 from callback_listener l where l.ecpd_id = ${tenant.ecpdId} and l.account_name = ${tenant.accountName}
            and l.service_name = c.service_name and l.url is not null) as "hasListener"
      from (
        select f.service_name from callback_failed f where ${wanted(tenant, filter)} and ${isFailed(tenant)}
        order by f.created_at limit ${limit}) c
      group by c.service_name order by c.service_name`),
  );
