import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serviceOf, verifyCallback } from '../sdk/callbacks.ts';
import type { HeardCallback, HeardCallbacks } from './heard-callbacks.ts';
import { real } from './real-time.ts';

/** The service never sends longer bodies. */
const BODY_BYTES_MAX = 4 * 1024 * 1024;

export interface CallbackServer {
  urlOf(path: string): string;
  /** Adds a secret for the listener at this path, or for any listener if no path is given. */
  addSecret(secret: string, path?: string): void;
  close(): Promise<void>;
}

/** Finds the service of messages that do not show it. */
export type FindService = (payload: HeardCallback['payload'], id: string) => Promise<string | undefined>;

const pathOf = (url: string): string => new URL(url, 'http://sandbox').pathname;
const ANY = '*';

function parsePayload(text: string): HeardCallback['payload'] | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
    return isObject ? (parsed as HeardCallback['payload']) : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined if the body is too long. It is still read to its end, because the answer needs the connection. */
async function readText(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= BODY_BYTES_MAX) chunks.push(chunk);
  }
  return length > BODY_BYTES_MAX ? undefined : Buffer.concat(chunks).toString('utf8');
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : `${value}`,
    ]),
  );

async function checkSignature(
  secrets: ReadonlySet<string>,
  headers: HeardCallback['headers'],
  rawBody: string,
): Promise<HeardCallback['signature']> {
  if (secrets.size === 0) return 'not checked';
  const verdict = await verifyCallback({ headers, rawBody, secret: [...secrets], now: real.now() });
  return verdict.valid ? 'valid' : 'invalid';
}

/** Listens on this machine, without keeping the process alive. */
export async function startCallbackServer(
  heard: HeardCallbacks,
  findService: FindService,
): Promise<CallbackServer> {
  const secrets = new Map<string, Set<string>>();
  const secretsFor = (url: string) =>
    new Set([...(secrets.get(pathOf(url)) ?? []), ...(secrets.get(ANY) ?? [])]);
  // Processes callbacks one by one, to keep their order of arrival.
  let last: Promise<unknown> = Promise.resolve();

  async function record(request: IncomingMessage, rawBody: string, payload: HeardCallback['payload']) {
    const [path, headers, at] = [request.url ?? '/', headersOf(request), real.timeText()];
    const before = last;
    const mine = (async () => {
      const id = headers['webhook-id'];
      const signature = await checkSignature(secretsFor(path), headers, rawBody);
      const service =
        serviceOf(payload) ??
        (id === undefined ? undefined : await findService(payload, id).catch(() => undefined));
      await before;
      heard.add({ id, service, payload, headers, path, at, signature, rawBody });
    })();
    last = mine.catch(() => {});
    await mine;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') return void response.writeHead(405, { connection: 'close' }).end();
    const rawBody = await readText(request);
    if (rawBody === undefined) return void response.writeHead(413).end();
    const payload = parsePayload(rawBody);
    if (payload === undefined) return void response.writeHead(400).end();
    await record(request, rawBody, payload);
    // Answers only after recording, because a move of the clock waits for this answer, and its callbacks must
    // be known when it ends.
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (path) => new URL(path, `http://127.0.0.1:${port}/`).href,
    addSecret(secret, url = ANY) {
      const key = url === ANY ? ANY : pathOf(url);
      secrets.set(key, new Set([...(secrets.get(key) ?? []), secret]));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
