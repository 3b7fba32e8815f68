import * as http from 'node:http';
import * as https from 'node:https';
import { pipeline, Readable } from 'node:stream';
import packageJson from '../../package.json' with { type: 'json' };
import { Failure } from './failure.ts';

export const VERSION: string = packageJson.version;

export type Method = 'GET' | 'POST' | 'DELETE';

export interface RequestParts {
  readonly method: Method;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Readable | undefined;
  /** From the first byte sent to the last received. */
  readonly totalMs?: number;
  /** Between two bytes, in either direction. */
  readonly idleMs?: number;
}

/** Node's own agents cut a connection off after 5 silent seconds, whatever the request allows. */
const AGENTS = {
  'http:': new http.Agent({ keepAlive: true }),
  'https:': new https.Agent({ keepAlive: true }),
};

/** A host that does not even take the connection is not there. */
const CONNECT_MS = 10_000;

const timedOut = (ms: number) =>
  new Failure('timedOut', `The service did not answer within ${ms / 1_000} seconds; --timeout allows more`);

/** Then a connection was there and has gone: the service may have done what it was asked. */
const BROKEN = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE']);

export function asFailure(url: URL, error: NodeJS.ErrnoException): Failure {
  if (error instanceof Failure) return error;
  const why = error.code ?? error.message;
  const sentence = BROKEN.has(why)
    ? `The connection to ${url.origin} broke off before the answer was complete`
    : `No service can be reached at ${url.origin}`;
  return new Failure('unreachable', `${sentence} (${why})`);
}

function watchConnecting(request: http.ClientRequest, url: URL): void {
  request.once('socket', (socket) => {
    if (!socket.connecting) return;
    const late = Object.assign(new Error(), { code: 'ETIMEDOUT' });
    const timer = setTimeout(() => request.destroy(asFailure(url, late)), CONNECT_MS);
    for (const event of ['connect', 'close']) socket.once(event, () => clearTimeout(timer));
  });
}

/** Resolves when the answer begins, also when the body is not sent to its end by then: the service may refuse early. */
export function openRequest(
  url: URL,
  { method, headers, body, totalMs, idleMs }: RequestParts,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      method,
      agent: AGENTS[url.protocol as keyof typeof AGENTS],
      headers: { 'User-Agent': `linekeeper-cli/${VERSION}`, Accept: 'application/json', ...headers },
      ...(idleMs !== undefined && { timeout: idleMs }),
    });
    let answer: http.IncomingMessage | undefined;
    const giveUp = (failure: Failure) => (answer ?? request).destroy(failure);
    const timer = totalMs === undefined ? undefined : setTimeout(() => giveUp(timedOut(totalMs)), totalMs);
    request.once('close', () => clearTimeout(timer));
    if (idleMs !== undefined) request.on('timeout', () => giveUp(timedOut(idleMs)));
    watchConnecting(request, url);
    request.on('error', (error) => reject(asFailure(url, error)));
    request.once('response', (response) => {
      answer = response;
      if (body instanceof Readable) response.once('close', () => body.destroy());
      resolve(response);
    });
    if (!(body instanceof Readable)) request.end(body);
    // A source that cannot be read on ends the request; the request's own errors are heard above.
    else pipeline(body, request, (error) => error && answer === undefined && reject(asFailure(url, error)));
  });
}
