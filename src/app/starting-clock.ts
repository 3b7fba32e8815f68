import { type MovableClock, movableClock } from '../platform/clock/clock.ts';
import { findSavedClock, saveClock } from '../platform/clock/clock-row.ts';
import { ConfigError, type Settings } from '../platform/config/settings.ts';
import type { Ctx } from '../platform/context/context.ts';
import type { Db } from '../platform/db/db.ts';
import { sql } from '../platform/db/sql.ts';
import type { Parts } from './compose/compose.ts';

/** Call it when everything is there that goes by the clock. */
type LetRun = () => Promise<void>;

/** One that is to begin at a given time stands there through the whole start: what the start makes has that very time. */
export async function openMovableClock(
  clock: MovableClock,
  db: Db,
  { role, now, freeze }: Settings,
  standsAt?: Date,
): Promise<LetRun> {
  if (standsAt !== undefined) await putClockAt(db, standsAt);
  const begins = now !== undefined && (await beginAt(db, now));
  const { destination, ...saved } = await findSavedClock(db);
  // Only who also works what falls due on the way can go on with a move that was interrupted.
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

/** A clock that was frozen stands where it stood by itself. */
const putClockAt = async (db: Db, at: Date) =>
  saveClock(db, { ...(await findSavedClock(db)), offsetMs: at.getTime() - Date.now() });

/** Where nothing has happened yet, at any time; elsewhere a later one is moved to when all is ready for it. */
async function beginAt(db: Db, now: Date): Promise<boolean> {
  const saved = await findSavedClock(db);
  const used =
    (await db.maybe(sql`select 1 from profile limit 1`)) ?? (await db.maybe(sql`select 1 from job limit 1`));
  const stands = movableClock(saved).now();
  if (used === undefined) await saveClock(db, { ...saved, offsetMs: now.getTime() - Date.now() });
  else if (now < stands)
    throw new ConfigError(
      `LINEKEEPER_NOW is ${now.toISOString()}, and the clock of this database stands at ${stands.toISOString()}: an earlier time needs an empty data folder.`,
    );
  return used === undefined;
}

/** Through everything that falls due until then, as any move. */
export async function moveOn({ mover }: Parts, { clock }: Ctx, now: Date | undefined): Promise<void> {
  await mover?.resume();
  if (mover === undefined || now === undefined) return;
  await mover.current()?.done;
  if (now > clock.now()) await mover.moveTo(now).done;
}
