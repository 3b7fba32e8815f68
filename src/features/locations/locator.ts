import { parseDeviceErrorType } from '../../kernel/device-error.ts';
import { CircuitBreaker } from '../../platform/flow-control/circuit-breaker.ts';
import { FairSlots } from '../../platform/flow-control/fair-slots.ts';
import type { Accuracy } from '../consents/index.ts';
import {
  type DeviceFailure,
  type Fix,
  NO_LOCATION,
  type PositionSource,
  type SourceAnswer,
  SourceRefused,
  type Target,
} from './location.ts';

/** For one request to the source. */
const TIME_LIMIT_MS = 10_000;
/** Allowed delay of a source that keeps to its time limit. */
const GRACE_MS = 1_000;
/** Concurrent requests to the source, shared fairly among all accounts. */
const CONCURRENCY = 32;
/** Limit of waiting requests. More would wait too long to be of use. */
const WAITING_MAX = 2_000;
const CIRCUIT = { failuresMax: 5, openMs: 5_000 };

interface Located {
  /** Complete unless `trouble` is set. */
  readonly answers: ReadonlyMap<string, SourceAnswer>;
  /** Why some devices have no answer: the source refused or was not reached. */
  readonly trouble: 'refused' | 'unreachable' | undefined;
}

export type Locator = ReturnType<typeof createLocator>;

const isRefusal = (error: unknown) => error instanceof SourceRefused;

/** Queries a position source within limits for batch size, concurrency and time. A circuit breaker pauses it while it is down. */
export function createLocator(
  source: PositionSource | undefined,
  onTrouble: (error: unknown) => void,
  { timeLimitMs = TIME_LIMIT_MS }: { timeLimitMs?: number } = {},
) {
  const slots = new FairSlots(CONCURRENCY, WAITING_MAX);
  const circuit = new CircuitBreaker(CIRCUIT);
  const counts = { fixes: 0, failures: 0, refused: 0, unreachable: 0 };

  const ask = (
    { locate }: PositionSource,
    batch: readonly Target[],
    accuracy: Accuracy,
    signal: AbortSignal | undefined,
  ) =>
    circuit.run(
      async () => {
        signal?.throwIfAborted();
        const late = AbortSignal.timeout(timeLimitMs + GRACE_MS);
        const ended = signal === undefined ? late : AbortSignal.any([late, signal]);
        const aborted = new Promise<never>((_, reject) =>
          ended.addEventListener('abort', () => reject(ended.reason), { once: true }),
        );
        return Promise.race([locate(batch, { accuracy, timeLimitMs, signal: ended }), aborted]);
      },
      // An abort by the caller says nothing about the source.
      (error) => (isRefusal(error) ? 'answer' : signal?.aborted ? 'unknown' : 'failure'),
    );

  async function locateAll(
    from: PositionSource,
    targets: readonly Target[],
    accuracy: Accuracy,
    signal: AbortSignal | undefined,
  ): Promise<Located> {
    const answers = new Map<string, SourceAnswer>();
    let trouble: Located['trouble'];
    const lane = targets[0]?.accountName ?? '';
    const locateBatch = async (batch: readonly Target[]) => {
      try {
        const found = await slots.run(lane, () => ask(from, batch, accuracy, signal), signal);
        for (const { deviceId } of batch) {
          const answer = found.get(deviceId);
          answers.set(deviceId, answer ? checkAnswer(answer, onTrouble) : { failure: NO_LOCATION });
        }
      } catch (error) {
        onTrouble(error);
        const kind = isRefusal(error) ? 'refused' : 'unreachable';
        counts[kind]++;
        trouble = trouble === 'unreachable' ? trouble : kind;
      }
    };
    const batches = Array.from({ length: Math.ceil(targets.length / from.batchMax) }, (_, n) =>
      targets.slice(n * from.batchMax, (n + 1) * from.batchMax),
    );
    await Promise.all(batches.map(locateBatch));
    for (const answer of answers.values()) counts['fix' in answer ? 'fixes' : 'failures']++;
    return { answers, trouble };
  }

  return {
    counts,
    countWaiting: () => slots.waiting,
    isCircuitOpen: () => circuit.isOpen,
    /** Locates any number of devices of one account. */
    async locate(targets: readonly Target[], accuracy: Accuracy, signal?: AbortSignal): Promise<Located> {
      if (source !== undefined) return locateAll(source, targets, accuracy, signal);
      const answers = new Map(targets.map(({ deviceId }) => [deviceId, { failure: NO_LOCATION }]));
      return { answers, trouble: undefined };
    },
  };
}

const INFO_MAX = 200;

const isPossible = ({ latitude, longitude, radiusM, at }: Fix): boolean =>
  Math.abs(latitude) <= 90 &&
  Math.abs(longitude) <= 180 &&
  radiusM >= 0 &&
  Number.isFinite(radiusM) &&
  !Number.isNaN(at.getTime());

function validFailure({ type, info }: DeviceFailure): DeviceFailure {
  const known = parseDeviceErrorType(type) ?? 'UNSPECIFIED ERROR';
  return { type: known, info: info?.replaceAll('\0', '').slice(0, INFO_MAX) };
}

/** Replaces an invalid answer by a failure, so that it does not keep the valid ones from being written. */
function checkAnswer(answer: SourceAnswer, onNonsense: (error: unknown) => void): SourceAnswer {
  if ('failure' in answer) return { failure: validFailure(answer.failure) };
  if (isPossible(answer.fix)) return answer;
  onNonsense(new Error('the position source returned an impossible position'));
  return { failure: { type: 'POSITION METHOD FAILURE' } };
}
