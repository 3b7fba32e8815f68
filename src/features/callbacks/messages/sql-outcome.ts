import type { Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { isOlder, type NewestFirst } from '../../../platform/db/newest-first.ts';
import { type Query, sql, unprepared } from '../../../platform/db/sql.ts';

interface CallbackOutcome {
  readonly messageId: string;
  readonly requestId: string;
  readonly state: 'pending' | 'delivered' | 'failed';
  /** The identifiers by which it names its device. */
  readonly ids: readonly string[];
}

/** Of a message `m` of the profile: it follows from what waits and what was acknowledged. */
const stateIn = (ecpdId: string): Query => sql`
  case when exists (
      select 1 from callback_pending w where w.ecpd_id = ${ecpdId} and w.message_id = m.message_id) then 'pending'
    when exists (
      select 1 from callback_attempt t
      where t.ecpd_id = ${ecpdId} and t.message_id = m.message_id and t.status between 200 and 299) then 'delivered'
    else 'failed' end`;

/**
 * What became of the callbacks of requests that name one of these identifiers, the first of each first. All callbacks of these
 * requests are read for it: ask for few requests, of which each has ten thousand lines at most.
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

/** Those that tell where a device is or was, newest first; not what they tell. */
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
