import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const SHAPE = /^[A-Za-z0-9_-]{1,64}$/;

/** A caller's own id is kept when it is harmless; it travels into logs, jobs and callback headers. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  for (const name of ['x-request-id', 'x-correlator']) {
    const given = headers[name];
    if (typeof given === 'string' && SHAPE.test(given)) return given;
  }
  return randomUUID();
}
