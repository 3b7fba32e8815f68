import type { Db } from '../db/db.ts';
import { sql, upkeep } from '../db/sql.ts';
import type { Log } from '../telemetry/log.ts';
import { createHealth, type Health } from './health.ts';

const BEAT_MS = 1_000;
const GONE_SECONDS = 5;
/** A beat may hang, or this process may be suspended. Without a recent beat, the state of the database is unknown. */
const BEAT_MAX_AGE_MS = 5_000;
const CLOCK_CHECK_MS = 60_000;
/** Interval while the clock differs, so that work resumes soon after it was corrected. */
const WRONG_CLOCK_CHECK_MS = 1_000;
/** With a larger difference between our clock and the database's, work would start too early or too late. */
const CLOCK_DIFFERENCE_MAX_MS = 1_000;

/** Taken by a process that joins, and by one that must know that no process joins. */
const LOCK_KEY = 0x6c6b6e64;

export interface NodeRegistry {
  /** False while work would start too early or too late here. */
  clockIsRight(): boolean;
  countOthers(): Promise<number>;
  /** True if no other process is up. Then no process joins until the transaction ends. */
  holdAlone(tx: Db): Promise<boolean>;
  stop(): Promise<void>;
}

/** Without a status, keeps the last one. */
const beat = (db: Db, nodeId: string, role: string, status?: string) =>
  db.exec(
    upkeep(sql`
      insert into node (node_id, role, started_at, seen_at, status)
      values (${nodeId}, ${role}, clock_timestamp(), clock_timestamp(), ${status ?? null}::jsonb)
      on conflict (node_id) do update set seen_at = excluded.seen_at, status = coalesce(excluded.status, node.status)`),
  );

/** No process joins until the transaction ends. */
export const lockNodes = (tx: Db) => tx.exec(sql`select pg_advisory_xact_lock(${LOCK_KEY})`);

const countOthers = (db: Db, nodeId: string): Promise<number> =>
  db.value<number>(sql`
    select count(*)::int as n from node
    where node_id <> ${nodeId} and seen_at > clock_timestamp() - make_interval(secs => ${GONE_SECONDS})`);

const deleteGone = (db: Db) =>
  db.exec(sql`delete from node where seen_at < clock_timestamp() - interval '1 hour'`);

const deleteOthers = (db: Db, nodeId: string) => db.exec(sql`delete from node where node_id <> ${nodeId}`);

/** Compares real time, not domain time: machines must agree on it even in the sandbox. */
async function clockDifferenceMs(db: Db, realNowMs: () => number): Promise<number> {
  const before = realNowMs();
  const { at } = await db.one<{ at: Date }>(sql`select clock_timestamp() as at`);
  const after = realNowMs();
  // The database read its clock between the two readings, so only time outside of them is a difference.
  return Math.max(0, before - at.getTime(), at.getTime() - after);
}

/** Registers this process for the others, and checks what it needs to be ready. */
export async function joinNodes(
  db: Db,
  {
    nodeId,
    role,
    log,
    alone = false,
    health = createHealth(),
    realNowMs = Date.now,
  }: {
    nodeId: string;
    role: string;
    log: Log;
    /** True if a lock proves that no other process is up: rows of killed processes are then deleted at once. */
    alone?: boolean;
    /** Receives whether the database can be reached, and whether the clocks agree. */
    health?: Health;
    realNowMs?: () => number;
  },
): Promise<NodeRegistry> {
  const onError = (error: unknown) => log.error({ err: error }, 'background failure');
  let databaseDown = false;
  let differenceMs = 0;
  const clockIsRight = () => differenceMs <= CLOCK_DIFFERENCE_MAX_MS;
  const compareClocks = async () => {
    const wasRight = clockIsRight();
    differenceMs = await clockDifferenceMs(db, realNowMs);
    if (wasRight && !clockIsRight())
      log.warn({ differenceMs }, "the clock differs from the database's: no work starts until it agrees");
    else if (!wasRight && clockIsRight()) log.info("the clock agrees with the database's again");
  };
  const join = async (tx: Db) => {
    await lockNodes(tx);
    await beat(tx, nodeId, role);
  };
  await Promise.all([compareClocks(), db.tx(join)]);
  await (alone ? deleteOthers(db, nodeId) : deleteGone(db));
  let lastBeatAt = performance.now();
  let stopped = false;
  health.addCheck('database', () =>
    databaseDown || performance.now() - lastBeatAt > BEAT_MAX_AGE_MS
      ? 'the database cannot be reached'
      : undefined,
  );
  health.addCheck('clock', () =>
    clockIsRight() ? undefined : `the clock differs from the database's by ${differenceMs} ms`,
  );
  // The checks above fail sooner.
  const beats = health.loop('nodes.beat', { vital: false });
  const comparisons = health.loop('nodes.clock', { vital: false });
  beats.begin();
  comparisons.begin();

  let reported = '';
  const beating = async () => {
    try {
      const sentAt = performance.now();
      const status = JSON.stringify({
        ...health.reports(),
        failing: health.failing(),
        notices: health.notices(),
      });
      await beat(db, nodeId, role, status === reported ? undefined : status);
      reported = status;
      lastBeatAt = sentAt;
      databaseDown = false;
      beats.passed();
    } catch (error) {
      beats.failed(error);
      if (!databaseDown) onError(error);
      databaseDown = true;
    }
    if (!stopped) beatTimer = setTimeout(beating, BEAT_MS);
  };
  let beatTimer = setTimeout(beating, BEAT_MS);
  const compareLater = () =>
    setTimeout(
      async () => {
        // Without a database the clocks cannot be compared, and the beats report that.
        await compareClocks().then(comparisons.passed, comparisons.failed);
        if (!stopped) clockTimer = compareLater();
      },
      clockIsRight() ? CLOCK_CHECK_MS : WRONG_CLOCK_CHECK_MS,
    );
  let clockTimer = compareLater();

  return {
    clockIsRight,
    countOthers: () => countOthers(db, nodeId),
    async holdAlone(tx) {
      await lockNodes(tx);
      return (await countOthers(tx, nodeId)) === 0;
    },
    async stop() {
      stopped = true;
      clearTimeout(beatTimer);
      clearTimeout(clockTimer);
      // The next process to be alone deletes this row, so a short run needs no connection for it.
      if (!alone) await db.exec(upkeep(sql`delete from node where node_id = ${nodeId}`)).catch(onError);
    },
  };
}
