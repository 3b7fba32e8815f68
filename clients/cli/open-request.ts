import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import * as https from 'node:https';
import { pipeline, Readable } from 'node:stream';
import packageJson from '../../package.json' with { type: 'json' };
import type { Fetch } from '../sdk/index.ts';
import { brokenOff, Failure } from './failure.ts';

export const VERSION: string = packageJson.version;

/** Not by `import`, which looks at all that it exports and so loads a client for WebSockets: 60 ms of each command. */
const http = process.getBuiltinModule('node:http');

/** Node's own agents cut a connection off after 5 silent seconds, whatever the request allows. */
const AGENTS = {
  'http:': new http.Agent({ keepAlive: true }),
  'https:': new https.Agent({ keepAlive: true }),
};

/** A host that does not even take the connection is not there. */
const CONNECT_MS = 10_000;

const WHY: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the name is not known',
  EAI_AGAIN: 'the name could not be looked up',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not known; NODE_EXTRA_CA_CERTS names a file with it',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not known; NODE_EXTRA_CA_CERTS names a file with it',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not known; NODE_EXTRA_CA_CERTS names a file with it',
};

/** Then a connection was there and has gone: the service may have done what it was asked. */
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

/** Resolves when the answer begins, also when the body is not sent to its end by then: the service may refuse early. */
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
    // A source that cannot be read on ends the request; the request's own errors are heard above.
    else pipeline(body, request, (error) => error && answer === undefined && reject(asFailure(url, error)));
  });
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) headers.append(rawHeaders[i]!, rawHeaders[i + 1]!);
  return headers;
}

/**
 * What the typed client sends with: unlike Node's own it waits as long as it is told for an answer, sends a file while
 * the service already refuses it, and ends a request after silence, however long the whole takes.
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
