import { LinekeeperError, toRefusal } from './error.ts';
import type { Answer, CallOptions, InputOf, Route } from './route-types.ts';
import type { WebHeaders, WebRequestInit, WebResponse } from './web-types.ts';

export type Fetch = (url: string, init: WebRequestInit) => Promise<WebResponse>;

export interface Connection {
  /** URL of the service with its base path: `http://127.0.0.1:8080/api`. */
  readonly baseUrl: string;
  /** A replacement for the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Time limit for a call; default: 30 seconds. */
  readonly timeoutMs?: number | undefined;
}

export interface Answered<T> {
  readonly status: number;
  readonly data: T;
  readonly headers: WebHeaders;
}

/** The typed calls of some routes. */
export interface Caller<R extends Route> {
  /** Returns the service's answer. Throws a LinekeeperError for every failure. */
  call<Called extends R>(route: Called, ...input: InputOf<Called>): Promise<Answer<Called>>;
  /** The same with status and headers, such as `X-Next` and `Webhook-Secret`. */
  request<Called extends R>(route: Called, ...input: InputOf<Called>): Promise<Answered<Answer<Called>>>;
  /** A successful answer with its body unread, for content too long to hold in memory. */
  open<Called extends R>(route: Called, ...input: InputOf<Called>): Promise<WebResponse>;
}

const TIMEOUT_MS = 30_000;

/** The input of any route. */
export interface LooseInput extends CallOptions {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
}

/** Converts a successful answer. Reading is part of the call and its time-out. */
export type Read<T> = (response: WebResponse) => Promise<T> | T;

export type Send = <T>(
  route: string,
  input: LooseInput,
  headers: Readonly<Record<string, string>>,
  read: Read<T>,
) => Promise<T>;

/** Each value fills one segment; a name such as `..` would change the path. */
export function addressOf(
  baseUrl: string,
  path: string,
  { path: values = {}, query = {} }: LooseInput,
): string {
  const known = new Map<string, unknown>(Object.entries(values));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(known.get(name) ?? '');
    if (/^\.{0,2}$/.test(value)) throw new LinekeeperError('invalid', `"${value}" is no ${name}`);
    return encodeURIComponent(value);
  });
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) asked.set(name, String(value));
  return `${baseUrl.replace(/\/+$/, '')}${filled}${asked.size > 0 ? `?${asked}` : ''}`;
}

const headersOf = ({ body, idempotencyKey, headers }: LooseInput) => ({
  accept: 'application/json',
  ...(body !== undefined && { 'content-type': 'application/json' }),
  ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  ...headers,
});

export function createSend({ baseUrl, fetch = globalThis.fetch, timeoutMs: usual }: Connection): Send {
  return async (route, input, headers, read) => {
    const { body, raw, signal, timeoutMs = usual ?? TIMEOUT_MS } = input;
    const [method = 'GET', path = ''] = route.split(' ', 2);
    const url = addressOf(baseUrl, path, input);
    const late = Number.isFinite(timeoutMs) ? AbortSignal.timeout(timeoutMs) : undefined;
    try {
      const response = await fetch(url, {
        method,
        headers: { ...headers, ...headersOf(input) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(raw !== undefined && { body: raw }),
        signal: AbortSignal.any([signal, late].filter((one) => one !== undefined)),
      });
      if (!response.ok) throw toRefusal(response, await readJson(response).catch(() => undefined));
      return await read(response);
    } catch (cause) {
      if (cause instanceof LinekeeperError || signal?.aborted) throw cause;
      throw late?.aborted
        ? new LinekeeperError('timedOut', `The service did not answer within ${timeoutMs / 1_000} seconds`, {
            cause,
          })
        : new LinekeeperError('unreachable', `No service can be reached at ${url}`, { cause });
    }
  };
}

/** The JSON parser; a replacement for JSON.parse can keep all digits of numbers. */
export type ParseJson = (text: string) => unknown;

export async function readJson<T>(response: WebResponse, parse: ParseJson = JSON.parse): Promise<T> {
  const text = await response.text();
  try {
    // Some successful answers have no body.
    return (text === '' ? undefined : parse(text)) as T;
  } catch (cause) {
    const { status } = response;
    throw new LinekeeperError('unreadable', 'The answer does not come from Linekeeper', { status, cause });
  }
}

/** Makes calls through `send`, which adds the credentials. */
export function createCaller<R extends Route>(
  send: <T>(route: string, input: LooseInput, read: Read<T>) => Promise<T>,
  parserOf: (route: string) => ParseJson | undefined = () => undefined,
): Caller<R> {
  const request = <Called extends R>(route: Called, ...[input]: InputOf<Called>) =>
    send(route, input ?? {}, async (response) => {
      const { status, headers } = response;
      return { status, headers, data: await readJson<Answer<Called>>(response, parserOf(route)) };
    });
  return {
    request,
    call: async (route, ...input) => (await request(route, ...input)).data,
    open: (route, ...[input]) => send(route, input ?? {}, (response) => response),
  };
}
