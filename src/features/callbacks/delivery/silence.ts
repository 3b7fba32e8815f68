import type { Clock } from '../../../platform/clock/clock.ts';
import type { SendOutcome } from '../send-callback.ts';
import { type DueMessage, type Lane, laneKey } from './lane.ts';

/** Instead of an attempt, where the listener has just let all of them time out. */
export const LISTENER_SILENT: SendOutcome = {
  status: null,
  error: 'listener silent',
  latencyMs: 0,
  answer: '',
};

interface Manner {
  /** The stop of the clock that this is about. */
  step: number;
  answered: boolean;
  silent: boolean;
  /** Stops in a row at which it was silent. */
  inARow: number;
}

type Moved = Pick<DueMessage, 'moveNr'>;

/**
 * Listeners that do not answer while the sandbox's clock is moved. The clock waits for attempts, and these for real time:
 * where all that run side by side time out, the rest of that stop is not tried, and each such stop halves the patience
 * for the next one. It holds for the messages that the move waits for, and ends with the move.
 */
export class SilentListeners {
  readonly #clock: Pick<Clock, 'move'>;
  #nr: number | undefined;
  readonly #manners = new Map<string, Manner>();

  constructor(clock: Pick<Clock, 'move'>) {
    this.#clock = clock;
  }

  /** Whether the move that is under way waits for this message. */
  #concerns({ moveNr }: Moved): boolean {
    const move = this.#clock.move();
    return move !== undefined && moveNr <= move.nr;
  }

  /** In the move that is under way; undefined while none is. */
  #of(lane: Lane): Manner | undefined {
    const move = this.#clock.move();
    if (move?.nr !== this.#nr) this.#manners.clear();
    this.#nr = move?.nr;
    if (move === undefined) return undefined;
    const { step } = move;
    const key = laneKey(lane);
    const known = this.#manners.get(key) ?? { step, answered: false, silent: false, inARow: 0 };
    if (known.step !== step) [known.step, known.answered, known.silent] = [step, false, false];
    this.#manners.set(key, known);
    return known;
  }

  /** Whether the message is to be recorded as not answered without being sent. */
  isGivenUp(lane: Lane, message: Moved): boolean {
    return this.#concerns(message) && this.#of(lane)?.silent === true;
  }

  /** The part of the usual time that an attempt gets. */
  patience(lane: Lane, message: Moved): number {
    return this.#concerns(message) ? 0.5 ** (this.#of(lane)?.inARow ?? 0) : 1;
  }

  /**
   * The place of the next one to begin among those that wait, -1 where none may. What calls bring meanwhile does not
   * take the last place of a move, which would then wait for it: one message of the move may always be under way.
   */
  choose(
    lane: Lane,
    waiting: readonly Moved[],
    { hasPlace, sent }: { readonly hasPlace: boolean; readonly sent: ReadonlySet<Moved> },
  ): number {
    const manner = this.#of(lane);
    if (manner === undefined) return hasPlace ? 0 : -1;
    const first = () => waiting.findIndex((message) => this.#concerns(message));
    if (manner.silent) {
      const nth = first();
      if (nth >= 0) return nth;
    }
    if (hasPlace) return 0;
    return sent.values().some((message) => this.#concerns(message)) ? -1 : first();
  }

  /** An attempt has ended; `sent` are those that still are under way. */
  ended(lane: Lane, message: Moved, outcome: SendOutcome, sent: ReadonlySet<Moved>): void {
    const manner = this.#of(lane);
    if (manner === undefined) return;
    if (outcome.status !== null) [manner.answered, manner.silent, manner.inARow] = [true, false, 0];
    if (!outcome.isLate || !this.#concerns(message) || manner.answered || manner.silent) return;
    if (sent.values().some((other) => this.#concerns(other))) return;
    manner.silent = true;
    manner.inARow++;
  }
}
