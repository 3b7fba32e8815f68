import type { Socket } from 'node:net';
import type pg from 'pg';
import { within } from './within.ts';

/** Whoever is gone answers no goodbye, and a start or a stop must come to its end: for so long it is waited for. */
export const GOODBYE_MS = 3_000;

/** The driver tells nobody of its socket, which would keep a process that has nothing else to do. */
export const socketOf = (client: pg.ClientBase) =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/** Ends a connection, also one whose other end has vanished. */
export async function sayGoodbye(client: pg.Client): Promise<void> {
  await within(GOODBYE_MS, client.end()).catch(() => socketOf(client).destroy());
}
