import { openListener } from './listener.ts';

export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
  readonly status: { readonly code: number; readonly message?: string };
}
interface OtlpBody {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: OtlpSpan['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

export interface Collector {
  /** Settings that make a process send its traces here soon. */
  readonly env: Readonly<Record<string, string>>;
  bodies(): readonly OtlpBody[];
  spans(): readonly OtlpSpan[];
}

/** A trace collector on loopback that keeps everything it receives. Closed when the file ends. */
export async function openCollector(): Promise<Collector> {
  const { url, heard } = await openListener();
  const bodies = () => heard.map(({ body }) => body as unknown as OtlpBody);
  return {
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: new URL('/', url).href,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    },
    bodies,
    spans: () =>
      bodies().flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
      ),
  };
}
