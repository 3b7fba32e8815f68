import pg from 'pg';
import { KEEP_ALIVE } from './connection.ts';
import {
  type Distribution,
  ONE_SERVER,
  type Place,
  placeOf,
  placesWaitingFor,
  type Servers,
} from './servers.ts';
import { sessionSettings } from './session-settings.ts';
import { openSharedConnections } from './shared-connections.ts';
import type { Query } from './sql.ts';
import { statementFacts } from './statement-facts.ts';
import { openTransactions, type Send, type TxOptions } from './transactions.ts';

/** The only way to PostgreSQL. Inside `tx` the same interface uses the transaction. */
export interface Db {
  many<Row>(query: Query): Promise<Row[]>;
  maybe<Row>(query: Query): Promise<Row | undefined>;
  one<Row>(query: Query): Promise<Row>;
  /** For a query with one column: its value in every row, in the only row, or in one that may be missing. */
  values<T>(query: Query): Promise<T[]>;
  value<T>(query: Query): Promise<T>;
  maybeValue<T>(query: Query): Promise<T | undefined>;
  exec(query: Query): Promise<number>;
  /** A nested call joins the outer transaction: one use-case, one commit. It cannot ask for more than that guarantees. */
  tx<T>(work: (db: Db) => Promise<T>, options?: TxOptions): Promise<T>;
  /** Inside a transaction: if `work` throws, undoes its writes and keeps the transaction usable. */
  savepoint<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Inside a transaction: each further statement may take this long. */
  allowTime(ms: number): Promise<void>;
  /** How many transactions can be open at once. A caller that opens several must leave some to others. */
  readonly transactionsMax: number;
  /** Rows of different tenants may be on different servers, so no index leads from one tenant to the next. */
  readonly sharded: boolean;
  readonly servers: Servers;
  /** Callers are waiting for a connection because many others wait for the server that has the rows of a profile. */
  isCrowded(ecpdId: string): boolean;
}

export interface Database extends Db {
  readonly url: string;
  /** For the metrics: open connections, idle ones among them, and callers that wait for one. */
  countConnections(): { readonly open: number; readonly idle: number; readonly waiting: number };
  close(): Promise<void>;
}

interface DatabaseOptions {
  readonly connections?: number;
  /** The server itself, if the url is of a pooler that assigns each transaction to another server connection. */
  readonly directUrl?: string | undefined;
  /** Set if `linekeeper shard` has distributed the tables. */
  readonly distribution?: Distribution | undefined;
  readonly onError?: (error: Error) => void;
  readonly applicationName?: string;
  readonly statementTimeoutMs?: number;
  /** How long a statement waits for a lock. */
  readonly lockTimeoutMs?: number;
}

const MOMENT = pg.types.builtins.TIMESTAMPTZ;
const parseAnyMoment: (text: string) => Date = pg.types.getTypeParser(MOMENT);
/** The driver tries four patterns for the parts of a date; the usual form needs none of them. */
export const parseMoment = (text: string): Date =>
  text.endsWith('+00') && text[4] === '-'
    ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
    : parseAnyMoment(text);

// Bytes and counters stay exact: int8 is a bigint, numeric stays text. A date stays text, so no time zone shifts it.
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.INT8) return BigInt;
    if (oid === pg.types.builtins.DATE) return String;
    if (oid === MOMENT) return parseMoment;
    return pg.types.getTypeParser(oid, format as 'text');
  },
};

type Lane = 'read' | 'write' | 'upkeep';
type Runner = (config: pg.QueryConfig, place: Place | undefined, lane: Lane) => Promise<pg.QueryResult>;
type Facts = Pick<Db, 'transactionsMax' | 'sharded' | 'servers' | 'isCrowded'>;
type Where = (query: Query) => Place | undefined;
type WithinTransaction = Pick<Db, 'tx' | 'savepoint' | 'allowTime'> & Facts;

/**
 * The server ends a statement that takes too long. If the server itself hangs, this side gives up a little later, so that
 * it never interrupts a statement that the server still allows.
 */
const LATER_MS = 2_000;

/** For single reads; the other connections are for transactions, and for statements that may wait for a lock. */
const SHARED_CONNECTIONS = 3;
/** On a distributed database: for each server, in addition to the given number. */
const SHARED_FOR_SERVER = 2;

/** Upkeep is a few quick statements each second: a slow one has met a hanging server or a lock. */
const UPKEEP = {
  statement_timeout: 2_500,
  lock_timeout: 2_000,
  query_timeout: 3_000,
  connectionTimeoutMillis: 3_000,
};

const needsTransaction = () => Promise.reject(new Error('this needs a transaction'));

function valuesOf<T>(rows: readonly object[]): T[] {
  const [name, ...more] = Object.keys(rows[0] ?? {});
  if (more.length > 0) throw new Error(`expected one column, got ${more.length + 1}`);
  return rows.map((row) => (row as Readonly<Record<string, T>>)[name!]!);
}

