import type { Db } from '../db/db.ts';
import type { JobKind } from './job.ts';
import * as store from './sql.ts';

/** Profiles looked at in one turn for their oldest due job. */
const PROFILES_PER_TURN = 100;

/** Kinds of jobs that share a number of places in this process. */
export interface Crew {
  readonly kinds: readonly string[];
  /** Without those that come back by themselves. */
  readonly ownTimeKinds: readonly string[];
  readonly places: number;
  readonly placesPerProfile: number;
  /** The profile whose turn was the last. */
  lastServed: string | undefined;
}

export const crewOf = (kinds: readonly JobKind[], places: number, placesPerProfile = places): Crew => ({
  kinds: kinds.map(({ kind }) => kind),
  ownTimeKinds: kinds.filter(({ everyMs }) => everyMs === undefined).map(({ kind }) => kind),
  places,
  placesPerProfile,
  lastServed: undefined,
});

type Running = ReadonlyMap<string, { readonly job: store.DueJob; readonly crew: Crew }>;

/**
 * What a dead process left comes first: it has waited longest. Then every profile in its turn, and
 * what places are left go to whatever has been due longest.
 */
export async function findDue(
  db: Db,
  crew: Crew,
  kinds: readonly string[],
  running: Running,
  now: Date,
): Promise<store.DueJob[]> {
  const own = [...running.values()].filter((each) => each.crew === crew);
  const free = crew.places - own.length;
  if (free <= 0 || kinds.length === 0) return [];
  const [abandoned, turns, oldest] = await Promise.all([
    // Abandoned may also be what runs here and could not be renewed in time.
    store.listAbandoned(db, kinds, crew.places),
    store.listTurns(db, { after: crew.lastServed, now, kinds, limit: PROFILES_PER_TURN }),
    store.listOldestDue(db, now, kinds, crew.places),
  ]);
  const taken = new Map<string, number>();
  const take = (ecpdId: string) => taken.set(ecpdId, (taken.get(ecpdId) ?? 0) + 1);
  for (const { job } of own) take(job.ecpdId);
  const chosen = new Map<string, store.DueJob>();
  const choose = ({ ecpdId, jobId }: store.DueJob) => {
    if (chosen.size >= free || (taken.get(ecpdId) ?? 0) >= crew.placesPerProfile) return;
    if (running.has(jobId) || chosen.has(jobId)) return;
    chosen.set(jobId, { ecpdId, jobId });
    take(ecpdId);
  };
  abandoned.forEach(choose);
  for (const { ecpdId, jobId } of turns) {
    if (chosen.size >= free) break;
    if (jobId !== null) choose({ ecpdId, jobId });
    crew.lastServed = ecpdId;
  }
  // After the last profile it is the turn of the first again.
  if (chosen.size < free && turns.length < PROFILES_PER_TURN) crew.lastServed = undefined;
  oldest.forEach(choose);
  return [...chosen.values()];
}
