import type { Db } from '../../../platform/db/db.ts';
import { sql } from '../../../platform/db/sql.ts';
import { movesOf } from '../../../platform/lanes/sql-moves.ts';
import type { DueMessage, Lane } from './lane.ts';
import { isNoneOf, type Place, withPayloads } from './sql-lane.ts';

export const moves = movesOf(sql`
  select p.due_at, p.move_nr from callback_pending p join callback_listener s using (ecpd_id, account_name, service_name)
  where not s.paused and s.url is not null`);

/** Of a lane, those that a move of the clock waits for, that are due and not in hand. */
export const listDueOfMove = (
  db: Db,
  lane: Lane,
  { nr, now, inHand, limit }: { nr: number; now: Date; inHand: readonly Place[]; limit: number },
) =>
  db.many<DueMessage>(
    withPayloads(
      lane,
      sql`
        select * from callback_pending
        where ecpd_id = ${lane.ecpdId} and account_name = ${lane.accountName} and service_name = ${lane.serviceName}
          and due_at <= ${now} and move_nr <= ${nr} and ${isNoneOf(inHand)}
        order by due_at, message_id limit ${limit}`,
    ),
  );
