import type { Loop } from '../health/health.ts';
import type { Database, Db } from './db.ts';
import { isUnavailable } from './failures.ts';
import { measureLag } from './replica-lag.ts';
import type { Query } from './sql.ts';
import { statementFacts } from './statement-facts.ts';

/** Which server answered a statement that may be slightly out of date, for the metrics. */
export type Went =
  | 'replica'
  | 'primary: too far behind'
  | 'primary: not its replica'
  | 'primary: replica failed'
  | 'primary: must be new';

interface ReplicaOptions {
  readonly primary: Db;
  /** Must end each statement after REPLICA_STATEMENT_MS unless the statement allows more; no caller waits longer. */
  readonly replica: Database;
  readonly maxLagMs: number;
  /** Statements that name one of these tables always go to the primary. */
  readonly mustBeNew: readonly string[];
  readonly count: (went: Went) => void;
  readonly loop?: Loop;
}

class MustBeNew extends Error {}

const RAN_OUT_OF_TIME = '57014';

/** Reads from the replica while it is known to be recent enough; everything else goes to the primary. */
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

  /** A replica may cancel any statement or never answer: then the primary answers, as if it had been asked first. */
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
      // A replica that reports a time-out is alive; the primary allows more time.
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

/** A statement that the replica has not answered by then goes to the primary, which allows more time. */
export const REPLICA_STATEMENT_MS = 2_500;
/** A living replica reports the time-out itself within this time. */
const LATER_MS = 500;

type Waiting = ReturnType<typeof beginWaiting>;

/**
 * Limits how long one read waits: a replica that has vanished closes no connection, and calls would wait for it. The time
 * starts again with each statement, because a read may rightly consist of many.
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
    /** Rejects if a statement gets no answer in time. */
    silence,
    async ask<T>(statement: () => Promise<T>): Promise<T> {
      // A replica that was given up may answer late; the primary answers the rest.
      if (isOver) throw late();
      again();
      return statement().finally(again);
    },
    /** Each further statement may take this long. */
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
