import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { json as readJson } from 'node:stream/consumers';
import { Failure, type Problem, refusedBy, wrongUsage } from './failure.ts';
import { asFailure, type Method, openRequest } from './open-request.ts';
import { findKey, findUrl, type GlobalOptions } from './settings.ts';

/** An answer is expected within this, unless --timeout says otherwise. */
const CALL_SECONDS = 30;

export type Query = Readonly<Record<string, string | number | undefined>>;

export interface Call {
  readonly method?: Method;
  readonly query?: Query;
  readonly body?: unknown;
  /** Where the call itself takes longer than others; --timeout still wins. */
  readonly seconds?: number;
}

export interface Transfer {
  readonly method?: Method;
  readonly query?: Query;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readable;
  /** Without a byte in either direction for this long, unless --timeout says otherwise. */
  readonly idleSeconds: number;
}

export interface Answer<T> {
  readonly status: number;
  readonly body: T;
  /** Where the list goes on. */
  readonly next: string | undefined;
}

export interface OperatorApi {
  readonly url: URL;
  call<T>(path: string, call?: Call): Promise<Answer<T>>;
  /** Resolves when the answer begins, with its body unread. */
  transfer(path: string, transfer: Transfer): Promise<IncomingMessage>;
}

/** A path with each value as one segment; a name such as `..` would change what is called. */
export function path(texts: TemplateStringsArray, ...values: readonly string[]): string {
  const segments = values.map((value) => {
    if (/^\.{0,2}$/.test(value)) throw wrongUsage(`"${value}" is no name`);
    return encodeURIComponent(value);
  });
  return String.raw({ raw: texts }, ...segments);
}

function addressOf(base: URL, path: string, query: Query = {}): URL {
  const url = new URL(`${base.href.replace(/\/$/, '')}/operator/v1${path}`);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

export async function readJsonBody<T>(response: IncomingMessage, url: URL): Promise<T> {
  try {
    return (await readJson(response)) as T;
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new Failure('unreachable', `What answers at ${url.origin} is not Linekeeper`);
    throw asFailure(url, error as Error);
  }
}

/** Turns everything but success into the failure it is. */
async function accept(response: IncomingMessage, url: URL): Promise<IncomingMessage> {
  const status = response.statusCode ?? 0;
  if (status >= 200 && status < 300) return response;
  if (response.headers['content-type']?.startsWith('application/problem+json'))
    throw refusedBy(await readJsonBody<Problem>(response, url), status);
  response.resume();
  const title = status === 404 ? `The service has no ${url.pathname}` : undefined;
  throw refusedBy({ status, ...(title && { title, detail: 'check --url and its base path' }) }, status);
}

export function openOperatorApi(options: GlobalOptions): OperatorApi {
  const base = findUrl(options);
  const key = findKey(options);
  const authorization = { Authorization: `Bearer ${key}` };
  return {
    url: base,
    async call<T>(path: string, { method = 'GET', query, body, seconds = CALL_SECONDS }: Call = {}) {
      const url = addressOf(base, path, query);
      const response = await openRequest(url, {
        method,
        headers: { ...authorization, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
        body: body === undefined ? undefined : JSON.stringify(body),
        totalMs: (options.timeout ?? seconds) * 1_000,
      });
      await accept(response, url);
      const next = response.headers['x-next'] as string | undefined;
      return { status: response.statusCode ?? 0, body: await readJsonBody<T>(response, url), next };
    },
    async transfer(path, { method = 'GET', query, headers = {}, body, idleSeconds }) {
      const url = addressOf(base, path, query);
      const idleMs = (options.timeout ?? idleSeconds) * 1_000;
      return accept(
        await openRequest(url, { method, headers: { ...authorization, ...headers }, body, idleMs }),
        url,
      );
    },
  };
}
