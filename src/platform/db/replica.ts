import type { Loop } from '../health/health.ts';
import type { Database, Db } from './db.ts';
import { isUnavailable } from './failures.ts';
import { measureLag } from './replica-lag.ts';
import type { Query } from './sql.ts';
import { statementFacts } from './statement-facts.ts';

/** Where a statement that may be a little old went, for the metrics. */
export type Went =
  | 'replica'
  | 'primary: too far behind'
  | 'primary: not its replica'
  | 'primary: replica failed'
  | 'primary: must be new';

interface ReplicaOptions {
  readonly primary: Db;
  /** Ends a statement after REPLICA_STATEMENT_MS unless it says so: nobody waits for it. */
  readonly replica: Database;
  readonly maxLagMs: number;
  /** A statement that names one of these tables is never the replica's. */
  readonly mustBeNew: readonly string[];
  readonly count: (went: Went) => void;
  readonly loop?: Loop;
}

class MustBeNew extends Error {}

const RAN_OUT_OF_TIME = '57014';

/** Reads from the replica while that is known to be new enough; everything else is the primary's. */
export async function openReplicaReads(options: ReplicaOptions) {
  const { primary, replica, maxLagMs, count } = options;
  const lag = await measureLag(options);
  const named = new RegExp(`\\b(${options.mustBeNew.join('|')})\\b`, 'i');
  const mayBeOld = (query: Query) => statementFacts(query).onlyReads && !named.test(query.text);

  const checked = <T>(query: Query, waiting: Waiting, ask: () => Promise<T>): Promise<T> =>
    mayBeOld(query) ? waiting.ask(ask) : Promise.reject(new MustBeNew());
  const guarded = (db: Db, waiting: Waiting): Db => ({
    ...db,
    many: (query) => checked(query, waiting, () => db.many(query)),
    maybe: (query) => checked(query, waiting, () => db.maybe(query)),
    one: (query) => checked(query, waiting, () => db.one(query)),
    values: (query) => checked(query, waiting, () => db.values(query)),
    value: (query) => checked(query, waiting, () => db.value(query)),
    maybeValue: (query) => checked(query, waiting, () => db.maybeValue(query)),
    exec: () => Promise.reject(new MustBeNew()),
    tx: (work) => work(guarded(db, waiting)),
    async allowTime(ms) {
      await waiting.ask(() => db.allowTime(ms));
      waiting.allow(ms);
    },
  });

  /** A replica may end any statement, and leave any without an answer: then the primary answers, as if it had been asked at once. */
  const choose = async <T>(
    fromReplica: (waiting: Waiting) => Promise<T>,
    fromPrimary: () => Promise<T>,
  ): Promise<T> => {
    if (lag.behindMs() > maxLagMs) {
      count(lag.isForeign() ? 'primary: not its replica' : 'primary: too far behind');
      return fromPrimary();
    }
    const waiting = beginWaiting();
    try {
      const answer = await Promise.race([fromReplica(waiting), waiting.silence]);
      count('replica');
      return answer;
    } catch (error) {
      const isNeeded = error instanceof MustBeNew;
      if (!isNeeded && !isUnavailable(error)) throw error;
      // Who says that the time is over is alive; the primary has more of it.
      const isAlive = isNeeded || (error as { code?: unknown }).code === RAN_OUT_OF_TIME;
      if (!isAlive) lag.distrust();
      count(isNeeded ? 'primary: must be new' : 'primary: replica failed');
      return fromPrimary();
    } finally {
      waiting.end();
    }
  };
  const read = <T>(ask: (db: Db) => Promise<T>): Promise<T> =>
    choose(
      (waiting) => ask(guarded(replica, waiting)),
      () => ask(primary),
    );
  const db: Db = {
    ...primary,
    many: (query) => read((from) => from.many(query)),
    maybe: (query) => read((from) => from.maybe(query)),
    one: (query) => read((from) => from.one(query)),
    values: (query) => read((from) => from.values(query)),
    value: (query) => read((from) => from.value(query)),
    maybeValue: (query) => read((from) => from.maybeValue(query)),
    tx: (work, txOptions) =>
      txOptions?.readOnly
        ? choose(
            (waiting) => replica.tx((tx) => work(guarded(tx, waiting)), txOptions),
            () => primary.tx(work, txOptions),
          )
        : primary.tx(work, txOptions),
  };
  return { db, behindMs: lag.behindMs, stop: lag.stop };
}

/** What a statement has not got from the replica by then, it gets from the primary, which leaves it more time. */
export const REPLICA_STATEMENT_MS = 2_500;
/** A replica that is there says itself that the time is over. */
const LATER_MS = 500;

type Waiting = ReturnType<typeof beginWaiting>;

/**
 * The patience of one read: a replica that has vanished closes nothing, and its connections would be waited for. It waits
 * for each statement anew, because many of them may rightly take long.
 */
function beginWaiting() {
  const { promise: silence, reject } = Promise.withResolvers<never>();
  let statementMs = REPLICA_STATEMENT_MS;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const late = () => Object.assign(new Error('the replica does not answer'), { code: 'ETIMEDOUT' });
  const again = () => {
    clearTimeout(timer);
    if (isOver) return;
    timer = setTimeout(() => {
      isOver = true;
      reject(late());
    }, statementMs + LATER_MS);
  };
  again();
  return {
    /** Rejects when a statement gets no answer. */
    silence,
    async ask<T>(statement: () => Promise<T>): Promise<T> {
      // Who was given up may come to life again: nobody wants the rest.
      if (isOver) throw late();
      again();
      return statement().finally(again);
    },
    /** From here on each statement may take this long. */
    allow(ms: number) {
      statementMs = ms;
      again();
    },
    end() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
