import { LinekeeperError, toRefusal } from './error.ts';
import type { Answer, CallOptions, InputOf, Route } from './route-types.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Connection {
  /** Where the service is, with its base path: `http://127.0.0.1:8080/api`. */
  readonly baseUrl: string;
  /** Instead of the global one. */
  readonly fetch?: Fetch | undefined;
  /** The longest a call may take; 30 seconds unless said otherwise. */
  readonly timeoutMs?: number | undefined;
}

export interface Answered<T> {
  readonly status: number;
  readonly data: T;
  readonly headers: Headers;
}

/** The typed calls of some routes. */
export interface Caller<R extends Route> {
  /** What the service answers; everything but success is thrown as a LinekeeperError. */
  call<Called extends R>(route: Called, ...input: InputOf<Called>): Promise<Answer<Called>>;
  /** The same with status and headers, such as `X-Next` and `Webhook-Secret`. */
  request<Called extends R>(route: Called, ...input: InputOf<Called>): Promise<Answered<Answer<Called>>>;
  /** A successful answer with its body unread, for what is too long to hold. */
  open<Called extends R>(route: Called, ...input: InputOf<Called>): Promise<Response>;
}

const TIMEOUT_MS = 30_000;

/** What a route's input is made of, whichever route it is. */
export interface LooseInput extends CallOptions {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
}

type Send = (
  route: string,
  input: LooseInput,
  headers: Readonly<Record<string, string>>,
) => Promise<Response>;

/** Each value is one segment; a name such as `..` would change what is called. */
function addressOf(baseUrl: string, path: string, { path: values = {}, query = {} }: LooseInput): string {
  const known = new Map<string, unknown>(Object.entries(values));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(known.get(name) ?? '');
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`"${value}" cannot be the ${name} of a path`);
    return encodeURIComponent(value);
  });
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) asked.set(name, String(value));
  return `${baseUrl.replace(/\/+$/, '')}${filled}${asked.size > 0 ? `?${asked}` : ''}`;
}

function toFailure(error: unknown, { signal, timeoutMs = TIMEOUT_MS }: CallOptions, url: string): unknown {
  if (error instanceof LinekeeperError || signal?.aborted) return error;
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return new LinekeeperError('timedOut', `The service did not answer within ${timeoutMs / 1_000} seconds`, {
      cause: error,
    });
  return new LinekeeperError('unreachable', `No service can be reached at ${url}`, { cause: error });
}

export function createSend({ baseUrl, fetch = globalThis.fetch, timeoutMs: usual }: Connection): Send {
  return async (route, given, headers) => {
    const input = { ...given, timeoutMs: given.timeoutMs ?? usual ?? TIMEOUT_MS };
    const { body, raw, signal, timeoutMs, idempotencyKey } = input;
    const [method = 'GET', path = ''] = route.split(' ', 2);
    const url = addressOf(baseUrl, path, input);
    const limits = [signal, Number.isFinite(timeoutMs) ? AbortSignal.timeout(timeoutMs) : undefined];
    try {
      const response = await fetch(url, {
        method,
        headers: {
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
          ...headers,
          ...input.headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(raw !== undefined && { body: raw }),
        signal: AbortSignal.any(limits.filter((limit) => limit !== undefined)),
      });
      if (!response.ok) throw toRefusal(response, await readJson(response).catch(() => undefined));
      return response;
    } catch (error) {
      throw toFailure(error, input, url);
    }
  };
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new LinekeeperError('unreadable', `What answers at ${response.url} is not Linekeeper`, {
      status: response.status,
      cause,
    });
  }
}

/** Calls that go out by `open`, which adds what the caller proves itself with. */
export function createCaller<R extends Route>(
  open: (route: string, input: LooseInput) => Promise<Response>,
): Caller<R> {
  const request = async <Called extends R>(route: Called, ...[given]: InputOf<Called>) => {
    const input: LooseInput = given ?? {};
    const response = await open(route, input);
    const { status, headers } = response;
    try {
      return { status, headers, data: (await readJson(response)) as Answer<Called> };
    } catch (error) {
      throw toFailure(error, input, response.url);
    }
  };
  return {
    request,
    call: async (route, ...input) => (await request(route, ...input)).data,
    open: (route, ...[input]) => open(route, input ?? {}),
  };
}
