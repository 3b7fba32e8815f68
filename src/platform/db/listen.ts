import pg from 'pg';
import { type Loop, unreportedLoop } from '../health/health.ts';
import { endConnection, KEEP_ALIVE } from './connection.ts';

const HEARTBEAT_MS = 250;
/** Below one second, so that a lost feed is noticed before a missed notification is a second old. */
const CURRENT_MS = 800;
const RECONNECT_MS = 500;
/** The first connection may take longer: a busy machine may delay a start, and no caller waits for the feed yet. */
const [CONNECT_MS, FIRST_CONNECT_MS] = [2_000, 10_000];

export interface NotificationFeed {
  on(channel: string, listener: (payload: string) => void): void;
  /** Called when notifications may have been missed: discard everything derived from them. */
  onGap(listener: () => void): void;
  /** Resolves when all notifications committed before the call have arrived, or the feed is known to be lost. */
  catchUp(): Promise<void>;
  /** True while every notification committed more than a second ago has certainly arrived. */
  isCurrent(): boolean;
  close(): Promise<void>;
}

/**
 * One connection that listens. It also carries a heartbeat, whose answer arrives after all notifications sent before it.
 * So an answered heartbeat proves that the feed is complete up to that moment.
 */
export async function openNotificationFeed(
  url: string,
  channels: readonly string[],
  loop: Loop = unreportedLoop,
): Promise<NotificationFeed> {
  const listeners = new Map<string, ((payload: string) => void)[]>();
  const gapListeners: (() => void)[] = [];
  let client: pg.Client | undefined;
  let currentUntil = 0;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  /** An old connection may fail late, when the next is already in use: then nothing is lost. */
  const lose = (lost: pg.Client) => {
    if (client === lost) {
      client = undefined;
      currentUntil = 0;
    }
    lost.end().catch(() => {});
  };

  const connect = async (connectMs = CONNECT_MS): Promise<pg.Client> => {
    const next = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: connectMs,
      query_timeout: 2_000,
      ...KEEP_ALIVE,
      application_name: 'linekeeper-listen',
      // `catchUp` may be called while a heartbeat is in progress.
      pipeline: true,
    } as pg.ClientConfig);
    next.on('error', () => lose(next));
    next.on('end', () => lose(next));
    next.on('notification', ({ channel, payload = '' }) => {
      for (const listener of listeners.get(channel) ?? []) listener(payload);
    });
    try {
      await next.connect();
      await next.query(channels.map((channel) => `listen "${channel}"`).join('; '));
      if (closed) throw new Error('the feed was closed while it connected');
    } catch (error) {
      lose(next);
      throw error;
    }
    client = next;
    for (const listener of gapListeners) listener();
    return next;
  };

  const prove = async (heard: pg.Client) => {
    const sentAt = performance.now();
    try {
      await heard.query('select 1');
      if (client === heard) currentUntil = sentAt + CURRENT_MS;
    } catch (error) {
      lose(heard);
      throw error;
    }
  };

  const beat = async () => {
    try {
      await prove(client ?? (await connect()));
      loop.passed();
    } catch (error) {
      loop.failed(error);
    }
    if (!closed) timer = setTimeout(beat, client === undefined ? RECONNECT_MS : HEARTBEAT_MS);
  };

  await connect(FIRST_CONNECT_MS);
  loop.begin();
  await beat();
  return {
    on: (channel, listener) => void listeners.set(channel, [...(listeners.get(channel) ?? []), listener]),
    onGap: (listener) => void gapListeners.push(listener),
    catchUp: async () => {
      if (client !== undefined) await prove(client).catch(() => {});
    },
    isCurrent: () => performance.now() < currentUntil,
    close: async () => {
      closed = true;
      clearTimeout(timer);
      if (client !== undefined) await endConnection(client);
    },
  };
}
