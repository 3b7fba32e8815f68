import type { Ctx } from '../../../platform/context/context.ts';
import type { LeasedLane } from './lane.ts';
import type { LaneReads } from './lane-reads.ts';
import { type PreparedListener, prepareListener } from './prepare-listener.ts';

interface Deps {
  readonly ctx: Ctx;
  readonly laneReads: LaneReads;
  readonly userAgent: string;
}

/** Who gets the messages of a lane, as of the latest ask that was answered. */
export class ListenerOfLane {
  readonly #deps: Deps;
  readonly #lane: LeasedLane;
  #prepared: PreparedListener | undefined;
  #asked = 0;
  #answered = 0;

  constructor(deps: Deps, lane: LeasedLane) {
    [this.#deps, this.#lane] = [deps, lane];
  }

  /** Undefined while nothing may be sent. */
  get prepared(): PreparedListener | undefined {
    return this.#prepared;
  }

  async find(): Promise<void> {
    const nth = ++this.#asked;
    const prepared = await this.#ask();
    // A later ask was answered first: the listener may have changed in between.
    if (nth < this.#answered) return;
    this.#answered = nth;
    this.#prepared = prepared;
  }

  async #ask(): Promise<PreparedListener | undefined> {
    const { ctx, laneReads, userAgent } = this.#deps;
    const listener = await laneReads.findListener(this.#lane);
    if (listener === undefined) return undefined;
    try {
      return prepareListener(ctx, listener, userAgent);
    } catch (error) {
      // Of this listener alone: its messages wait for the key that is missing here, and nobody else's do.
      ctx.log.error({ err: error }, 'the secrets of a listener cannot be opened');
      return undefined;
    }
  }
}
