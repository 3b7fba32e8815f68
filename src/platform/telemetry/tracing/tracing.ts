/** The protocol or destination of traces. */
export type Exporter = 'http/protobuf' | 'http/json' | 'console';

/** The position of a piece of work in a trace, as a `traceparent` header of W3C Trace Context. */
export type TraceParent = string;

type Attributes = Readonly<Record<string, string | number | undefined>>;

export interface Begun {
  /** `server` answers a request, `client` sends one, `consumer` does queued work. */
  readonly kind: 'server' | 'client' | 'consumer';
  /** The work that caused it; without it a new trace begins. */
  readonly parent: TraceParent | undefined;
  readonly attributes?: Attributes;
}

/** A piece of work in progress. */
interface Span {
  /** Passed on to the work that it causes. */
  readonly traceparent: TraceParent;
  /** `failure` is the kind of failure in our own words: messages of others quote addresses and values. */
  end(outcome?: { readonly failure?: string | undefined; readonly attributes?: Attributes }): void;
}

export interface Tracing {
  /** Undefined if traces are off: then nothing is passed on either. */
  begin(name: string, begun: Begun): Span | undefined;
  /** Sends the remaining spans, within a time limit. */
  close(): Promise<void>;
}

export const noTracing: Tracing = {
  begin: () => undefined,
  close: async () => {},
};

/** SQLSTATEs and error codes of Node: they never contain user input. */
const ERROR_CODE = /^(?:[0-9A-Z]{5}|E[A-Z][A-Z0-9_]{1,60})$/;

/** The class of an error and its code; never its message, which may quote a row, an address or an answer. */
export function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no error';
  const name = error.constructor.name || 'Error';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && ERROR_CODE.test(code) ? `${name} ${code}` : name;
}

const TRACE_PARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Undefined if the header is invalid, because it may contain anything. */
export function parseTraceParent(text: unknown) {
  const [, traceId, spanId, flags] = (typeof text === 'string' && TRACE_PARENT.exec(text)) || [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  const isNothing = /^0+$/.test(traceId) || /^0+$/.test(spanId);
  return isNothing ? undefined : { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 };
}
