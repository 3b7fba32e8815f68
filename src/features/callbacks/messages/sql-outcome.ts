import type { Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { isOlder, type NewestFirst } from '../../../platform/db/newest-first.ts';
import { type Query, sql, unprepared } from '../../../platform/db/sql.ts';

interface CallbackOutcome {
  readonly messageId: string;
  readonly requestId: string;
  readonly state: 'pending' | 'delivered' | 'failed';
  /** The identifiers that the callback gives for its device. */
  readonly ids: readonly string[];
}

/** The state of a message `m` of the profile, derived from pending rows and acknowledged attempts. */
const stateIn = (ecpdId: string): Query => sql`
  case when exists (
      select 1 from callback_pending w where w.ecpd_id = ${ecpdId} and w.message_id = m.message_id) then 'pending'
    when exists (
      select 1 from callback_attempt t
      where t.ecpd_id = ${ecpdId} and t.message_id = m.message_id and t.status between 200 and 299) then 'delivered'
    else 'failed' end`;

/**
 * Outcomes of these requests' callbacks that name one of these identifiers, oldest first. The query reads all
 * callbacks of the requests, so ask for few: each has at most ten thousand lines.
 */
export const listOutcomes = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  requestIds: readonly string[],
  ids: readonly string[],
) =>
  db.many<CallbackOutcome>(
    unprepared(sql`
      select m.message_id as "messageId", m.request_id as "requestId", m.ids, ${stateIn(ecpdId)} as state from (
        select of.*, array(
          select named->>'id' from jsonb_array_elements(of.payload::jsonb->'deviceIds') as named) as ids
        from callback_message of
        where of.request_id = any(${requestIds}::text[]) and of.ecpd_id = ${ecpdId} and of.account_name = ${accountName}) m
      where m.ids && ${ids}::text[]
      order by m.created_at, m.message_id`),
  );

interface CallbackAbout extends Pick<CallbackOutcome, 'messageId' | 'requestId' | 'state'> {
  readonly createdAt: Date;
  readonly serviceName: string;
}

/** Callbacks about the position of a device, newest first, without the positions. */
export const listCallbacksAbout = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceId: string,
  page: NewestFirst,
) =>
  db.many<CallbackAbout>(sql`
    select m.message_id as "messageId", m.request_id as "requestId", m.created_at as "createdAt",
      m.service_name as "serviceName", ${stateIn(ecpdId)} as state
    from callback_message m
    where m.ecpd_id = ${ecpdId} and m.account_name = ${accountName} and m.rests_on is not null
      and m.rests_on->>'deviceId' = ${deviceId} and ${isOlder(sql`m.created_at`, sql`m.message_id::text`, page)}
    order by m.created_at desc, m.message_id desc limit ${page.limit}`);
