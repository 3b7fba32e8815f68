import type { Attempt, Place } from './attempt.ts';
import { Connection, type ConnectionOwner, IDLE_MS } from './connection.ts';
import type { Destination, OpenSocket } from './connector.ts';
import { reasonOf } from './reasons.ts';

/** Far above what the lanes of one host have in flight: an attempt must not spend its time waiting behind others. */
const CONNECTIONS_MAX = 256;
/** A connection in constant use is replaced after this time, so that a new address or certificate takes effect. */
const LIFETIME_MS = 30_000;

/** The connections to one origin, and the attempts that wait for one. */
class OriginPool implements Place, ConnectionOwner {
  readonly #to: Destination;
  readonly #open: OpenSocket;
  readonly #lifetimeMs: number;
  readonly #onUnused: () => void;
  readonly #connections = new Set<Connection>();
  /** The most recently used connection is used next, so that surplus ones become idle and close. */
  readonly #idle: Connection[] = [];
  readonly #waiting = new Set<Attempt>();
  /** Waiting attempts for which no connection is being opened, because there are too many. */
  readonly #unopened = new Set<Attempt>();
  #opening = 0;
  #idleTimer: NodeJS.Timeout | undefined;
  #isAssigning = false;
  #isClosed = false;

  constructor(to: Destination, open: OpenSocket, lifetimeMs: number, onUnused: () => void) {
    this.#to = to;
    this.#open = open;
    this.#lifetimeMs = lifetimeMs;
    this.#onUnused = onUnused;
  }

  send(attempt: Attempt): void {
    attempt.at(this);
    this.#waiting.add(attempt);
    this.#unopened.add(attempt);
    this.#assignSoon();
  }

  leave(attempt: Attempt): void {
    this.#waiting.delete(attempt);
    this.#unopened.delete(attempt);
    this.#endIfUnused();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#idleTimer);
    for (const connection of [...this.#connections]) connection.close();
  }

  onFree(connection: Connection, idleMs: number): void {
    const now = performance.now();
    if (this.#isClosed || now - connection.madeAt >= this.#lifetimeMs) return void connection.close();
    connection.idleUntil = now + idleMs;
    this.#idle.push(connection);
    if (this.#waiting.size > 0) this.#assignSoon();
    this.#idleTimer ??= setTimeout(() => this.#closeIdle(), idleMs).unref();
  }

  onClosed(connection: Connection): void {
    this.#connections.delete(connection);
    const place = this.#idle.indexOf(connection);
    if (place >= 0) this.#idle.splice(place, 1);
    this.#openEnough();
    this.#endIfUnused();
  }

  #takeIdle(now: number): Connection | undefined {
    for (let connection = this.#idle.pop(); connection !== undefined; connection = this.#idle.pop()) {
      if (now < connection.idleUntil && now - connection.madeAt < this.#lifetimeMs) return connection;
      connection.close();
    }
    return undefined;
  }

  /**
   * Assigns after pending input was read: then it is known which connections the listener has closed, some right after an
   * answer that promised to keep them.
   */
  #assignSoon(): void {
    if (this.#isAssigning) return;
    this.#isAssigning = true;
    setImmediate(() => this.#assign());
  }

  #assign(): void {
    this.#isAssigning = false;
    const now = performance.now();
    for (const attempt of this.#waiting) {
      const connection = this.#takeIdle(now);
      if (connection === undefined) break;
      this.leave(attempt);
      connection.start(attempt);
    }
    this.#openEnough();
  }

  #closeIdle(): void {
    this.#idleTimer = undefined;
    const now = performance.now();
    for (const connection of this.#idle.filter(({ idleUntil }) => idleUntil <= now)) connection.close();
    if (this.#idle.length === 0) return;
    const nextAt = Math.min(...this.#idle.map(({ idleUntil }) => idleUntil));
    this.#idleTimer = setTimeout(() => this.#closeIdle(), Math.max(1, nextAt - now)).unref();
  }

  /** Opens one connection for each waiting attempt; the attempt may use another one that is free sooner. */
  #openEnough(): void {
    for (const attempt of this.#unopened) {
      if (this.#isClosed || this.#opening + this.#connections.size >= CONNECTIONS_MAX) return;
      this.#unopened.delete(attempt);
      this.#openFor(attempt);
    }
  }

  #openFor(attempt: Attempt): void {
    this.#opening++;
    let connection: Connection | undefined;
    const onBytes = (bytes: Buffer, length: number) => connection?.read(bytes, length);
    this.#open(this.#to, onBytes, (result) => {
      this.#opening--;
      if (result instanceof Error) {
        if (this.#waiting.delete(attempt)) attempt.failed(reasonOf(result));
        this.#openEnough();
        return void this.#endIfUnused();
      }
      connection = new Connection(result, performance.now(), this);
      this.#connections.add(connection);
      this.onFree(connection, IDLE_MS);
    });
  }

  #endIfUnused(): void {
    if (this.#connections.size + this.#opening + this.#waiting.size > 0) return;
    clearTimeout(this.#idleTimer);
    this.#onUnused();
  }
}

export type OriginPools = ReturnType<typeof createOriginPools>;

export function createOriginPools(open: OpenSocket, lifetimeMs = LIFETIME_MS) {
  const pools = new Map<string, OriginPool>();
  const make = (to: Destination): OriginPool => {
    const made: OriginPool = new OriginPool(to, open, lifetimeMs, () => void pools.delete(to.origin));
    pools.set(to.origin, made);
    return made;
  };
  return {
    send: (to: Destination, attempt: Attempt) => (pools.get(to.origin) ?? make(to)).send(attempt),
    /** Closes every connection, even those in use. */
    destroy() {
      for (const pool of [...pools.values()]) pool.close();
    },
  };
}
