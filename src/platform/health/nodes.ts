import type { Db } from '../db/db.ts';
import { sql, upkeep } from '../db/sql.ts';
import type { Log } from '../telemetry/log.ts';
import { createHealth, type Health } from './health.ts';

const BEAT_MS = 1_000;
const GONE_SECONDS = 5;
/** A beat may also hang, or this process stand still: without a recent one nothing is known of the database. */
const BEAT_MAX_AGE_MS = 5_000;
const CLOCK_CHECK_MS = 60_000;
/** While it differs, so that work goes on soon after it was put right. */
const WRONG_CLOCK_CHECK_MS = 1_000;
/** Beyond this difference between our clock and the database's, due times would come early or late. */
const CLOCK_DIFFERENCE_MAX_MS = 1_000;

/** Whoever joins takes it, and whoever must know that nobody does. */
const LOCK_KEY = 0x6c6b6e64;

export interface NodeRegistry {
  /** False while due times would come early or late here. */
  clockIsRight(): boolean;
  countOthers(): Promise<number>;
  /** True when no other process is up; then none joins before the transaction has ended. */
  holdAlone(tx: Db): Promise<boolean>;
  stop(): Promise<void>;
}

/** Without a status the one that was told last stays. */
const beat = (db: Db, nodeId: string, role: string, status?: string) =>
  db.exec(
    upkeep(sql`
      insert into node (node_id, role, started_at, seen_at, status)
      values (${nodeId}, ${role}, clock_timestamp(), clock_timestamp(), ${status ?? null}::jsonb)
      on conflict (node_id) do update set seen_at = excluded.seen_at, status = coalesce(excluded.status, node.status)`),
  );

/** Until the transaction ends, nobody joins. */
export const lockNodes = (tx: Db) => tx.exec(sql`select pg_advisory_xact_lock(${LOCK_KEY})`);

const countOthers = (db: Db, nodeId: string): Promise<number> =>
  db.value<number>(sql`
    select count(*)::int as n from node
    where node_id <> ${nodeId} and seen_at > clock_timestamp() - make_interval(secs => ${GONE_SECONDS})`);

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
    log,
    alone = false,
    health = createHealth(),
    realNowMs = Date.now,
  }: {
    nodeId: string;
    role: string;
    log: Log;
    /** True where a lock proves that no other process is up: what a killed one left behind then counts at once. */
    alone?: boolean;
    /** Is told whether the database is there, and whether the clocks agree. */
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
      log.warn(
        { differenceMs },
        "the clock differs from the database's: no work is taken up until it agrees",
      );
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
  // The checks above tell sooner.
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
        // Without a database nothing is known that was not known before, and the beats tell.
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
      await db.exec(upkeep(sql`delete from node where node_id = ${nodeId}`)).catch(onError);
    },
  };
}
