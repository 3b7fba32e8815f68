import { setTimeout as sleep } from 'node:timers/promises';
import { CircuitBreaker, CircuitOpen } from '../../../platform/flow-control/circuit-breaker.ts';
import type { LineOrder, NetworkElement, OrderOutcome } from '../port.ts';

/** While the breaker is open, the element is tried this often. */
const OPEN_MS = 10_000;
/** The breaker opens after this many consecutive batches without success. */
const FAILURES_MAX = 3;
/** Adapters end their own calls sooner than this. */
const CALL_MAX_MS = 90_000;
const REASON_MAX = 300;

/** No order of a batch could be carried out now. */
class NothingDone extends Error {
  readonly outcomes: readonly OrderOutcome[];
  constructor(outcomes: readonly OrderOutcome[]) {
    super('nothing was done');
    this.outcomes = outcomes;
  }
}

/** An element as workers see it: it is left alone for a while when it does not answer. */
export interface GuardedElement {
  readonly name: string;
  readonly batchMax: number;
  readonly isOpen: boolean;
  /** Undefined if the element was not called, because it did not answer before. */
  carryOut(orders: readonly LineOrder[], signal: AbortSignal): Promise<readonly OrderOutcome[] | undefined>;
}

/** An element's text without characters that the database rejects: one would fail the recording of its batch. */
const readable = (reason: string): string =>
  reason.toWellFormed().replaceAll('\u0000', '').slice(0, REASON_MAX) || 'no reason was given';

const toReadable = (outcome: OrderOutcome): OrderOutcome =>
  'reason' in outcome ? { ...outcome, reason: readable(outcome.reason) } : outcome;

async function call(
  element: NetworkElement,
  orders: readonly LineOrder[],
  stopping: AbortSignal,
): Promise<readonly OrderOutcome[]> {
  const over = new AbortController();
  const signal = AbortSignal.any([stopping, over.signal]);
  const limit = sleep(CALL_MAX_MS, undefined, { signal: over.signal, ref: false }).then(
    () => undefined,
    () => undefined,
  );
  try {
    const outcomes = await Promise.race([element.carryOut(orders, signal), limit]);
    return orders.map((_, n) => toReadable(outcomes?.[n] ?? { outcome: 'failed', reason: 'no answer' }));
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'no answer';
    return orders.map(() => ({ outcome: 'failed', reason: readable(reason) }));
  } finally {
    over.abort();
  }
}

export function guardElement(
  element: NetworkElement,
  { openMs = OPEN_MS }: { readonly openMs?: number } = {},
): GuardedElement {
  const breaker = new CircuitBreaker({ failuresMax: FAILURES_MAX, openMs });
  return {
    name: element.name,
    batchMax: element.batchMax,
    get isOpen() {
      return breaker.isOpen;
    },
    async carryOut(orders, signal) {
      try {
        return await breaker.run(async () => {
          const outcomes = await call(element, orders, signal);
          if (outcomes.every(({ outcome }) => outcome === 'failed')) throw new NothingDone(outcomes);
          return outcomes;
        });
      } catch (error) {
        if (error instanceof NothingDone) return error.outcomes;
        if (error instanceof CircuitOpen) return undefined;
        throw error;
      }
    },
  };
}
