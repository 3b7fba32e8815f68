import type { Db } from '../db/db.ts';
import type { DueWork } from '../health/due-work.ts';
import type { JobKind } from './job.ts';
import * as store from './sql.ts';

/** Profiles looked at in one turn for their oldest due job. */
const PROFILES_PER_TURN = 100;
const ABANDONED_SEEN = 100;
/** Where the oldest are all of profiles that have their places, others have their turns, and nobody is left behind. */
const OLDEST_SEEN = 200;

/** Kinds of jobs that share a number of places in this process. */
export interface Crew {
  readonly kinds: readonly string[];
  /** Without those that come back by themselves. */
  readonly ownTimeKinds: readonly string[];
  readonly places: number;
  /** Half of them: nobody knows how long a job runs, nor who else will want a place before it has ended. */
  readonly placesPerProfile: number;
  /** The profile whose turn was the last. */
  lastServed: string | undefined;
}

export const crewOf = (kinds: readonly JobKind[], places: number): Crew => ({
  kinds: kinds.map(({ kind }) => kind),
  ownTimeKinds: kinds.filter(({ everyMs }) => everyMs === undefined).map(({ kind }) => kind),
  places,
  placesPerProfile: Math.ceil(places / 2),
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
  const after = crew.lastServed;
  const listTurns = (from?: string) =>
    store.listTurns(db, { after: from, now, kinds, limit: PROFILES_PER_TURN });
  const [abandoned, turns, oldest] = await Promise.all([
    // Abandoned may also be what runs here and could not be renewed in time, or is more than its profile may have.
    store.listAbandoned(db, kinds, ABANDONED_SEEN),
    listTurns(after),
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
  const serve = (profiles: typeof turns) => {
    for (const { ecpdId, jobId } of profiles) {
      if (chosen.size >= free) return;
      if (jobId !== null) choose({ ecpdId, jobId });
      crew.lastServed = ecpdId;
    }
    // After the last profile it is the turn of the first again.
    if (chosen.size < free && profiles.length < PROFILES_PER_TURN) crew.lastServed = undefined;
  };
  abandoned.forEach(choose);
  serve(turns);
  // Now and not at the next look: what has been due longest may all be of a profile that has its places.
  if (after !== undefined && crew.lastServed === undefined) serve(await listTurns());
  oldest.forEach(choose);
  return [...chosen.values()];
}

/** Of the jobs that a crew with a free place could claim now, the one that has been due longest. */
export async function findOldestDue(
  db: Db,
  crews: readonly Crew[],
  running: Running,
  now: Date,
): Promise<DueWork | undefined> {
  const found: DueWork[] = [];
  for (const crew of crews) {
    const own = [...running.values()].filter((each) => each.crew === crew);
    if (own.length >= crew.places) continue;
    const [waiting, abandoned] = await Promise.all([
      store.listOldestDue(db, now, crew.kinds, OLDEST_SEEN),
      store.listAbandoned(db, crew.kinds, OLDEST_SEEN),
    ]);
    const places = Map.groupBy(own, ({ job }) => job.ecpdId);
    const isFree = ({ ecpdId, jobId }: store.DueJob) =>
      !running.has(jobId) && (places.get(ecpdId)?.length ?? 0) < crew.placesPerProfile;
    for (const { jobId, dueAt } of [...waiting, ...abandoned].filter(isFree))
      found.push({ key: jobId, dueAt });
  }
  const first = (a: DueWork, b: DueWork) => a.dueAt.getTime() - b.dueAt.getTime() || (a.key < b.key ? -1 : 1);
  return found.sort(first)[0];
}
