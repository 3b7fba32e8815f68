import { NIL_UUID } from '../../../kernel/uuid.ts';
import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { sql, unprepared } from '../../../platform/db/sql.ts';

/** The progress of a purge, which visits messages from oldest to newest. */
export interface PurgeCursor {
  readonly createdAt: Date;
  readonly messageId: string;
}

interface PurgeBounds {
  readonly deliveredBefore: Date;
  readonly failedBefore: Date;
  readonly after: PurgeCursor | undefined;
  readonly limit: number;
}

interface OldMessage extends PurgeCursor {
  readonly ecpdId: string;
}

/** The next messages of all profiles by age: a purge reads kept messages once, not once per batch. */
const listOldMessages = (db: Db, { deliveredBefore, failedBefore, after, limit }: PurgeBounds) =>
  db.many<OldMessage>(
    unprepared(sql`
      select ecpd_id as "ecpdId", message_id as "messageId", created_at as "createdAt" from callback_message
      where created_at < greatest(${deliveredBefore}::timestamptz, ${failedBefore}::timestamptz)
        and created_at >= ${after?.createdAt ?? new Date(0)}
        and (created_at, message_id) > (${after?.createdAt ?? new Date(0)}, ${after?.messageId ?? NIL_UUID}::uuid)
      order by created_at, message_id limit ${limit}`),
  );

/** Messages that wait for nothing and are past their retention time, counted from the last attempt. */
const listOutlived = (
  db: Db,
  ecpdId: string,
  messages: readonly OldMessage[],
  { deliveredBefore, failedBefore }: PurgeBounds,
): Promise<readonly string[]> =>
  db.values<string>(
    unprepared(sql`
    select m.message_id as "messageId"
    from unnest(${plainArray(messages.map(({ messageId }) => messageId))}::uuid[],
      ${plainArray(messages.map(({ createdAt }) => createdAt))}::timestamptz[]) as m (message_id, created_at)
    cross join lateral (
      select max(t.at) as last_at, coalesce(bool_or(t.status between 200 and 299), false) as acknowledged
      from callback_attempt t where t.ecpd_id = ${ecpdId} and t.message_id = m.message_id) a
    where coalesce(a.last_at, m.created_at)
        < case when a.acknowledged then ${deliveredBefore}::timestamptz else ${failedBefore}::timestamptz end
      and not exists (
        select 1 from callback_pending p where p.ecpd_id = ${ecpdId} and p.message_id = m.message_id)`),
  );

/** This and a re-send lock the row of a failed message first; the second of the two leaves the message alone. */
const deleteMessages = (db: Db, ecpdId: string, ids: readonly string[]) =>
  db.tx(async (tx) => {
    await tx.exec(
      sql`delete from callback_failed where ecpd_id = ${ecpdId} and message_id = any(${ids}::uuid[])`,
    );
    await tx.exec(sql`
      with gone as (
        delete from callback_message m where ecpd_id = ${ecpdId} and message_id = any(${ids}::uuid[])
          and not exists (select 1 from callback_pending p where p.ecpd_id = ${ecpdId} and p.message_id = m.message_id)
        returning message_id)
      delete from callback_attempt a using gone where a.ecpd_id = ${ecpdId} and a.message_id = gone.message_id`);
  });

/** Purges one batch. Returns where the next one begins, or undefined if nothing older is left. */
export async function purgeOldMessages(db: Db, bounds: PurgeBounds): Promise<PurgeCursor | undefined> {
  const old = await listOldMessages(db, bounds);
  for (const [ecpdId, messages] of Map.groupBy(old, (message) => message.ecpdId)) {
    const outlived = await listOutlived(db, ecpdId, messages, bounds);
    if (outlived.length > 0) await deleteMessages(db, ecpdId, outlived);
  }
  return old.length < bounds.limit ? undefined : old.at(-1);
}
