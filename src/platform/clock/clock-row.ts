import type { Db } from '../db/db.ts';
import { sql } from '../db/sql.ts';
import type { ClockState, MovableClock } from './clock.ts';

interface Row {
  readonly offsetMs: bigint;
  readonly frozenAt: Date | null;
  readonly moveNr: number;
  readonly movingTo: Date | null;
  readonly leastOffsetMs: bigint | null;
}

/** The state that survives a restart: the clock, and the current move. */
export async function findSavedClock(db: Db): Promise<ClockState> {
  const row = await db.maybe<Row>(sql`
    select offset_ms as "offsetMs", frozen_at as "frozenAt", move_nr as "moveNr", moving_to as "movingTo",
      least_offset_ms as "leastOffsetMs" from domain_clock`);
  return {
    offsetMs: Number(row?.offsetMs ?? 0n),
    frozenAt: row?.frozenAt ?? null,
    moveNr: row?.moveNr ?? 0,
    destination:
      row === undefined || row.movingTo === null
        ? undefined
        : { to: row.movingTo, leastOffsetMs: Number(row.leastOffsetMs) },
  };
}

export const saveClock = (db: Db, { offsetMs, frozenAt, moveNr, destination }: ClockState) =>
  db.exec(sql`
    insert into domain_clock (offset_ms, frozen_at, move_nr, moving_to, least_offset_ms)
    values (${Math.round(offsetMs)}, ${frozenAt}, ${moveNr}, ${destination?.to ?? null},
      ${destination === undefined ? null : Math.round(destination.leastOffsetMs)})
    on conflict (only_row) do update set offset_ms = excluded.offset_ms, frozen_at = excluded.frozen_at,
      move_nr = excluded.move_nr, moving_to = excluded.moving_to, least_offset_ms = excluded.least_offset_ms`);

/** Leaves the clock itself unchanged, because other processes may use it. */
export const forgetMove = (db: Db) =>
  db.exec(sql`update domain_clock set moving_to = null, least_offset_ms = null`);

/** Adopts the saved clock, which a process that joined in the meantime already uses. The move of this process ends there. */
export async function standAsSaved(db: Db, clock: MovableClock): Promise<void> {
  const { offsetMs, frozenAt } = await findSavedClock(db);
  clock.setOffset(offsetMs);
  if (frozenAt !== null) clock.holdAt(frozenAt);
}
