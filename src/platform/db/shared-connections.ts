import type { Socket } from 'node:net';
import pg from 'pg';
import { within } from '../flow-control/limits.ts';
import { END_MS, endConnection, socketOf } from './connection.ts';
import { Unreachable } from './failures.ts';
import type { Place } from './servers.ts';

interface Slot {
  client: Promise<pg.Client> | undefined;
  inFlight: number;
}

/** Beyond about ten statements, the next ones are sent at once: otherwise the server would be idle. */
const TOGETHER_BYTES = 2_048;

/**
 * Statements of one tick of the event loop are sent together: writing each separately costs more than all other work on a
 * statement here, and wakes the server each time.
 */
function corkForTick(socket: Socket): void {
  if (socket.writableCorked === 0) {
    socket.cork();
    setImmediate(() => socket.uncork());
  } else if (socket.writableLength > TOGETHER_BYTES) {
    socket.uncork();
    socket.cork();
  }
}

/**
 * A few connections shared by all single statements. Each statement is sent without waiting for the answer to the one
 * before, so a busy service needs neither a connection per request nor a queue. When a connection dies, its statements
 * fail, and it is opened again.
 */
function openShared(config: pg.ClientConfig, count: number, onError: (error: Error) => void) {
  const slots: Slot[] = Array.from({ length: count }, () => ({ client: undefined, inFlight: 0 }));
  let closing = false;

  const connect = (slot: Slot): Promise<pg.Client> => {
    const client = new pg.Client({ ...config, pipeline: true } as pg.ClientConfig);
    // An old client may report its end late, when the slot already holds the next one.
    const forget = () => {
      if (slot.client === connected) slot.client = undefined;
      client.end().catch(() => {});
    };
    client.on('error', (error) => {
      forget();
      if (!closing) onError(error);
    });
    client.on('end', forget);
    const connected = client.connect().then(
      () => client,
      (error: unknown) => {
        forget();
        throw error;
      },
    );
    return connected;
  };

  return {
    async query(query: pg.QueryConfig): Promise<pg.QueryResult> {
      if (closing) throw new Error('Connection terminated: the database was closed');
      const slot = slots.reduce((least, other) => (other.inFlight < least.inFlight ? other : least));
      slot.inFlight++;
      try {
        slot.client ??= connect(slot);
        const client = await slot.client;
        corkForTick(socketOf(client));
        return await client.query(query);
      } finally {
        slot.inFlight--;
      }
    },
    countOpen: () => slots.filter(({ client }) => client !== undefined).length,
    countInFlight: () => slots.reduce((sum, { inFlight }) => sum + inFlight, 0),
    /** Fails the statements in flight at once; callers can try again. */
    cut() {
      for (const { client } of slots) client?.then((open) => socketOf(open).destroy()).catch(() => {});
    },
    async close() {
      closing = true;
      // A connection that is still opening has its own time limit.
      const opened = ({ client }: Slot) => client && within(END_MS, client).catch(() => undefined);
      const open = await Promise.all(slots.map(opened));
      await Promise.all(open.map((client) => client && endConnection(client)));
    },
  };
}

/** With more in flight, a statement would wait longer than any caller does. */
const IN_FLIGHT_MAX = 1_000;

interface Wanted {
  readonly config: pg.ClientConfig;
  readonly count: number;
  /** Connections for each server, if there are several. */
  readonly countForPlace: number;
  readonly onError: (error: Error) => void;
}

/**
 * One set of shared connections. A distributed database has one set for each place where a statement may have to wait,
 * opened on first use. So only callers that need a slow server wait for it.
 */
export function openSharedConnections({ config, count, countForPlace, onError }: Wanted) {
  const sets = new Map<Place | undefined, ReturnType<typeof openShared>>();
  const setOf = (place: Place | undefined) => {
    const found = sets.get(place) ?? openShared(config, place === undefined ? count : countForPlace, onError);
    sets.set(place, found);
    return found;
  };
  return {
    async query(query: pg.QueryConfig, place?: Place): Promise<pg.QueryResult> {
      const set = setOf(place);
      if (place !== undefined && set.countInFlight() >= IN_FLIGHT_MAX)
        throw new Unreachable(`too many wait for ${place}`);
      return set.query(query);
    },
    countOpen: () => Array.from(sets.values(), (set) => set.countOpen()).reduce((sum, open) => sum + open, 0),
    cut(places: readonly Place[]) {
      for (const place of places) sets.get(place)?.cut();
    },
    close: async () => void (await Promise.all(Array.from(sets.values(), (set) => set.close()))),
  };
}
