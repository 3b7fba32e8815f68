import pg from 'pg';
import { within } from '../flow-control/limits.ts';
import { END_MS, KEEP_ALIVE, socketOf } from './connection.ts';
import { sessionSettings } from './session-settings.ts';
import { openSharedConnections } from './shared-connections.ts';
import type { Query } from './sql.ts';
import { statementFacts } from './statement-facts.ts';

interface TxOptions {
  readonly isolation?: 'read committed' | 'repeatable read';
  readonly readOnly?: boolean;
  /** Tables hold all tenants: what one of them asks for is never found best by reading everybody's rows. */
  readonly onlyByIndex?: boolean;
}

/** The only door to PostgreSQL. Inside `tx` the same interface speaks to the transaction. */
export interface Db {
  many<Row>(query: Query): Promise<Row[]>;
  maybe<Row>(query: Query): Promise<Row | undefined>;
  one<Row>(query: Query): Promise<Row>;
  exec(query: Query): Promise<number>;
  /** A nested call joins the transaction it is in: one use-case, one commit. */
  tx<T>(work: (db: Db) => Promise<T>, options?: TxOptions): Promise<T>;
  /** Inside a transaction: undoes what `work` wrote when it throws, and keeps the transaction usable. */
  savepoint<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Inside a transaction: from here on each of its statements may take this long. */
  allowTime(ms: number): Promise<void>;
  /** How many transactions can be open at once: whoever opens several must leave some to others. */
  readonly transactionsMax: number;
  /** Rows of different tenants may be on different servers: nothing can go from one tenant to the next by an index. */
  readonly sharded: boolean;
  readonly reachable: Reachable;
}

/** Which profiles have their rows on a server that answers. */
export interface Reachable {
  /** Undefined while all servers do, and where there is only one. */
  list(): readonly string[] | undefined;
  has(ecpdId: string): boolean;
}
const ALWAYS: Reachable = { list: () => undefined, has: () => true };

/** The rows of a customer are on a server that does not answer now. */
export class Unreachable extends Error {}

export interface Database extends Db {
  readonly url: string;
  /** For the metrics: connections that are open, of these idle, and callers that wait for one. */
  countConnections(): { readonly open: number; readonly idle: number; readonly waiting: number };
  close(): Promise<void>;
}

interface DatabaseOptions {
  readonly connections?: number;
  /** The server itself, where the url is of a pooler that hands every transaction to another server connection. */
  readonly directUrl?: string | undefined;
  /** Where `linekeeper shard` has distributed the tables. */
  readonly sharded?: boolean;
  readonly reachable?: Reachable;
  readonly onError?: (error: Error) => void;
  readonly applicationName?: string;
  readonly statementTimeoutMs?: number;
  /** How long a statement waits for a lock. */
  readonly lockTimeoutMs?: number;
}

// Bytes and counters stay exact: int8 is a bigint, numeric stays text; a date has no time zone to be shifted by.
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.INT8) return BigInt;
    if (oid === pg.types.builtins.DATE) return String;
    return pg.types.getTypeParser(oid, format as 'text');
  },
};

type Lane = 'read' | 'write' | 'upkeep';
type Runner = (config: pg.QueryConfig, lane: Lane) => Promise<pg.QueryResult>;
type Facts = Pick<Db, 'transactionsMax' | 'sharded' | 'reachable'>;
type WithinTransaction = Pick<Db, 'tx' | 'savepoint' | 'allowTime'> & Facts;

/**
 * The server ends a statement that takes too long. When the server itself hangs, nobody does: then
 * this side gives up, a little later, so that it never cuts what the server is still allowed to do.
 */
const LATER_MS = 2_000;

/** For single reads; the other connections are for transactions and for statements that may wait for a lock. */
const SHARED_CONNECTIONS = 3;

/** Upkeep is a few quick statements each second: one that is not quick has met a hanging server or a lock. */
const UPKEEP = {
  statement_timeout: 2_500,
  lock_timeout: 2_000,
  query_timeout: 3_000,
  connectionTimeoutMillis: 3_000,
};

const needsTransaction = () => Promise.reject(new Error('this needs a transaction'));

function over(runner: Runner, named: boolean, transaction: WithinTransaction): Db {
  const run = (query: Query) => {
    const { text, values, upkeep } = query;
    const { name, plainRead } = statementFacts(query);
    const config = { text, values: [...values] };
    const lane = upkeep ? 'upkeep' : plainRead ? 'read' : 'write';
    return runner(named && name !== undefined ? { ...config, name } : config, lane);
  };
  const many = async <Row>(query: Query) => (await run(query)).rows as Row[];
  const maybe = async <Row>(query: Query) => {
    const rows = await many<Row>(query);
    if (rows.length > 1) throw new Error(`expected at most one row, got ${rows.length}`);
    return rows[0];
  };
  return {
    many,
    maybe,
    one: async <Row>(query: Query) => {
      const row = await maybe<Row>(query);
      if (row === undefined) throw new Error('expected one row, got none');
      return row;
    },
    exec: async (query) => (await run(query)).rowCount ?? 0,
    ...transaction,
  };
}

