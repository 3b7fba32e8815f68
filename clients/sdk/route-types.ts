import type { Routes } from './routes.ts';
import type { WebAbortSignal, WebRequestInit } from './web-types.ts';

/** A method and path from the OpenAPI document: `GET /m2m/v1/plans/{accountName}`. */
export type Route = keyof Routes;
export type OperatorRoute = Extract<Route, `${string} /operator/v1/${string}`>;
/** Calls of the console's pages, with the browser's cookie. */
export type ConsoleRoute = Extract<Route, `${string} /console/v1/${string}`>;
/** Calls that the client makes automatically to manage tokens. */
type AccessRoute = Extract<
  Route,
  `${string} /ts/v1/${string}` | 'POST /m2m/v1/session/login' | 'POST /m2m/v1/session/logout'
>;
export type PublicRoute = Exclude<Route, OperatorRoute | ConsoleRoute | AccessRoute>;

type Member<R extends Route, Name extends string> = Name extends keyof Routes[R] ? Routes[R][Name] : never;

export type Answer<R extends Route> = Routes[R]['answer'];
export type Body<R extends Route> = Member<R, 'body'>;
export type Query<R extends Route> = NonNullable<Member<R, 'query'>>;

/** Options of any call. */
export interface CallOptions {
  /** For calls that change something: repeating the key within a day returns the first answer, and nothing is done twice. */
  readonly idempotencyKey?: string | undefined;
  /** Overrides the client's time limit, including reading the answer. Infinity disables it. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: WebAbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent unchanged, for calls that take more than one JSON object: fleet documents and feeds. */
  readonly raw?: NonNullable<WebRequestInit['body']> | undefined;
}

export type Input<R extends Route> = Omit<Routes[R], 'answer'> & CallOptions;

/** An argument that may be omitted if all its members are optional. */
export type InputOf<R extends Route> =
  object extends Omit<Routes[R], 'answer'> ? [input?: Input<R>] : [input: Input<R>];
