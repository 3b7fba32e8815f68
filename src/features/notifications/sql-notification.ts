import type { Static } from 'typebox';
import type { CausedFilter, Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';
import type { TraceParent } from '../../platform/telemetry/tracing/tracing.ts';
import type { Channel } from './notification.ts';
import type { NotificationState, WireNotification } from './schemas.ts';

/** NOTIFY channel: new notifications are waiting, so senders query at once. */
export const NOTIFICATION_CHANNEL = 'linekeeper_notification';

interface NewNotification {
  readonly notificationId: string;
  readonly accountName: string;
  readonly channel: Channel;
  readonly dedupeKey: string;
  readonly triggerId: string | null;
  readonly subject: string | null;
  readonly text: string;
  readonly recipients: readonly { readonly recipient: string; readonly whyNot: string | null }[];
}

/**
 * Inserts any number for one profile in one statement, ordered by key so that two callers cannot deadlock. The rows take
 * their profile from a table, so a cluster writes them on the profile's server alone.
 */
export function insertNotifications(
  db: Db,
  ecpdId: string,
  added: readonly NewNotification[],
  /** All notifications of one call have the same cause. */
  {
    at,
    trace,
    moveNr,
    cause,
  }: {
    readonly at: Date;
    readonly trace: TraceParent | null;
    readonly moveNr: number;
    /** The id of the request that caused them. */
    readonly cause: string | null;
  },
): Promise<{ readonly id: string }[]> {
  const recipients = added.flatMap(({ notificationId, recipients: of }) =>
    of.map((each, position) => ({ notificationId, position, ...each })),
  );
  return db.many(sql`
    with written as (
      insert into notification
        (ecpd_id, notification_id, account_name, channel, dedupe_key, trigger_id, subject, body, trace,
         caller_request_id, created_at)
      select p.ecpd_id, n.notification_id, n.account_name, n.channel, n.dedupe_key, n.trigger_id, n.subject, n.body, ${trace},
        ${cause}, ${at}
      from unnest(${added.map((n) => n.notificationId)}::uuid[], ${added.map((n) => n.accountName)}::text[],
        ${added.map((n) => n.channel)}::text[], ${added.map((n) => n.dedupeKey)}::text[],
        ${added.map((n) => n.triggerId)}::text[], ${added.map((n) => n.subject)}::text[], ${added.map((n) => n.text)}::text[])
        as n (notification_id, account_name, channel, dedupe_key, trigger_id, subject, body)
      join profile p on p.ecpd_id = ${ecpdId}
      order by n.channel, n.dedupe_key
      on conflict (ecpd_id, channel, dedupe_key) do nothing
      returning notification_id, channel),
    queued as (
      insert into notification_recipient
        (ecpd_id, notification_id, position, channel, recipient, state, attempts, posted_at, due_at, tried_at, reason,
         move_nr)
      select p.ecpd_id, w.notification_id, r.position, w.channel, r.recipient,
        case when r.reason is null then 'waiting' else 'failed' end, 0, ${at},
        case when r.reason is null then ${at}::timestamptz end, case when r.reason is null then null else ${at}::timestamptz end,
        r.reason, ${moveNr}
      from unnest(${recipients.map((r) => r.notificationId)}::uuid[], ${recipients.map((r) => r.position)}::smallint[],
        ${recipients.map((r) => r.recipient)}::text[], ${recipients.map((r) => r.whyNot)}::text[])
        as r (notification_id, position, recipient, reason)
      join written w using (notification_id) join profile p on p.ecpd_id = ${ecpdId})
    select notification_id as id, pg_notify(${NOTIFICATION_CHANNEL}, '') from written`);
}

interface NotificationFilter {
  readonly channel: Channel;
  readonly accountName?: string | undefined;
  readonly triggerId?: string | undefined;
  readonly state?: Static<typeof NotificationState> | undefined;
  /** The last one of the page before. */
  readonly before?: Pick<Static<typeof WireNotification>, 'at' | 'id'> | undefined;
  readonly limit: number;
}

/** Newest first, with the outcome for each recipient. */
export const listNotifications = (
  db: Db,
  { channel, accountName, triggerId, state, before, limit }: NotificationFilter,
) =>
  db.many<Static<typeof WireNotification>>(sql`
    select n.notification_id as id, n.created_at as at, n.account_name as "accountName", n.subject, n.body as text,
      n.trigger_id as "triggerId", r.*
    from notification n
    cross join lateral (
      select array_agg(recipient order by position) as "to",
        case when bool_or(state = 'waiting') then 'waiting' when bool_or(state = 'failed') then 'failed'
          when bool_or(state = 'captured') then 'captured' else 'sent' end as state,
        json_agg(json_build_object('to', recipient, 'state', state, 'attempts', attempts, 'triedAt', tried_at,
          'nextAttemptAt', due_at, 'reason', reason) order by position) as recipients
      from notification_recipient p where p.ecpd_id = n.ecpd_id and p.notification_id = n.notification_id) r
    where n.channel = ${channel}
      and ${accountName === undefined ? sql`true` : sql`n.account_name = ${accountName} and n.ecpd_id = (select ecpd_id from account_directory where account_name = ${accountName})`}
      and ${triggerId === undefined ? sql`true` : sql`n.trigger_id = ${triggerId}`}
      and ${state === undefined ? sql`true` : sql`r.state = ${state}`}
      and ${before === undefined ? sql`true` : sql`(n.created_at, n.notification_id) < (${before.at}, ${before.id}::uuid)`}
    order by n.created_at desc, n.notification_id desc limit ${limit}`);

interface CausedNotification
  extends Pick<Static<typeof WireNotification>, 'id' | 'at' | 'accountName' | 'subject'> {
  readonly cause: string;
  readonly channel: Channel;
}

/** The first notifications that each request caused. */
export const listCausedNotifications = (db: Db, { causes, since, limit }: CausedFilter) =>
  db.many<CausedNotification>(sql`
    select notification_id as id, channel, account_name as "accountName", subject, caller_request_id as cause, created_at as at
    from (
      select *, row_number() over (partition by caller_request_id order by created_at, notification_id) as nth
      from notification where caller_request_id = any(${causes}::text[]) and created_at >= ${since}) of
    where nth <= ${limit} order by created_at, notification_id`);

/** Deletes the next ones, and returns how many. */
export const deleteNotificationsOfAccount = (db: Db, { ecpdId, accountName }: Tenant, limit: number) =>
  db.exec(sql`
    delete from notification where ecpd_id = ${ecpdId} and notification_id in (
      select notification_id from notification
      where ecpd_id = ${ecpdId} and account_name = ${accountName} limit ${limit})`);

/** The read across profiles takes no locks; each delete names one profile. Waiting notifications stay. */
export async function deleteOldNotifications(
  db: Db,
  { channel, before, limit }: { channel: Channel; before: Date; limit: number },
): Promise<number> {
  const old = await db.many<{ ecpdId: string; ids: string[] }>(sql`
    select ecpd_id as "ecpdId", array_agg(notification_id) as ids from (
      select n.ecpd_id, n.notification_id from notification n
      where n.channel = ${channel} and n.created_at < ${before} and not exists (
        select 1 from notification_recipient r
        where r.ecpd_id = n.ecpd_id and r.notification_id = n.notification_id and r.state = 'waiting')
      order by n.created_at limit ${limit}) oldest
    group by ecpd_id`);
  let deleted = 0;
  for (const { ecpdId, ids } of old) {
    deleted += await db.exec(
      sql`delete from notification where ecpd_id = ${ecpdId} and notification_id = any(${ids}::uuid[])`,
    );
  }
  return deleted;
}

export interface NotificationGroup {
  /** As in the query: the group may be stored in another Unicode form. */
  readonly name: string;
  readonly emails: string[];
  readonly phones: string[];
}

/** The named groups that exist in the profile, in one statement. */
export const findNotificationGroups = (db: Db, ecpdId: string, names: readonly string[]) =>
  db.many<NotificationGroup>(sql`
    select asked.name, g.emails, g.phones from unnest(${names}::text[]) as asked (name)
    join notification_group g on g.ecpd_id = ${ecpdId} and g.name = normalize(asked.name, NFC)
    order by asked.name`);

/** Names of the profile's groups, for a selection. */
export const listGroupNames = (db: Db, ecpdId: string, limit: number): Promise<readonly string[]> =>
  db.values<string>(
    sql`select name from notification_group where ecpd_id = ${ecpdId} order by name limit ${limit}`,
  );

export const countNotificationGroups = (db: Db, ecpdId: string): Promise<number> =>
  db.value<number>(sql`select count(*)::int as count from notification_group where ecpd_id = ${ecpdId}`);
