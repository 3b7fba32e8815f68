import pg from 'pg';
import { within } from '../flow-control/limits.ts';
import { END_MS, endConnection } from './connection.ts';

interface Slot {
  client: Promise<pg.Client> | undefined;
  inFlight: number;
}

/**
 * A few connections that all single statements share: each is sent without waiting for the answer
 * to the one before, so a busy service needs neither a connection per request nor a turn of a queue
 * per statement. A connection that dies takes the statements on it with it and is opened again.
 */
export function openSharedConnections(
  config: pg.ClientConfig,
  count: number,
  onError: (error: Error) => void,
) {
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
      const slot = slots.reduce((least, other) => (other.inFlight < least.inFlight ? other : least));
      slot.inFlight++;
      try {
        slot.client ??= connect(slot);
        return await (await slot.client).query(query);
      } finally {
        slot.inFlight--;
      }
    },
    countOpen: () => slots.filter(({ client }) => client !== undefined).length,
    async close() {
      closing = true;
      // One that is still being opened is left to its own limit.
      const opened = ({ client }: Slot) => client && within(END_MS, client).catch(() => undefined);
      const open = await Promise.all(slots.map(opened));
      await Promise.all(open.map((client) => client && endConnection(client)));
    },
  };
}
