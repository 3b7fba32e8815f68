import { type MovableClock, movableClock } from '../platform/clock/clock.ts';
import { findSavedClock, saveClock } from '../platform/clock/clock-row.ts';
import { ConfigError, type Settings } from '../platform/config/settings.ts';
import type { Ctx } from '../platform/context/context.ts';
import type { Db } from '../platform/db/db.ts';
import { sql } from '../platform/db/sql.ts';
import type { Parts } from './compose/compose.ts';

/** Call it after everything that uses the clock exists. */
type LetRun = () => Promise<void>;

/** A clock with a given start time is frozen during the start, so that everything created has exactly that time. */
export async function openMovableClock(
  clock: MovableClock,
  db: Db,
  { role, now, freeze }: Settings,
  standsAt?: Date,
): Promise<LetRun> {
  if (standsAt !== undefined) await putClockAt(db, standsAt);
  const begins = now !== undefined && (await beginAt(db, now));
  const { destination, ...saved } = await findSavedClock(db);
  // Only a process that also runs due work can continue an interrupted move.
  clock.standAs({ ...saved, ...(role === 'all' && { destination }) });
  if (freeze && !clock.isHeld()) {
    clock.holdAt(begins ? now : clock.now());
    await saveClock(db, { ...saved, destination, frozenAt: clock.now() });
  }
  if (!begins || clock.isHeld()) return async () => {};
  clock.holdAt(now);
  return async () => {
    clock.release();
    await saveClock(db, { ...saved, offsetMs: clock.offsetMs() });
  };
}

/** A frozen clock keeps its time without help. */
const putClockAt = async (db: Db, at: Date) =>
  saveClock(db, { ...(await findSavedClock(db)), offsetMs: at.getTime() - Date.now() });

/** An empty database can start at any time; others move to a later time when everything is ready. */
async function beginAt(db: Db, now: Date): Promise<boolean> {
  const saved = await findSavedClock(db);
  const used =
    (await db.maybe(sql`select 1 from profile limit 1`)) ?? (await db.maybe(sql`select 1 from job limit 1`));
  const stands = movableClock(saved).now();
  if (used === undefined) await saveClock(db, { ...saved, offsetMs: now.getTime() - Date.now() });
  else if (now < stands)
    throw new ConfigError(
      `LINEKEEPER_NOW is ${now.toISOString()}, but the clock of this database is at ${stands.toISOString()}: an earlier time needs an empty data folder.`,
    );
  return used === undefined;
}

/** Runs everything due until then, like any move. */
export async function moveOn({ mover }: Parts, { clock }: Ctx, now: Date | undefined): Promise<void> {
  await mover?.resume();
  if (mover === undefined || now === undefined) return;
  await mover.current()?.done;
  if (now > clock.now()) await mover.moveTo(now).done;
}
