import pg from 'pg';
import { within } from '../flow-control/limits.ts';
import { END_MS, socketOf } from './connection.ts';
import type { Place } from './servers.ts';
import { Shares } from './shares.ts';

export interface TxOptions {
  readonly isolation?: 'read committed' | 'repeatable read';
  readonly readOnly?: boolean;
  /** Tables hold all tenants, so reading all rows is never the best plan for the rows of one tenant. */
  readonly onlyByIndex?: boolean;
  /** The profile of its rows, if the first statement does not name it. */
  readonly ecpdId?: string | undefined;
}

/** Sends a statement of a transaction, in the order of the calls. */
export type Send = (query: pg.QueryConfig | string, place?: Place) => Promise<pg.QueryResult>;

interface Wanted {
  readonly config: pg.PoolConfig;
  readonly max: number;
  /** The settings that each transaction applies when it begins. */
  readonly settings: string;
  readonly onError: (error: Error) => void;
}

const beginText = ({ isolation = 'read committed', readOnly = false, onlyByIndex = false }: TxOptions = {}) =>
  `begin isolation level ${isolation}${readOnly ? ' read only' : ''}${onlyByIndex ? '; set local enable_seqscan = off' : ''}`;

/** As long as the time limit for a connection. */
const SHARE_MS = 5_000;

/** One transaction. It takes a connection at its first statement, which determines the place for which it waits. */
class Transaction {
  readonly #pool: pg.Pool;
  readonly #shares: Shares;
  readonly #begin: string;
  readonly #onError: (error: Error) => void;
  readonly #given: Place | undefined;
  readonly #shared = new Set<Place>();
  #client: pg.PoolClient | undefined;
  #ready: Promise<void> | undefined;
  #broken: Error | undefined;

  constructor(
    { pool, shares, onError }: { pool: pg.Pool; shares: Shares; onError: (error: Error) => void },
    begin: string,
    given: Place | undefined,
  ) {
    this.#pool = pool;
    this.#shares = shares;
    this.#onError = onError;
    this.#begin = begin;
    this.#given = given;
  }

  send: Send = async (query, own) => {
    this.#ready ??= this.#start(this.#given ?? own);
    await this.#ready;
    if (own !== undefined && !this.#shared.has(own)) {
      this.#shares.add(own);
      this.#shared.add(own);
    }
    return this.#client!.query(query as pg.QueryConfig);
  };

  async #start(place: Place | undefined): Promise<void> {
    if (place !== undefined) {
      await this.#shares.take(place, SHARE_MS);
      this.#shared.add(place);
    }
    this.#client = await this.#pool.connect();
    this.#client.on('error', this.#onError);
    // Not awaited: it is sent with the first statement, which fails if this does.
    this.#client.query(this.#begin).catch((error: Error) => {
      this.#broken = error;
    });
  }

  async commit(): Promise<void> {
    await this.#ready;
    if (this.#broken !== undefined) throw this.#broken;
    await this.#client?.query('commit');
  }

  async rollback(): Promise<void> {
    await this.#ready?.catch(() => {});
    await this.#client?.query('rollback').catch((error: Error) => {
      this.#broken = error;
    });
  }

  end(): void {
    this.#client?.off('error', this.#onError);
    this.#client?.release(this.#broken);
    for (const place of this.#shared) this.#shares.give(place);
  }
}

/** The connections that one caller has to itself: for transactions, and for statements that may wait for a lock. */
export function openTransactions({ config, max, settings, onError }: Wanted) {
  const pool = new pg.Pool({
    ...config,
    max,
    // Statements of one transaction may be sent without waiting for the answer to the last one.
    pipeline: true,
    idleTimeoutMillis: 60_000,
  } as pg.PoolConfig);
  const shares = new Shares(max);
  let closing = false;
  // An idle connection that dies is replaced by the pool; without a listener it would end the process.
  pool.on('error', (error) => closing || onError(error));
  // While a connection passes from the pool to a caller it has no other listener, and its last message may be an error.
  pool.on('connect', (client) => client.on('error', () => {}));
  /** A transaction may wait long for a server that is gone; `close` does not wait with it. */
  const inUse = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => inUse.add(client));
  pool.on('release', (_, client) => inUse.delete(client));

  const transact = async <T>(
    work: (send: Send) => Promise<T>,
    options?: TxOptions,
    given?: Place,
  ): Promise<T> => {
    const transaction = new Transaction({ pool, shares, onError }, `${beginText(options)}${settings}`, given);
    try {
      const result = await work(transaction.send);
      await transaction.commit();
      return result;
    } catch (error) {
      await transaction.rollback();
      throw error;
    } finally {
      transaction.end();
    }
  };

  const query = async (config: pg.QueryConfig, place?: Place): Promise<pg.QueryResult> => {
    if (place === undefined) return pool.query(config);
    await shares.take(place, SHARE_MS);
    return pool.query(config).finally(() => shares.give(place));
  };

  return {
    transact,
    query,
    isCrowded: shares.isCrowded,
    count: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      closing = true;
      await within(END_MS, pool.end()).catch(() => {
        for (const client of inUse) socketOf(client).destroy();
      });
    },
  };
}
