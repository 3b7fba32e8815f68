import type { buildConnector } from 'undici';
// All of undici would be the largest single thing that a start loads.
import Pool from 'undici/lib/dispatcher/pool.js';
import { Refusal } from './reasons.ts';

/**
 * Far above what the lanes of one host have in flight: an attempt must not spend its time in a queue behind others. A
 * sender without pauses uses about twice as many as it has in flight, because undici lets a connection rest for one
 * turn of the event loop after each answer.
 */
const CONNECTIONS_MAX = 256;
/** Below the idle time of common servers that do not announce theirs, so that we close first and no POST is lost. */
const IDLE_MS = 1_500;
const IDLE_ANNOUNCED_MAX_MS = 4_000;
/** How much sooner than the listener announces an idle connection is closed. */
const IDLE_MARGIN_MS = 1_000;
/** A connection in constant use is replaced after this time, so that a new address or certificate is seen. */
const LIFETIME_MS = 30_000;
const HEADERS_MAX_BYTES = 16 * 1024;

export interface OriginPool {
  readonly pool: Pool;
  readonly madeAt: number;
  /** Attempts that have no connection yet; each counts itself. */
  waiting: number;
}

export type OriginPools = ReturnType<typeof createOriginPools>;

/** undici's Agent keeps a pool for as long as it has a connection; this one also lets go of those in use. */
export function createOriginPools(connect: buildConnector.connector, lifetimeMs = LIFETIME_MS) {
  const current = new Map<string, OriginPool>();
  const alive = new Set<Pool>();

  const retire = (origin: string, pool: Pool): void => {
    if (current.get(origin)?.pool === pool) current.delete(origin);
    // Closing twice, or after destroy(), is refused by undici and means that there is nothing left to do.
    const gone = () => void alive.delete(pool);
    pool.close().then(gone, gone);
  };

  function open(origin: string, now: number): OriginPool {
    // undici makes a new connection for a request that was broken off, and would then have nothing to send on it.
    const connectIfNeeded: buildConnector.connector = (options, callback) => {
      if (made.waiting > 0) connect(options, callback);
      else process.nextTick(callback, new Refusal('stopped'), null);
    };
    const pool = new Pool(origin, {
      connect: connectIfNeeded,
      connections: CONNECTIONS_MAX,
      pipelining: 1,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_ANNOUNCED_MAX_MS,
      keepAliveTimeoutThreshold: IDLE_MARGIN_MS,
      maxHeaderSize: HEADERS_MAX_BYTES,
      // The attempt has one clock of its own, which also covers the time before a connection is there.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const retireIfUnused = () => {
      if (pool.stats.connected === 0 && pool.stats.size === 0) retire(origin, pool);
    };
    pool.on('disconnect', retireIfUnused).on('connectionError', retireIfUnused);
    const made: OriginPool = { pool, madeAt: now, waiting: 0 };
    current.set(origin, made);
    alive.add(pool);
    return made;
  }

  return {
    /** The connections to an origin. `now` is performance.now(), which the caller has anyway. */
    get(origin: string, now: number): OriginPool {
      const found = current.get(origin);
      if (found !== undefined) {
        if (now - found.madeAt < lifetimeMs) return found;
        retire(origin, found.pool);
      }
      return open(origin, now);
    },
    /** Breaks off whatever is under way. */
    async destroy() {
      current.clear();
      await Promise.all([...alive].map((pool) => pool.destroy()));
      alive.clear();
    },
  };
}
