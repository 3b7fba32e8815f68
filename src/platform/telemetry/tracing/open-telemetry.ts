import { DiagLogLevel, diag, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ConsoleSpanExporter,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { ConfigError } from '../../config/settings.ts';
import { within } from '../../flow-control/limits.ts';
import type { Log } from '../log.ts';
import { type Begun, type Exporter, parseTraceParent, type Tracing } from './tracing.ts';

/** Time limit for a collector that does not answer, so that the process can end. */
const CLOSE_MS = 5_000;

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };

/** Loaded on demand, so that the other exporter need not be installed. */
const EXPORTERS: Readonly<Record<Exporter, () => Promise<new () => SpanExporter>>> = {
  console: async () => ConsoleSpanExporter,
  'http/json': async () => (await import('@opentelemetry/exporter-trace-otlp-http')).OTLPTraceExporter,
  'http/protobuf': async () => (await import('@opentelemetry/exporter-trace-otlp-proto')).OTLPTraceExporter,
};

interface Wanted {
  readonly exporter: Exporter;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  readonly version: string;
}

/** Empty means absent, as the specification of these variables says; text that is not a number is ignored. */
function numberOf(text: string | undefined): number | undefined {
  const value = text ? Number(text) : Number.NaN;
  return Number.isNaN(value) ? undefined : value;
}

async function processorOf({ exporter, env }: Wanted): Promise<BatchSpanProcessor> {
  const SpanExporter = await EXPORTERS[exporter]();
  const scheduledDelayMillis = numberOf(env['OTEL_BSP_SCHEDULE_DELAY']);
  const maxQueueSize = numberOf(env['OTEL_BSP_MAX_QUEUE_SIZE']);
  return new BatchSpanProcessor({
    exporter: new SpanExporter(),
    ...(scheduledDelayMillis !== undefined && { scheduledDelayMillis }),
    ...(maxQueueSize !== undefined && { maxQueueSize }),
  });
}

/** Sends messages of the library to the log. */
function sendMessagesTo(log: Log): void {
  const warn = (message: string) => log.warn({ from: 'opentelemetry' }, message);
  const ignore = () => {};
  diag.setLogger(
    { error: warn, warn, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}

export async function openTelemetry(wanted: Wanted): Promise<Tracing> {
  const { env, log, version } = wanted;
  sendMessagesTo(log);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'linekeeper', 'service.version': version }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    sampler: samplerOf(env['OTEL_TRACES_SAMPLER'], env['OTEL_TRACES_SAMPLER_ARG']),
    spanProcessors: [await processorOf(wanted)],
  });
  const tracer = provider.getTracer('linekeeper', version);

  return {
    begin(name: string, { kind, parent, attributes = {} }: Begun) {
      const from = parseTraceParent(parent);
      const context =
        from === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...from, isRemote: true });
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, context);
      const { traceId, spanId, traceFlags } = span.spanContext();
      return {
        traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
        end({ failure, attributes: found = {} } = {}) {
          span.setAttributes(found);
          if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
          span.end();
        },
      };
    },
    async close() {
      await within(CLOSE_MS, provider.shutdown()).catch((error: unknown) =>
        log.warn({ err: error }, 'the last traces were not sent'),
      );
    },
  };
}

const ROOTS: Readonly<Record<string, (ratio: number) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
};
const PARENT_BASED = 'parentbased_';

/** OTEL_TRACES_SAMPLER and its argument decide which traces are kept. */
export function samplerOf(givenName?: string, givenArgument?: string): Sampler {
  // Empty means absent, as the specification of these variables says.
  const name = givenName || `${PARENT_BASED}always_on`;
  const argument = givenArgument || '1';
  const root = ROOTS[name.replace(PARENT_BASED, '')];
  const ratio = Number(argument);
  if (root === undefined) {
    const known = Object.keys(ROOTS).flatMap((each) => [each, `${PARENT_BASED}${each}`]);
    throw new ConfigError(`OTEL_TRACES_SAMPLER is one of ${known.join(', ')}, not ${name}.`);
  }
  if (!(ratio >= 0 && ratio <= 1))
    throw new ConfigError(`OTEL_TRACES_SAMPLER_ARG is a number from 0 to 1, not ${argument}.`);
  return name.startsWith(PARENT_BASED) ? new ParentBasedSampler({ root: root(ratio) }) : root(ratio);
}
