/** Where traces go, and in which form. */
export type Exporter = 'http/protobuf' | 'http/json' | 'console';

/** Where a piece of work stands in a trace, as W3C Trace Context writes it in a `traceparent` header. */
export type TraceParent = string;

type Attributes = Readonly<Record<string, string | number | undefined>>;

export interface Begun {
  /** `server` answers somebody, `client` asks somebody, `consumer` works off what was left for it. */
  readonly kind: 'server' | 'client' | 'consumer';
  /** What it came from; a new trace begins without it. */
  readonly parent: TraceParent | undefined;
  readonly attributes?: Attributes;
}

/** A piece of work that has begun. */
interface Span {
  /** Handed on to whatever it gives rise to. */
  readonly traceparent: TraceParent;
  /** `failure` is the kind of failure, in words of ours: what others say about it quotes addresses and values. */
  end(outcome?: { readonly failure?: string | undefined; readonly attributes?: Attributes }): void;
}

export interface Tracing {
  /** Undefined where nobody wants traces: then nothing is handed on either. */
  begin(name: string, begun: Begun): Span | undefined;
  /** Sends what has not been sent, for a bounded time. */
  close(): Promise<void>;
}

export const noTracing: Tracing = {
  begin: () => undefined,
  close: async () => {},
};

/** SQLSTATEs and the codes of Node: written by nobody's input. */
const ERROR_CODE = /^(?:[0-9A-Z]{5}|E[A-Z][A-Z0-9_]{1,60})$/;

/** The class of an error and its code; never its message, which may quote a row, an address or an answer. */
export function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no error';
  const name = error.constructor.name || 'Error';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && ERROR_CODE.test(code) ? `${name} ${code}` : name;
}

const TRACE_PARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Undefined for what is none: a header may hold anything. */
export function parseTraceParent(text: unknown) {
  const [, traceId, spanId, flags] = (typeof text === 'string' && TRACE_PARENT.exec(text)) || [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  const isNothing = /^0+$/.test(traceId) || /^0+$/.test(spanId);
  return isNothing ? undefined : { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 };
}
