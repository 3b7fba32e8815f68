import type { Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { type Query, sql, trusted } from '../../../platform/db/sql.ts';

/** Names the lane with news; its worker, or any engine with a free place, queries it at once. */
export const CALLBACK_CHANNEL = 'linekeeper_callback';

export interface LaneNews {
  readonly lane: Tenant & { readonly serviceName: string };
  readonly what: 'due' | 'listener';
}

/** The notification text, for a statement with the columns of a lane. */
export const newsOf = (what: LaneNews['what']) =>
  trusted(`json_build_object('what', '${what}', 'lane',
    json_build_object('ecpdId', ecpd_id, 'accountName', account_name, 'serviceName', service_name))::text`);

export const announceListenerChange = (db: Db, { ecpdId, accountName }: Tenant, serviceName: string) =>
  db.exec(
    sql`select pg_notify(${CALLBACK_CHANNEL}, ${JSON.stringify({ what: 'listener', lane: { ecpdId, accountName, serviceName } })})`,
  );

/** Fails the messages that wait for a listener being removed. */
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

/** Fails messages whose listener does not exist at this moment, or has no address. */
export const deletePendingWithoutListener = (db: Db, lane: LaneNews['lane']) =>
  deletePendingOfListener(
    db,
    lane,
    lane.serviceName,
    sql`not exists (
      select 1 from callback_listener l where l.ecpd_id = p.ecpd_id and l.account_name = p.account_name
        and l.service_name = p.service_name and l.url is not null)`,
  );

/** Accounts with messages of this request, across profiles: for an operator who knows only the request id. */
export const listAccountsOfRequest = (db: Db, requestId: string) =>
  db.many<Tenant>(sql`
    select distinct ecpd_id as "ecpdId", account_name as "accountName" from callback_message where request_id = ${requestId}
    limit 1000`);

/** Deletes the next messages of an account with every trace of their delivery, but no lanes. Returns how many. */
export const deleteNextMessages = async (db: Db, { ecpdId, accountName }: Tenant, limit: number) => {
  const ids = plainArray(
    await db.values<string>(sql`
      select message_id as id from callback_message
      where ecpd_id = ${ecpdId} and account_name = ${accountName} order by service_name, created_at limit ${limit}`),
  );
  for (const table of [sql`callback_failed`, sql`callback_pending`, sql`callback_attempt`])
    await db.exec(sql`delete from ${table} where ecpd_id = ${ecpdId} and message_id = any(${ids}::uuid[])`);
  return db.exec(
    sql`delete from callback_message where ecpd_id = ${ecpdId} and message_id = any(${ids}::uuid[])`,
  );
};

export const deleteMessagesOfAccount = async (db: Db, { ecpdId, accountName }: Tenant): Promise<void> => {
  const deleteFrom = (table: Query) =>
    db.exec(sql`delete from ${table} where ecpd_id = ${ecpdId} and account_name = ${accountName}`);
  // The order matters: recording locks the lane first too, and a later step deletes what is re-sent or tried in
  // between.
  await deleteFrom(sql`callback_lane`);
  await deleteFrom(sql`callback_failed`);
  await deleteFrom(sql`callback_pending`);
  await db.exec(sql`
    delete from callback_attempt where ecpd_id = ${ecpdId} and message_id in (
      select message_id from callback_message where ecpd_id = ${ecpdId} and account_name = ${accountName})`);
  for (const table of [sql`callback_message`, sql`callback_pending`, sql`callback_lane`])
    await deleteFrom(table);
};

/** A device, and since when messages about it are meant; null: all of them. */
interface AboutSince {
  readonly deviceId: string;
  readonly from: Date | null;
}

const isAbout = (devices: readonly AboutSince[]): Query => sql`
  rests_on->>'deviceId' = any(${devices.map(({ deviceId }) => deviceId)}::text[]) and exists (
    select 1 from unnest(${devices.map(({ deviceId }) => deviceId)}::text[],
      ${plainArray(devices.map(({ from }) => from ?? '-infinity'))}::timestamptz[]) as s (device_id, from_at)
    where s.device_id = rests_on->>'deviceId' and s.from_at <= created_at)`;

/**
 * Deletes messages about the position of devices (of an account or, without one, of every account that has or had these
 * devices; all devices or these) with every trace of their delivery. The message is deleted first: an attempt recorded after that is then found by its id. Failed rows are
 * deleted before pending ones, and pending ones again at the end, because a re-send or the next attempt may have been
 * inserted while the delete waited for a row.
 */
export const deleteMessagesAbout = async (
  db: Db,
  { ecpdId, accountName }: Pick<Tenant, 'ecpdId'> & Partial<Tenant>,
  devices?: readonly AboutSince[],
): Promise<number> => {
  const gone = await db.many<{ id: string }>(sql`
    delete from callback_message where ecpd_id = ${ecpdId} and rests_on is not null
      and ${accountName === undefined ? sql`true` : sql`account_name = ${accountName}`}
      and ${devices === undefined ? sql`true` : isAbout(devices)}
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
