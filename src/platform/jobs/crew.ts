import type { Db } from '../db/db.ts';
import type { RecurringWork } from '../flow-control/timed-work.ts';
import type { DueWork } from '../health/due-work.ts';
import type { Pool, Room } from '../lanes/lane.ts';
import type { JobKind } from './job.ts';
import * as store from './sql.ts';

/** Number of profiles whose oldest due job one query finds. */
const PROFILES_PER_QUERY = 100;
/** Beyond the places of a crew: often these are all jobs that are due, such as the recurring ones after a jump of the clock. */
const DUE_SEEN = 50;
const ABANDONED_SEEN = 100;
/** Leases last seconds of real time, so querying more often would find nothing new. */
const ABANDONED_EVERY_MS = 250;
/** If the oldest all belong to profiles that have their places, the turns of the others keep them from being left behind. */
const OLDEST_SEEN = 200;

/** Kinds of jobs that share a number of places in this process. */
export interface Crew extends Pool {
  readonly kinds: readonly string[];
  /** The kinds that may run, by the recurring ones among them. */
  readonly kindsWith: Readonly<Record<RecurringWork, readonly string[]>>;
  /** Half of the places: nobody knows how long a job runs, or which profile will need a place before it ends. */
  readonly placesPerProfile: number;
  /** The profile that was served last. */
  lastServed: string | undefined;
  /** When to query for abandoned jobs again, as `performance.now()`. */
  abandonedAtMs: number;
}

const namesOf = (list: readonly JobKind[]) => list.map(({ kind }) => kind);

const kindsIn = (list: readonly JobKind[]): Pick<Crew, 'kinds' | 'kindsWith'> => ({
  kinds: namesOf(list),
  kindsWith: {
    all: namesOf(list),
    exceptPurges: namesOf(list.filter(({ isPurge = false }) => !isPurge)),
    none: namesOf(list.filter(({ everyMs }) => everyMs === undefined)),
  },
});

/** Jobs that wait for other systems have places of their own. */
export const crewsOf = (
  list: readonly JobKind[],
  places: Readonly<Record<'inside' | 'outside', number>>,
): Crew[] =>
  (['inside', 'outside'] as const)
    .map((where) => {
      const kinds = list.filter(({ waitsOutside = false }) => waitsOutside === (where === 'outside'));
      return {
        ...kindsIn(kinds),
        places: places[where],
        placesPerProfile: Math.ceil(places[where] / 2),
        lastServed: undefined,
        abandonedAtMs: 0,
      };
    })
    .filter(({ kinds }) => kinds.length > 0);

/** One place for all kinds. */
export const crewOfOne = (list: readonly JobKind[]): Crew => ({
  ...kindsIn(list),
  places: 1,
  placesPerProfile: 1,
  lastServed: undefined,
  abandonedAtMs: 0,
});

async function listAbandoned(db: Db, crew: Crew, kinds: readonly string[]): Promise<store.DueJob[]> {
  if (performance.now() < crew.abandonedAtMs) return [];
  const abandoned = await store.listAbandoned(db, kinds, ABANDONED_SEEN);
  // While there are some, each query may find more.
  if (abandoned.length === 0) crew.abandonedAtMs = performance.now() + ABANDONED_EVERY_MS;
  return abandoned;
}

/** For a crew of one, in which profiles do not take turns. */
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
 * Lists abandoned jobs first, because they have waited longest. Then each profile gets a turn, and the remaining places
 * go to the jobs that have been due longest. Returns an array if these are all due jobs.
 */
export async function listDue(
  db: Db,
  crew: Crew,
  kinds: readonly string[],
  now: Date,
): Promise<store.DueJob[] | AsyncIterable<store.DueJob>> {
  if (kinds.length === 0) return [];
  const seen = crew.places + DUE_SEEN;
  const [abandoned, oldest] = await Promise.all([
    // May include a job that runs here and was not renewed in time, or one beyond the places of its profile.
    listAbandoned(db, crew, kinds),
    store.listOldestDue(db, now, kinds, seen),
  ]);
  const isOfOne = oldest.every(({ ecpdId }) => ecpdId === oldest[0]?.ecpdId);
  // No profile waits for its turn.
  const areAll = oldest.length < crew.places || (oldest.length < seen && isOfOne);
  if (areAll && abandoned.length < ABANDONED_SEEN) return [...abandoned, ...oldest];
  return takeTurns(db, crew, { kinds, now, before: abandoned, after: oldest });
}

interface Turns {
  readonly kinds: readonly string[];
  readonly now: Date;
  readonly before: readonly store.DueJob[];
  readonly after: readonly store.DueJob[];
}

/** A profile's turn is over when its job is requested. */
async function* takeTurns(
  db: Db,
  crew: Crew,
  { kinds, now, before, after: oldest }: Turns,
): AsyncGenerator<store.DueJob> {
  yield* before;
  const after = crew.lastServed;
  const listTurns = (from?: string) =>
    store.listTurns(db, { after: from, now, kinds, limit: PROFILES_PER_QUERY });
  function* serve(profiles: Awaited<ReturnType<typeof listTurns>>) {
    for (const { ecpdId, jobId } of profiles) {
      crew.lastServed = ecpdId;
      if (jobId !== null) yield { ecpdId, jobId };
    }
    // After the last profile, start again with the first.
    if (profiles.length < PROFILES_PER_QUERY) crew.lastServed = undefined;
  }
  yield* serve(await listTurns(after));
  // Do this now: the jobs that have been due longest may all belong to a profile that has its places.
  if (after !== undefined && crew.lastServed === undefined) yield* serve(await listTurns());
  yield* oldest;
}

/** The job that has been due longest, among those that a crew with a free place could claim now. */
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
