import { ConfigError } from '../../config/settings.ts';
import type { Log } from '../log.ts';
import { type Exporter, noTracing, type Tracing } from './tracing.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** By the variables that every user of OpenTelemetry knows: off unless one of them says where traces go. */
export function wantedExporter(env: Environment): Exporter | undefined {
  if (env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return undefined;
  const named = env['OTEL_TRACES_EXPORTER'];
  if (named === 'console') return named;
  if (named === 'otlp') return protocolOf(env);
  if (named === 'none') return undefined;
  if (named !== undefined && named !== '')
    throw new ConfigError(`OTEL_TRACES_EXPORTER is otlp, console or none, not ${named}.`);
  const endpoint = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  return endpoint ? protocolOf(env) : undefined;
}

function protocolOf(env: Environment): Exporter {
  const protocol = env['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] || env['OTEL_EXPORTER_OTLP_PROTOCOL'];
  if (!protocol) return 'http/protobuf';
  if (protocol === 'http/protobuf' || protocol === 'http/json') return protocol;
  throw new ConfigError(`OTEL_EXPORTER_OTLP_PROTOCOL is http/protobuf or http/json, not ${protocol}.`);
}

/** The library is loaded only where traces are wanted: it makes every start slower. */
export async function openTracing(env: Environment, log: Log, version: string): Promise<Tracing> {
  const exporter = wantedExporter(env);
  if (exporter === undefined) return noTracing;
  const { openTelemetry } = await import('./open-telemetry.ts');
  return openTelemetry({ exporter, env, log, version });
}