function inTransaction(client: pg.PoolClient, named: boolean, facts: Facts): Db {
  let depth = 0;
  let timeLimit: { query_timeout?: number } = {};
  const db: Db = over((config) => client.query({ ...config, ...timeLimit } as pg.QueryConfig), named, {
    ...facts,
    tx: (work) => work(db),
    async allowTime(ms) {
      timeLimit = { query_timeout: ms + LATER_MS };
      await client.query(`set local statement_timeout = ${Math.round(ms)}`);
    },
    async savepoint(work) {
      const name = `sp_${++depth}`;
      await client.query(`savepoint ${name}`);
      try {
        const result = await work(db);
        await client.query(`release savepoint ${name}`);
        return result;
      } catch (error) {
        await client.query(`rollback to savepoint ${name}`);
        throw error;
      } finally {
        depth--;
      }
    },
  });
  return db;
}

const beginText = ({ isolation = 'read committed', readOnly = false, onlyByIndex = false }: TxOptions = {}) =>
  `begin isolation level ${isolation}${readOnly ? ' read only' : ''}${onlyByIndex ? '; set local enable_seqscan = off' : ''}`;

export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const {
    connections = 10,
    directUrl,
    onError = () => {},
    statementTimeoutMs = 60_000,
    lockTimeoutMs = 10_000,
    applicationName = 'linekeeper',
  } = options;
  const pooled = directUrl !== undefined;
  const namedStatements = !pooled;
  const facts = {
    transactionsMax: Math.max(1, connections - SHARED_CONNECTIONS),
    sharded: options.sharded ?? false,
    reachable: options.reachable ?? ALWAYS,
  };
  const session = sessionSettings({ statementTimeoutMs, lockTimeoutMs, pooled, sharded: facts.sharded });
  const config = {
    connectionString: url,
    types: types as never,
    connectionTimeoutMillis: 5_000,
    ...KEEP_ALIVE,
    query_timeout: statementTimeoutMs + LATER_MS,
    ...session.atStart,
    application_name: applicationName,
  };
  const shared = openSharedConnections(config, SHARED_CONNECTIONS, onError);
  // Beyond the given number, as the connection that listens is: opened by a process that has upkeep to do.
  const upkeep = openSharedConnections(
    {
      ...config,
      ...UPKEEP,
      connectionString: directUrl ?? url,
      application_name: `${applicationName}-upkeep`,
    },
    1,
    onError,
  );
  const pool = new pg.Pool({
    ...config,
    max: facts.transactionsMax,
    // Statements of one transaction may be sent without waiting for the answer to the one before.
    pipeline: true,
    idleTimeoutMillis: 60_000,
  } as pg.PoolConfig);
  let closing = false;
  // An idle connection that dies is replaced by the pool; without a listener it would end the process.
  pool.on('error', (error) => closing || onError(error));
  // Between the pool and whoever gets a connection nobody listens to it, while its last message may be an error.
  pool.on('connect', (client) => client.on('error', () => {}));
  /** A transaction may wait for long for a server that is gone: who closes does not wait with it. */
  const inUse = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => inUse.add(client));
  pool.on('release', (_, client) => inUse.delete(client));

  const transact = async <T>(
    work: (client: pg.PoolClient) => Promise<T>,
    txOptions?: TxOptions,
  ): Promise<T> => {
    const client = await pool.connect();
    client.on('error', onError);
    let broken: Error | undefined;
    try {
      // Not awaited: it travels with the first statement, which fails in its place if it must.
      client.query(`${beginText(txOptions)}${session.inTransaction}`).catch((error: Error) => {
        broken = error;
      });
      const result = await work(client);
      if (broken !== undefined) throw broken;
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch((rollbackError: Error) => {
        broken = rollbackError;
      });
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  };
  const tx: Db['tx'] = (work, txOptions) =>
    transact((client) => work(inTransaction(client, namedStatements, facts)), txOptions);
  const countConnections = () => ({
    open: shared.countOpen() + upkeep.countOpen() + pool.totalCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  });
  const closePool = () =>
    within(END_MS, pool.end()).catch(() => {
      for (const client of inUse) socketOf(client).destroy();
    });
  const close = async () => {
    closing = true;
    await Promise.all([shared.close(), upkeep.close(), closePool()]);
  };
  // Behind a pooler only a transaction has a limit to how long it waits.
  const write = pooled
    ? { query: (query: pg.QueryConfig) => transact((client) => client.query(query)) }
    : pool;
  const lanes = { read: shared, write, upkeep };
  const run: Runner = (config, lane) => lanes[lane].query(config);
  const transaction = { tx, ...facts, savepoint: needsTransaction, allowTime: needsTransaction };
  return { ...over(run, namedStatements, transaction), url, countConnections, close };
}

/** True for whatever the database, or the way to it, has failed with. */
export const isOfDatabase = (error: unknown): boolean =>
  isUnavailable(error) || error instanceof pg.DatabaseError;

/** True for failures of the connection, not of the statement: the caller may try again later. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof Unreachable) return true;
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string') {
    // Lost connections, a full or stopping server, and waits that took too long.
    return /^(08|53|57P0|57014|55P03|40)/.test(code) || /^E(CONN|PIPE|TIMEDOUT|HOST|NET|AI_AGAIN)/.test(code);
  }
  return /Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|not queryable/.test(
    error.message,
  );
}