function over(runner: Runner, named: boolean, where: Where, transaction: WithinTransaction): Db {
  const run = (query: Query) => {
    const { text, values, upkeep } = query;
    const { name, plainRead } = statementFacts(query);
    const config = { text, values: [...values] };
    const lane = upkeep ? 'upkeep' : plainRead ? 'read' : 'write';
    return runner(named && name !== undefined ? { ...config, name } : config, where(query), lane);
  };
  const many = async <Row>(query: Query) => (await run(query)).rows as Row[];
  const maybe = async <Row>(query: Query) => {
    const rows = await many<Row>(query);
    if (rows.length > 1) throw new Error(`expected at most one row, got ${rows.length}`);
    return rows[0];
  };
  const one = async <Row>(query: Query) => {
    const row = await maybe<Row>(query);
    if (row === undefined) throw new Error('expected one row, got none');
    return row;
  };
  return {
    ...{ many, maybe, one },
    values: async <T>(query: Query) => valuesOf<T>(await many(query)),
    value: async <T>(query: Query) => valuesOf<T>([await one(query)])[0]!,
    maybeValue: async <T>(query: Query) => {
      const row = await maybe<object>(query);
      return row && valuesOf<T>([row])[0];
    },
    exec: async (query) => (await run(query)).rowCount ?? 0,
    ...transaction,
  };
}

function inTransaction(send: Send, named: boolean, where: Where, facts: Facts, outer: TxOptions): Db {
  let depth = 0;
  let timeLimit: { query_timeout?: number } = {};
  const runner: Runner = (config, place) => send({ ...config, ...timeLimit } as pg.QueryConfig, place);
  const db: Db = over(runner, named, where, {
    ...facts,
    async tx(work, { isolation = 'read committed', onlyByIndex = false } = {}) {
      if (isolation !== 'read committed' && isolation !== outer.isolation)
        throw new Error(`the transaction around this one is not ${isolation}`);
      if (!onlyByIndex || outer.onlyByIndex) return work(db);
      await send('set local enable_seqscan = off');
      try {
        return await work(db);
      } finally {
        // A transaction that has failed takes no statement, and its end restores the setting.
        await send('set local enable_seqscan = on').catch(() => {});
      }
    },
    async allowTime(ms) {
      timeLimit = { query_timeout: ms + LATER_MS };
      await send(`set local statement_timeout = ${Math.round(ms)}`);
    },
    async savepoint(work) {
      const name = `sp_${++depth}`;
      await send(`savepoint ${name}`);
      try {
        const result = await work(db);
        await send(`release savepoint ${name}`);
        return result;
      } catch (error) {
        await send(`rollback to savepoint ${name}`);
        throw error;
      } finally {
        depth--;
      }
    },
  });
  return db;
}

export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const {
    connections = 10,
    directUrl,
    distribution,
    onError = () => {},
    statementTimeoutMs = 60_000,
    lockTimeoutMs = 10_000,
    applicationName = 'linekeeper',
  } = options;
  const pooled = directUrl !== undefined;
  const namedStatements = !pooled;
  const servers = distribution?.servers ?? ONE_SERVER;
  const transactionsMax = Math.max(1, connections - SHARED_CONNECTIONS);
  const sharded = distribution !== undefined;
  const session = sessionSettings({ statementTimeoutMs, lockTimeoutMs, pooled, sharded });
  const config = {
    connectionString: url,
    types: types as never,
    connectionTimeoutMillis: 5_000,
    ...KEEP_ALIVE,
    query_timeout: statementTimeoutMs + LATER_MS,
    ...session.atStart,
    application_name: applicationName,
  };
  const read = openSharedConnections({
    ...{ config, count: SHARED_CONNECTIONS, countForPlace: SHARED_FOR_SERVER, onError },
  });
  // Not counted in the given number, like the listening connection. Opened only by a process that has upkeep to do.
  const upkeepConfig = {
    ...{ ...config, ...UPKEEP, connectionString: directUrl ?? url },
    application_name: `${applicationName}-upkeep`,
    // A lease is renewed every second for each profile. A renewal lost in a crash of the server ends a lease a little sooner.
    options: `${'options' in session.atStart ? session.atStart.options : ''} -c synchronous_commit=off`,
  };
  const upkeep = openSharedConnections({ config: upkeepConfig, count: 1, countForPlace: 1, onError });
  servers.onLost((server) => {
    for (const shared of [read, upkeep]) shared.cut(placesWaitingFor(server));
  });
  const transactions = openTransactions({
    ...{ config, max: transactionsMax, settings: session.inTransaction, onError },
  });
  const isCrowded = (ecpdId: string) => transactions.isCrowded(servers.serverOf(ecpdId) ?? '');
  const facts = { transactionsMax, sharded, servers, isCrowded };
  const where: Where = (query) => distribution && placeOf(query, distribution);
  const tx: Db['tx'] = (work, txOptions = {}) => {
    const { ecpdId } = txOptions;
    const place = ecpdId === undefined ? undefined : servers.serverOf(ecpdId);
    const inside = (send: Send) => work(inTransaction(send, namedStatements, where, facts, txOptions));
    return transactions.transact(inside, txOptions, place);
  };
  // Behind a pooler, only a transaction limits how long it waits.
  const write = pooled
    ? (query: pg.QueryConfig, place?: Place) => transactions.transact((send) => send(query, place))
    : transactions.query;
  const lanes = { read: read.query, write, upkeep: upkeep.query };
  const run: Runner = (query, place, lane) => lanes[lane](query, place);
  const transaction = { tx, ...facts, savepoint: needsTransaction, allowTime: needsTransaction };
  return {
    ...over(run, namedStatements, where, transaction),
    url,
    countConnections: () => {
      const { open, idle, waiting } = transactions.count();
      return { open: open + read.countOpen() + upkeep.countOpen(), idle, waiting };
    },
    close: async () => void (await Promise.all([read, upkeep, transactions].map((each) => each.close()))),
  };
}
