import type { Db } from './db/db.ts';
import { sql, upkeep } from './db/sql.ts';

const BEAT_MS = 1_000;
const GONE_SECONDS = 5;
/** A beat may also hang, or this process stand still: without a recent one nothing is known of the database. */
const BEAT_MAX_AGE_MS = 5_000;
const CLOCK_CHECK_MS = 60_000;
/** Beyond this difference between our clock and the database's, due times would come early or late. */
export const CLOCK_DIFFERENCE_MAX_MS = 1_000;

export interface NodeRegistry {
  /** What stands against serving requests: undefined when nothing does. */
  notReadyBecause(): string | undefined;
  countOthers(): Promise<number>;
  stop(): Promise<void>;
}

const beat = (db: Db, nodeId: string, role: string) =>
  db.exec(
    upkeep(sql`
      insert into node (node_id, role, started_at, seen_at) values (${nodeId}, ${role}, clock_timestamp(), clock_timestamp())
      on conflict (node_id) do update set seen_at = excluded.seen_at`),
  );

const deleteGone = (db: Db) =>
  db.exec(sql`delete from node where seen_at < clock_timestamp() - interval '1 hour'`);

const deleteOthers = (db: Db, nodeId: string) => db.exec(sql`delete from node where node_id <> ${nodeId}`);

/** The real clock, not the domain's: whatever the sandbox does, machines must agree on the time of day. */
async function clockDifferenceMs(db: Db, realNowMs: () => number): Promise<number> {
  const before = realNowMs();
  const { at } = await db.one<{ at: Date }>(sql`select clock_timestamp() as at`);
  const after = realNowMs();
  // The database read its clock somewhere between the two: only what lies outside of them is a difference.
  return Math.max(0, before - at.getTime(), at.getTime() - after);
}

/** Tells the other processes that this one is up, and watches what this one needs in order to be ready. */
export async function joinNodes(
  db: Db,
  {
    nodeId,
    role,
    onError,
    alone = false,
    realNowMs = Date.now,
  }: {
    nodeId: string;
    role: string;
    onError: (error: unknown) => void;
    /** True where a lock proves that no other process is up: what a killed one left behind then counts at once. */
    alone?: boolean;
    realNowMs?: () => number;
  },
): Promise<NodeRegistry> {
  let databaseDown = false;
  let differenceMs = await clockDifferenceMs(db, realNowMs);
  await beat(db, nodeId, role);
  await (alone ? deleteOthers(db, nodeId) : deleteGone(db));
  let lastBeatAt = performance.now();
  let stopped = false;

  const beating = async () => {
    try {
      const sentAt = performance.now();
      await beat(db, nodeId, role);
      lastBeatAt = sentAt;
      databaseDown = false;
    } catch (error) {
      if (!databaseDown) onError(error);
      databaseDown = true;
    }
    if (!stopped) beatTimer = setTimeout(beating, BEAT_MS);
  };
  let beatTimer = setTimeout(beating, BEAT_MS);
  const clockTimer = setInterval(async () => {
    differenceMs = await clockDifferenceMs(db, realNowMs).catch(() => differenceMs);
  }, CLOCK_CHECK_MS);

  return {
    notReadyBecause() {
      if (databaseDown || performance.now() - lastBeatAt > BEAT_MAX_AGE_MS)
        return 'the database cannot be reached';
      return differenceMs > CLOCK_DIFFERENCE_MAX_MS
        ? `the clock differs from the database's by ${differenceMs} ms`
        : undefined;
    },
    async countOthers() {
      const { n } = await db.one<{ n: number }>(sql`
        select count(*)::int as n from node
        where node_id <> ${nodeId} and seen_at > clock_timestamp() - make_interval(secs => ${GONE_SECONDS})`);
      return n;
    },
    async stop() {
      stopped = true;
      clearTimeout(beatTimer);
      clearInterval(clockTimer);
      await db.exec(upkeep(sql`delete from node where node_id = ${nodeId}`)).catch(onError);
    },
  };
}
