import type { Clock } from '../../../platform/clock/clock.ts';
import type { SendOutcome } from '../send-callback.ts';
import { type DueMessage, type Lane, laneKey } from './lane.ts';

/** Recorded instead of an attempt when the listener has just let all attempts time out. */
export const LISTENER_SILENT: SendOutcome = {
  status: null,
  error: 'listener silent',
  latencyMs: 0,
  answer: '',
};

interface ResponseState {
  /** The stop of the clock that this describes. */
  step: number;
  answered: boolean;
  silent: boolean;
  /** Consecutive stops at which it was silent. */
  inARow: number;
}

type Moved = Pick<DueMessage, 'moveNr'>;

/**
 * Handles listeners that do not answer while the sandbox clock is being moved. The clock waits for attempts, and
 * attempts take real time. When all concurrent attempts time out, the rest of that stop is not tried, and each such
 * stop halves the patience for the next one. This applies to the messages that the move waits for, and ends with the
 * move.
 */
export class SilentListeners {
  readonly #clock: Pick<Clock, 'move'>;
  #nr: number | undefined;
  readonly #states = new Map<string, ResponseState>();

  constructor(clock: Pick<Clock, 'move'>) {
    this.#clock = clock;
  }

  /** Whether the current clock move waits for this message. */
  #concerns({ moveNr }: Moved): boolean {
    const move = this.#clock.move();
    return move !== undefined && moveNr <= move.nr;
  }

  /** The state in the current move; undefined outside a move. */
  #of(lane: Lane): ResponseState | undefined {
    const move = this.#clock.move();
    if (move?.nr !== this.#nr) this.#states.clear();
    this.#nr = move?.nr;
    if (move === undefined) return undefined;
    const { step } = move;
    const key = laneKey(lane);
    const known = this.#states.get(key) ?? { step, answered: false, silent: false, inARow: 0 };
    if (known.step !== step) [known.step, known.answered, known.silent] = [step, false, false];
    this.#states.set(key, known);
    return known;
  }

  /** Whether to record the message as unanswered without sending it. */
  isGivenUp(lane: Lane, message: Moved): boolean {
    return this.#concerns(message) && this.#of(lane)?.silent === true;
  }

  /** The fraction of the usual time limit that an attempt gets. */
  patience(lane: Lane, message: Moved): number {
    return this.#concerns(message) ? 0.5 ** (this.#of(lane)?.inARow ?? 0) : 1;
  }

  /**
   * Index of the next waiting message to start, -1 if none may start. Messages caused by calls never take the last
   * place that the move needs: one message of the move may always be under way.
   */
  choose(
    lane: Lane,
    waiting: readonly Moved[],
    { hasPlace, sent }: { readonly hasPlace: boolean; readonly sent: ReadonlySet<Moved> },
  ): number {
    const state = this.#of(lane);
    if (state === undefined) return hasPlace ? 0 : -1;
    const first = () => waiting.findIndex((message) => this.#concerns(message));
    if (state.silent) {
      const nth = first();
      if (nth >= 0) return nth;
    }
    if (hasPlace) return 0;
    return sent.values().some((message) => this.#concerns(message)) ? -1 : first();
  }

  /** `sent` are the messages still under way. */
  ended(lane: Lane, message: Moved, outcome: SendOutcome, sent: ReadonlySet<Moved>): void {
    const state = this.#of(lane);
    if (state === undefined) return;
    if (outcome.status !== null) [state.answered, state.silent, state.inARow] = [true, false, 0];
    if (!outcome.isLate || !this.#concerns(message) || state.answered || state.silent) return;
    if (sent.values().some((other) => this.#concerns(other))) return;
    state.silent = true;
    state.inARow++;
  }
}
