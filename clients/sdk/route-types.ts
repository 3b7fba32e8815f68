import type { Routes } from './routes.ts';
import type { WebAbortSignal, WebRequestInit } from './web-types.ts';

/** A call as the OpenAPI document has it: `GET /m2m/v1/plans/{accountName}`. */
export type Route = keyof Routes;
export type OperatorRoute = Extract<Route, `${string} /operator/v1/${string}`>;
/** What the console's pages ask for, with the cookie of a browser. */
export type ConsoleRoute = Extract<Route, `${string} /console/v1/${string}`>;
/** What a client does by itself: nobody asks for tokens by hand. */
type AccessRoute = Extract<
  Route,
  `${string} /ts/v1/${string}` | 'POST /m2m/v1/session/login' | 'POST /m2m/v1/session/logout'
>;
export type PublicRoute = Exclude<Route, OperatorRoute | ConsoleRoute | AccessRoute>;

type Member<R extends Route, Name extends string> = Name extends keyof Routes[R] ? Routes[R][Name] : never;

export type Answer<R extends Route> = Routes[R]['answer'];
export type Body<R extends Route> = Member<R, 'body'>;
export type Query<R extends Route> = NonNullable<Member<R, 'query'>>;

/** What goes with any call. */
export interface CallOptions {
  /** For calls that change something: the same key gets the first answer again for a day, and nothing is done twice. */
  readonly idempotencyKey?: string | undefined;
  /** For this call instead of the client's; also while the answer is read. Infinity waits as long as it takes. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: WebAbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent as it is, where a call takes more than one JSON object: fleet documents and feeds. */
  readonly raw?: NonNullable<WebRequestInit['body']> | undefined;
}

export type Input<R extends Route> = Omit<Routes[R], 'answer'> & CallOptions;

/** One argument that may be left out where nothing in it is needed. */
export type InputOf<R extends Route> =
  object extends Omit<Routes[R], 'answer'> ? [input?: Input<R>] : [input: Input<R>];
