import type { Db } from '../../platform/db/db.ts';
import { sql, unprepared } from '../../platform/db/sql.ts';

/** How far a purge has come: messages in the order of their age. */
export interface PurgeCursor {
  readonly createdAt: Date;
  readonly messageId: string;
}

export interface PurgeBounds {
  readonly deliveredBefore: Date;
  readonly failedBefore: Date;
  readonly after: PurgeCursor | undefined;
  readonly limit: number;
}

interface OldMessage extends PurgeCursor {
  readonly ecpdId: string;
  readonly outlived: boolean;
}

/**
 * The next messages by age, and which of them have outlived their time, counted from the last attempt. What is kept,
 * because it failed or waits, is read once in a purge and not once for each of its batches.
 */
const listOldMessages = (db: Db, { deliveredBefore, failedBefore, after, limit }: PurgeBounds) =>
  db.many<OldMessage>(
    unprepared(sql`
      select m.ecpd_id as "ecpdId", m.message_id as "messageId", m.created_at as "createdAt",
        coalesce(a.last_at, m.created_at)
            < case when a.acknowledged then ${deliveredBefore}::timestamptz else ${failedBefore}::timestamptz end
          and not exists (select from callback_pending p
                          where p.ecpd_id = m.ecpd_id and p.message_id = m.message_id) as outlived
      from (
        select ecpd_id, message_id, created_at from callback_message
        where created_at < greatest(${deliveredBefore}::timestamptz, ${failedBefore}::timestamptz)
          and created_at >= ${after?.createdAt ?? new Date(0)}
          and (created_at, message_id) > (${after?.createdAt ?? new Date(0)}, ${after?.messageId ?? '00000000-0000-0000-0000-000000000000'}::uuid)
        order by created_at, message_id limit ${limit}) m
      cross join lateral (
        select max(t.at) as last_at, coalesce(bool_or(t.status between 200 and 299), false) as acknowledged
        from callback_attempt t where t.ecpd_id = m.ecpd_id and t.message_id = m.message_id) a
      order by m.created_at, m.message_id`),
  );

/** A re-send takes the row of a failed message first; so does this, and whoever comes second leaves the message alone. */
const deleteMessages = (db: Db, ecpdId: string, ids: readonly string[]) =>
  db.tx(async (tx) => {
    await tx.exec(
      sql`delete from callback_failed where ecpd_id = ${ecpdId} and message_id = any(${ids}::uuid[])`,
    );
    await tx.exec(sql`
      with gone as (
        delete from callback_message m where ecpd_id = ${ecpdId} and message_id = any(${ids}::uuid[])
          and not exists (select from callback_pending p where p.ecpd_id = ${ecpdId} and p.message_id = m.message_id)
        returning message_id)
      delete from callback_attempt a using gone where a.ecpd_id = ${ecpdId} and a.message_id = gone.message_id`);
  });

/** One batch; answers where the next begins, or undefined when nothing older is left. */
export async function purgeOldMessages(db: Db, bounds: PurgeBounds): Promise<PurgeCursor | undefined> {
  const old = await listOldMessages(db, bounds);
  const outlived = old.filter((message) => message.outlived);
  for (const [ecpdId, messages] of Map.groupBy(outlived, (message) => message.ecpdId)) {
    await deleteMessages(
      db,
      ecpdId,
      messages.map(({ messageId }) => messageId),
    );
  }
  return old.length < bounds.limit ? undefined : old.at(-1);
}
