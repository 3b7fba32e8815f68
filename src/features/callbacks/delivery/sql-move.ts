import type { Db } from '../../../platform/db/db.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { DueMessage, Lane } from './lane.ts';
import { isNoneOf, type Place, withPayloads } from './sql-lane.ts';

// What a move of the sandbox's clock waits for. They read all that waits; in production nobody asks.

const SENDABLE = sql`
  callback_pending p join callback_listener s using (ecpd_id, account_name, service_name)`;
const ofMove = (nr: number | undefined) => (nr === undefined ? sql`true` : sql`p.move_nr <= ${nr}`);

/** When the next of them is due after `after`. */
export const findNextOfMove = async (
  db: Db,
  { nr, after }: { readonly nr: number; readonly after: Date },
): Promise<Date | undefined> =>
  (
    await db.one<{ dueAt: Date | null }>(sql`
      select min(p.due_at) as "dueAt" from ${SENDABLE}
      where p.due_at > ${after} and ${ofMove(nr)} and not s.paused and s.url is not null`)
  ).dueAt ?? undefined;

/** Whether one of them is due. What is under way waits until it is recorded. */
export const hasDueOfMove = async (
  db: Db,
  { nr, until }: { readonly nr: number; readonly until: Date },
): Promise<boolean> =>
  (
    await db.one<{ is: boolean }>(sql`
      select exists (
        select from ${SENDABLE}
        where p.due_at <= ${until} and ${ofMove(nr)} and not s.paused and s.url is not null) as is`)
  ).is;

/** Of a lane, those of them that are due and not in hand. */
export const listDueOfMove = (
  db: Db,
  lane: Lane,
  { nr, now, inHand, limit }: { nr: number; now: Date; inHand: readonly Place[]; limit: number },
) =>
  db.many<DueMessage>(
    withPayloads(
      lane,
      sql`
        select * from callback_pending p
        where ecpd_id = ${lane.ecpdId} and account_name = ${lane.accountName} and service_name = ${lane.serviceName}
          and due_at <= ${now} and ${ofMove(nr)} and ${isNoneOf(inHand)}
        order by due_at, message_id limit ${limit}`,
    ),
  );

/** Without a number, of all that waits. */
export const countDue = async (db: Db, until: Date, nr?: number): Promise<number> =>
  (
    await db.one<{ n: number }>(sql`
      select count(*)::int as n from ${SENDABLE} where p.due_at <= ${until} and not s.paused and ${ofMove(nr)}`)
  ).n;
