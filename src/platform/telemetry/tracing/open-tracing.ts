import { ConfigError } from '../../config/settings.ts';
import type { Log } from '../log.ts';
import { type Exporter, noTracing, type Tracing } from './tracing.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Uses the standard variables of OpenTelemetry: traces are off unless one of them sets a destination. */
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

/** Not part of the npm package, because they are large and most users want no traces. */
const PACKAGES: Readonly<Record<'all' | Exporter, readonly string[]>> = {
  all: ['@opentelemetry/api@1.9.1', '@opentelemetry/resources@2.12.1', '@opentelemetry/sdk-trace@2.12.1'],
  'http/protobuf': ['@opentelemetry/exporter-trace-otlp-proto@0.223.1'],
  'http/json': ['@opentelemetry/exporter-trace-otlp-http@0.223.1'],
  console: [],
};
export const TRACING_PACKAGES = Object.values(PACKAGES).flat();

function explain(error: unknown, exporter: Exporter): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (!code?.endsWith('MODULE_NOT_FOUND') || !message.includes("'@opentelemetry/")) return error;
  const names = [...PACKAGES.all, ...PACKAGES[exporter]].join(' ');
  return new ConfigError(
    `Traces need packages that are not installed: run npm install ${names} in the folder where linekeeper is installed, or unset all variables that begin with OTEL_.`,
  );
}

/** Loads the library only if traces are wanted, because it makes every start slower. */
export async function openTracing(env: Environment, log: Log, version: string): Promise<Tracing> {
  const exporter = wantedExporter(env);
  if (exporter === undefined) return noTracing;
  try {
    const { openTelemetry } = await import('./open-telemetry.ts');
    return await openTelemetry({ exporter, env, log, version });
  } catch (error) {
    throw explain(error, exporter);
  }
}
