import type { Db } from '../db/db.ts';
import type { DueWork } from '../health/due-work.ts';
import type { Pool, Room } from '../lanes/lane.ts';
import type { JobKind } from './job.ts';
import * as store from './sql.ts';

/** Profiles looked at in one turn for their oldest due job. */
const PROFILES_PER_TURN = 100;
const ABANDONED_SEEN = 100;
/** Leases end in real time, by seconds: looking more often would find nothing new. */
const ABANDONED_EVERY_MS = 250;
/** Where the oldest are all of profiles that have their places, others have their turns, and nobody is left behind. */
const OLDEST_SEEN = 200;

/** Kinds of jobs that share a number of places in this process. */
export interface Crew extends Pool {
  readonly kinds: readonly string[];
  /** Without those that come back by themselves. */
  readonly ownTimeKinds: readonly string[];
  /** Half of them: nobody knows how long a job runs, nor who else will want a place before it has ended. */
  readonly placesPerProfile: number;
  /** The profile whose turn was the last. */
  lastServed: string | undefined;
  /** When to query for abandoned jobs again, as `performance.now()`. */
  abandonedAtMs: number;
}

/** Those that wait outside have places of their own. */
export const crewsOf = (
  list: readonly JobKind[],
  places: Readonly<Record<'inside' | 'outside', number>>,
): Crew[] =>
  (['inside', 'outside'] as const)
    .map((where) => {
      const kinds = list.filter(({ waitsOutside = false }) => waitsOutside === (where === 'outside'));
      return {
        kinds: kinds.map(({ kind }) => kind),
        ownTimeKinds: kinds.filter(({ everyMs }) => everyMs === undefined).map(({ kind }) => kind),
        places: places[where],
        placesPerProfile: Math.ceil(places[where] / 2),
        lastServed: undefined,
        abandonedAtMs: 0,
      };
    })
    .filter(({ kinds }) => kinds.length > 0);

/** One place for all kinds. */
export const crewOfOne = (list: readonly JobKind[]): Crew => ({
  kinds: list.map(({ kind }) => kind),
  ownTimeKinds: list.filter(({ everyMs }) => everyMs === undefined).map(({ kind }) => kind),
  places: 1,
  placesPerProfile: 1,
  lastServed: undefined,
  abandonedAtMs: 0,
});

async function listAbandoned(db: Db, crew: Crew, kinds: readonly string[]): Promise<store.DueJob[]> {
  if (performance.now() < crew.abandonedAtMs) return [];
  const abandoned = await store.listAbandoned(db, kinds, ABANDONED_SEEN);
  // As long as there are some, each query may find the next.
  if (abandoned.length === 0) crew.abandonedAtMs = performance.now() + ABANDONED_EVERY_MS;
  return abandoned;
}

/** For a crew of one, which has no turns to take. */
export async function* listDueInOrder(
  db: Db,
  crew: Crew,
  kinds: readonly string[],
  now: Date,
): AsyncGenerator<store.DueJob> {
  if (kinds.length === 0) return;
  yield* await listAbandoned(db, crew, kinds);
  yield* await store.listInOrder(db, now, kinds, crew.places);
}

/**
 * What a dead process left comes first: it has waited longest. Then every profile in its turn, and
 * what places are left go to whatever has been due longest. A turn is over when its job is asked for.
 */
export async function* listDue(
  db: Db,
  crew: Crew,
  kinds: readonly string[],
  now: Date,
): AsyncGenerator<store.DueJob> {
  if (kinds.length === 0) return;
  const [abandoned, oldest] = await Promise.all([
    // Abandoned may also be what runs here and could not be renewed in time, or is more than its profile may have.
    listAbandoned(db, crew, kinds),
    store.listOldestDue(db, now, kinds, crew.places),
  ]);
  yield* abandoned;
  // All that is due: no profile has to wait for its turn.
  if (oldest.length < crew.places) return yield* oldest;
  const after = crew.lastServed;
  const listTurns = (from?: string) =>
    store.listTurns(db, { after: from, now, kinds, limit: PROFILES_PER_TURN });
  function* serve(profiles: Awaited<ReturnType<typeof listTurns>>) {
    for (const { ecpdId, jobId } of profiles) {
      crew.lastServed = ecpdId;
      if (jobId !== null) yield { ecpdId, jobId };
    }
    // After the last profile it is the turn of the first again.
    if (profiles.length < PROFILES_PER_TURN) crew.lastServed = undefined;
  }
  yield* serve(await listTurns(after));
  // Now and not at the next look: what has been due longest may all be of a profile that has its places.
  if (after !== undefined && crew.lastServed === undefined) yield* serve(await listTurns());
  yield* oldest;
}

/** Of the jobs that a crew with a free place could claim now, the one that has been due longest. */
export async function findOldestDue(
  db: Db,
  crews: readonly Crew[],
  running: { room(crew: Crew): Room; workerOf(job: store.DueJob): unknown },
  now: Date,
): Promise<DueWork | undefined> {
  const found: DueWork[] = [];
  for (const crew of crews) {
    const { free, taken } = running.room(crew);
    if (free <= 0) continue;
    const [waiting, abandoned] = await Promise.all([
      store.listOldestDue(db, now, crew.kinds, OLDEST_SEEN),
      store.listAbandoned(db, crew.kinds, OLDEST_SEEN),
    ]);
    const mayRun = (job: store.DueJob) =>
      running.workerOf(job) === undefined && (taken.get(job.ecpdId) ?? 0) < crew.placesPerProfile;
    for (const { jobId, dueAt } of [...waiting, ...abandoned].filter(mayRun))
      found.push({ key: jobId, dueAt });
  }
  const first = (a: DueWork, b: DueWork) => a.dueAt.getTime() - b.dueAt.getTime() || (a.key < b.key ? -1 : 1);
  return found.sort(first)[0];
}
