import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import * as https from 'node:https';
import { pipeline, Readable } from 'node:stream';
import packageJson from '../../package.json' with { type: 'json' };
import type { Fetch } from '../sdk/index.ts';
import { brokenOff, Failure } from './failure.ts';

export const VERSION: string = packageJson.version;

/** `require` instead of `import`, which would also load a WebSocket client: 60 ms of each command. */
const http = process.getBuiltinModule('node:http');

/** Node's own agents close a connection after 5 silent seconds, regardless of the request's time-out. */
const AGENTS = {
  'http:': new http.Agent({ keepAlive: true }),
  'https:': new https.Agent({ keepAlive: true }),
};

/** Time limit for the connection itself. */
const CONNECT_MS = 10_000;

const WHY: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the name is unknown',
  EAI_AGAIN: 'the name could not be looked up',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is unknown; set NODE_EXTRA_CA_CERTS to a file with it',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is unknown; set NODE_EXTRA_CA_CERTS to a file with it',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is unknown; set NODE_EXTRA_CA_CERTS to a file with it',
};

/** The connection broke after it was open, so the service may have done the work. */
const BROKEN = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE']);

export function asFailure(url: URL, error: NodeJS.ErrnoException): Failure {
  if (error instanceof Failure) return error;
  const why = error.code ?? error.message;
  return new Failure(
    'unreachable',
    BROKEN.has(why)
      ? brokenOff(error)
      : `Cannot reach a service at ${url.origin}: ${WHY[why] ?? why}. linekeeper start starts one here; --url, LINEKEEPER_URL or --profile names another`,
  );
}

function limitConnecting(request: ClientRequest, url: URL): void {
  request.once('socket', (socket) => {
    if (!socket.connecting) return;
    const late = Object.assign(new Error(), { code: 'ETIMEDOUT' });
    const timer = setTimeout(() => request.destroy(asFailure(url, late)), CONNECT_MS);
    for (const event of ['connect', 'close']) socket.once(event, () => clearTimeout(timer));
  });
}

const silentFor = (ms: number) =>
  new Failure('timedOut', `The service did not answer within ${ms / 1_000} seconds; --timeout allows more`);

interface RequestParts {
  readonly method: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: unknown;
  readonly signal?: AbortSignal;
}

/** Resolves when the answer begins, even before the whole body is sent, because the service may refuse early. */
function openRequest(url: URL, { body, ...parts }: RequestParts, idleMs?: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      ...parts,
      agent: AGENTS[url.protocol as keyof typeof AGENTS],
      ...(idleMs !== undefined && { timeout: idleMs }),
    });
    let answer: IncomingMessage | undefined;
    if (idleMs !== undefined) request.on('timeout', () => (answer ?? request).destroy(silentFor(idleMs)));
    limitConnecting(request, url);
    request.on('error', (error) => reject(asFailure(url, error)));
    request.once('response', (response) => {
      answer = response;
      if (body instanceof Readable) response.once('close', () => body.destroy());
      resolve(response);
    });
    if (!(body instanceof Readable)) request.end(body);
    // A read error of the source ends the request; the handler above reports errors of the request.
    else pipeline(body, request, (error) => error && answer === undefined && reject(asFailure(url, error)));
  });
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) headers.append(rawHeaders[i]!, rawHeaders[i + 1]!);
  return headers;
}

/**
 * The `fetch` of the typed client. Unlike Node's own, it uses the given time limit for an answer, accepts a
 * refusal while it still sends a file, and limits silence instead of the total time.
 */
export const nodeFetch =
  (idleMs?: number): Fetch =>
  async (address, { method = 'GET', headers, body, signal }) => {
    const sent = { 'user-agent': `linekeeper-cli/${VERSION}`, ...(headers as Record<string, string>) };
    const parts = { method, headers: sent, body, ...(signal && { signal }) };
    const message = await openRequest(new URL(address), parts, idleMs);
    const pieces = Readable.toWeb(message) as ReadableStream<Uint8Array>;
    const status = message.statusCode ?? 0;
    return new Response(status === 204 ? null : pieces, { status, headers: headersOf(message) });
  };
