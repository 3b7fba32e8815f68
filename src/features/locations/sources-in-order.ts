import { CircuitBreaker } from '../../platform/flow-control/circuit-breaker.ts';
import {
  type PositionSource,
  SOURCE_FAILED,
  type SourceAnswer,
  SourceRefused,
  type SourceRequest,
  type Target,
} from './location.ts';

export interface BudgetedSource extends PositionSource {
  /** The most time it may take per request. */
  readonly budgetMs: number;
}

const CIRCUIT = { failuresMax: 5, openMs: 5_000 };
/** Failures that forbid locating the device: no further source is queried. */
const FINAL: readonly string[] = ['POSITIONING NOT ALLOWED', 'DISALLOWED BY LOCAL REGULATIONS'];

const isFinal = (answer: SourceAnswer | undefined): boolean =>
  answer !== undefined && ('fix' in answer || FINAL.includes(answer.failure.type));

/**
 * Combines sources: each is queried for the devices that the earlier ones did not find. If no source finds a device, the first
 * answer counts; if a source was not reached, that is the failure. A source that keeps failing is skipped for a while.
 */
export function sourcesInOrder(
  sources: readonly BudgetedSource[],
  onTrouble: (name: string, error: unknown) => void,
  onAnswer: (name: string) => void = () => {},
): PositionSource {
  const listed = sources.map((source) => ({ source, circuit: new CircuitBreaker(CIRCUIT) }));

  async function ask(
    { source, circuit }: (typeof listed)[number],
    targets: readonly Target[],
    { accuracy, timeLimitMs, signal }: SourceRequest,
  ) {
    const within = AbortSignal.any([signal, AbortSignal.timeout(timeLimitMs)]);
    return circuit.run(
      () => source.locate(targets, { accuracy, timeLimitMs, signal: within }),
      (error) => (error instanceof SourceRefused ? 'answer' : signal.aborted ? 'unknown' : 'failure'),
    );
  }

  return {
    name: sources.map(({ name }) => name).join(', '),
    batchMax: Math.min(...sources.map(({ batchMax }) => batchMax)),
    async locate(targets, request) {
      const endsMs = performance.now() + request.timeLimitMs;
      const answers = new Map<string, SourceAnswer>();
      const errors: unknown[] = [];
      for (const one of listed) {
        const open = targets.filter(({ deviceId }) => !isFinal(answers.get(deviceId)));
        const timeLimitMs = Math.min(one.source.budgetMs, Math.floor(endsMs - performance.now()));
        if (open.length === 0 || timeLimitMs <= 0) break;
        try {
          const found = await ask(one, open, { ...request, timeLimitMs });
          onAnswer(one.source.name);
          for (const [deviceId, answer] of found)
            if (isFinal(answer) || !answers.has(deviceId)) answers.set(deviceId, answer);
        } catch (error) {
          request.signal.throwIfAborted();
          onTrouble(one.source.name, error);
          errors.push(error);
        }
      }
      if (errors.length === 0) return answers;
      if (answers.size === 0) throw errors.find((error) => !(error instanceof SourceRefused)) ?? errors[0];
      for (const { deviceId } of targets)
        if (!isFinal(answers.get(deviceId))) answers.set(deviceId, { failure: SOURCE_FAILED });
      return answers;
    },
  };
}
