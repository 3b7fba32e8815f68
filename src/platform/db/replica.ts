import { type Database, type Db, isUnavailable } from './db.ts';
import { type Query, sql, upkeep } from './sql.ts';

const PROBE_MS = 250;
/** How many positions of the primary are remembered while the replica is behind them: minutes of them. */
const MARKS_MAX = 1_000;

/** Where a statement that may be a little old went, for the metrics. */
export type Went = 'replica' | 'primary: too far behind' | 'primary: replica failed' | 'primary: must be new';

export interface ReplicaReads {
  /** Reads from the replica while that is known to be new enough; everything else is the primary's. */
  readonly db: Db;
  /** How old an answer of the replica may be by now; infinite before the first proof. */
  behindMs(): number;
  stop(): void;
}

export interface ReplicaOptions {
  readonly primary: Db;
  readonly replica: Database;
  readonly maxLagMs: number;
  /** A statement that names one of these tables is never the replica's. */
  readonly mustBeNew: readonly string[];
  readonly count: (went: Went) => void;
}

class MustBeNew extends Error {}

const WRITES =
  /\b(insert\s+into|update|delete\s+from|merge\s+into|for\s+(key\s+)?share|pg_notify|pg_(try_)?advisory\w*)\b/i;

/** True of statements that neither write nor lock; by their text, so on the safe side. */
export const onlyReads = (text: string): boolean =>
  /^\s*\(?\s*(select|with)\b/i.test(text) && !WRITES.test(text);

const RAN_OUT_OF_TIME = '57014';

/** What took too long there would take as long on the primary. */
const replicaFailed = (error: unknown) =>
  isUnavailable(error) && (error as { code?: unknown }).code !== RAN_OUT_OF_TIME;

/**
 * Proves how old the replica is without comparing clocks: what the primary had written when it was asked, and the
 * replica has replayed since, was committed before that moment. Asked of the two servers themselves, because a replica
 * that has lost its primary believes to be up to date.
 */
async function watchLag({ primary, replica }: Pick<ReplicaOptions, 'primary' | 'replica'>) {
  let marks: { readonly sentAt: number; readonly position: bigint }[] = [];
  let provenAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const probe = async () => {
    const sentAt = performance.now();
    const { position } = await primary.one<{ position: bigint }>(
      upkeep(sql`select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::int8 as position`),
    );
    marks = [...marks.slice(1 - MARKS_MAX), { sentAt, position }];
    // Null of a server that is no replica: it proves nothing.
    const { replayed } = await replica.one<{ replayed: bigint | null }>(
      upkeep(sql`
        select (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::int8 as replayed where pg_is_in_recovery()
        union all select null where not pg_is_in_recovery()`),
    );
    if (replayed === null) return;
    const reached = marks.findLast((mark) => mark.position <= replayed);
    if (reached === undefined) return;
    provenAt = reached.sentAt;
    marks = marks.filter((mark) => mark.sentAt > reached.sentAt);
  };
  const probing = async () => {
    await probe().catch(() => {});
    if (!stopped) timer = setTimeout(probing, PROBE_MS);
  };
  await probing();
  return {
    behindMs: () => performance.now() - provenAt,
    /** What was known of a server that just failed is worth nothing. */
    distrust: () => {
      provenAt = Number.NEGATIVE_INFINITY;
      marks = [];
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

export async function openReplicaReads(options: ReplicaOptions): Promise<ReplicaReads> {
  const { primary, replica, maxLagMs, count } = options;
  const lag = await watchLag(options);
  const named = new RegExp(`\\b(${options.mustBeNew.join('|')})\\b`, 'i');
  const mayBeOld = ({ text }: Query) => onlyReads(text) && !named.test(text);

  /** A replica may end any statement: then the primary answers, as if it had been asked at once. */
  const choose = async <T>(fromReplica: () => Promise<T>, fromPrimary: () => Promise<T>): Promise<T> => {
    if (lag.behindMs() > maxLagMs) {
      count('primary: too far behind');
      return fromPrimary();
    }
    try {
      const answer = await fromReplica();
      count('replica');
      return answer;
    } catch (error) {
      const isNeeded = error instanceof MustBeNew;
      if (!isNeeded && !replicaFailed(error)) throw error;
      if (!isNeeded) lag.distrust();
      count(isNeeded ? 'primary: must be new' : 'primary: replica failed');
      return fromPrimary();
    }
  };
  const checked = <T>(query: Query, ask: () => Promise<T>): Promise<T> =>
    mayBeOld(query) ? ask() : Promise.reject(new MustBeNew());
  const guarded = (db: Db): Db => ({
    ...db,
    many: (query) => checked(query, () => db.many(query)),
    maybe: (query) => checked(query, () => db.maybe(query)),
    one: (query) => checked(query, () => db.one(query)),
    exec: () => Promise.reject(new MustBeNew()),
    tx: (work) => work(guarded(db)),
  });
  const old = guarded(replica);
  return {
    behindMs: lag.behindMs,
    stop: lag.stop,
    db: {
      ...primary,
      many: (query) =>
        choose(
          () => old.many(query),
          () => primary.many(query),
        ),
      maybe: (query) =>
        choose(
          () => old.maybe(query),
          () => primary.maybe(query),
        ),
      one: (query) =>
        choose(
          () => old.one(query),
          () => primary.one(query),
        ),
      tx: (work, txOptions) =>
        txOptions?.readOnly
          ? choose(
              () => replica.tx((db) => work(guarded(db)), txOptions),
              () => primary.tx(work, txOptions),
            )
          : primary.tx(work, txOptions),
    },
  };
}
