import { Agent, type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ReadableStream } from 'node:stream/web';

/** Longer answers, and those of unknown length, are read as they arrive. */
const READ_AT_ONCE_MAX = 1024 * 1024;

const WITHOUT_BODY: readonly (number | undefined)[] = [204, 205, 304];

const agent = new Agent({ keepAlive: true });

async function bodyOf(answer: IncomingMessage): Promise<ConstructorParameters<typeof Response>[0]> {
  const length = Number(answer.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  if (length === 0 || WITHOUT_BODY.includes(answer.statusCode)) return answer.resume() && null;
  if (length <= READ_AT_ONCE_MAX) return new Uint8Array(await buffer(answer));
  return Readable.toWeb(answer) as ReadableStream<Uint8Array<ArrayBuffer>>;
}

async function toResponse(answer: IncomingMessage): Promise<Response> {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(answer.headersDistinct))
    for (const value of values) headers.append(name, value);
  const { statusCode: status = 0, statusMessage: statusText = '' } = answer;
  return new Response(await bodyOf(answer), { status, statusText, headers });
}

interface Plain {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
}

const isRecord = (headers: RequestInit['headers']): boolean =>
  headers === undefined || Object.getPrototypeOf(headers) === Object.prototype;

/** Other addresses and bodies need the real `fetch`. */
export const isPlain = (url: string, init: RequestInit): init is Plain =>
  url.startsWith('http://') &&
  isRecord(init.headers) &&
  (init.body === undefined || typeof init.body === 'string' || init.body instanceof Uint8Array);

/** `fetch` for calls to a sandbox: no test replaces it, and its first call takes a fraction of the time. */
export const fetchOverHttp = (url: string, { method = 'GET', headers = {}, body, signal }: Plain) =>
  new Promise<Response>((resolve, reject) => {
    const asked = request(url, { method, headers, agent, ...(signal && { signal }) });
    asked.once('response', (answer) => void toResponse(answer).then(resolve, reject));
    asked.once('error', reject).end(body);
  });
