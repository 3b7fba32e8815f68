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

/** More than some ten statements do not wait for one another: the server would have nothing to do meanwhile. */
const TOGETHER_BYTES = 2_048;

/**
 * What is asked in one turn of the event loop leaves together: to write each by itself costs more than all else that is done
 * for a statement here, and wakes the server each time.
 */
function holdForTurn(socket: Socket): void {
  if (socket.writableCorked === 0) {
    socket.cork();
    setImmediate(() => socket.uncork());
  } else if (socket.writableLength > TOGETHER_BYTES) {
    socket.uncork();
    socket.cork();
  }
}

/**
 * A few connections that all single statements share: each is sent without waiting for the answer
 * to the one before, so a busy service needs neither a connection per request nor a turn of a queue
 * per statement. A connection that dies takes the statements on it with it and is opened again.
 */
function openShared(config: pg.ClientConfig, count: number, onError: (error: Error) => void) {
  const slots: Slot[] = Array.from({ length: count }, () => ({ client: undefined, inFlight: 0 }));
  let closing = false;

  const connect = (slot: Slot): Promise<pg.Client> => {
    const client = new pg.Client({ ...config, pipeline: true } as pg.ClientConfig);
    // An old client may report its end late, when the slot already holds the next.
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
        holdForTurn(socketOf(client));
        return await client.query(query);
      } finally {
        slot.inFlight--;
      }
    },
    countOpen: () => slots.filter(({ client }) => client !== undefined).length,
    countInFlight: () => slots.reduce((sum, { inFlight }) => sum + inFlight, 0),
    /** What is in flight fails at once, and can be tried again. */
    cut() {
      for (const { client } of slots) client?.then((open) => socketOf(open).destroy()).catch(() => {});
    },
    async close() {
      closing = true;
      // One that is still being opened is left to its own limit.
      const opened = ({ client }: Slot) => client && within(END_MS, client).catch(() => undefined);
      const open = await Promise.all(slots.map(opened));
      await Promise.all(open.map((client) => client && endConnection(client)));
    },
  };
}

/** More would wait for longer than anybody does. */
const IN_FLIGHT_MAX = 1_000;

interface Wanted {
  readonly config: pg.ClientConfig;
  readonly count: number;
  /** How many for each server, where there are several. */
  readonly countForPlace: number;
  readonly onError: (error: Error) => void;
}

/**
 * One set of shared connections. On a distributed database one for each place where a statement may have to wait, opened when it is
 * needed: so nobody waits behind a statement for a slow server but those who need that server themselves.
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
