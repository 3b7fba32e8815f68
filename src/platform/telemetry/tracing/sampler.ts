import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import { ConfigError } from '../../config/settings.ts';

const ROOTS: Readonly<Record<string, (ratio: number) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
};
const PARENT_BASED = 'parentbased_';

/** OTEL_TRACES_SAMPLER and its argument: which traces are kept. */
export function samplerOf(givenName?: string, givenArgument?: string): Sampler {
  // Empty is absent, as the specification of these variables has it.
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
