import type { Ctx } from '../../../platform/context/context.ts';
import type { LeasedLane } from './lane.ts';
import type { LaneReads } from './lane-reads.ts';
import { type PreparedListener, prepareListener } from './prepare-listener.ts';

interface Deps {
  readonly ctx: Ctx;
  readonly laneReads: LaneReads;
  readonly userAgent: string;
}

/** The listener of a lane, according to the latest query that was answered. */
export class ListenerOfLane {
  readonly #deps: Deps;
  readonly #lane: LeasedLane;
  #prepared: PreparedListener | undefined;
  #lastQuery = 0;
  #lastAnswered = 0;

  constructor(deps: Deps, lane: LeasedLane) {
    [this.#deps, this.#lane] = [deps, lane];
  }

  /** Undefined while nothing may be sent. */
  get prepared(): PreparedListener | undefined {
    return this.#prepared;
  }

  async find(): Promise<void> {
    const nth = ++this.#lastQuery;
    const prepared = await this.#query();
    // A later query was answered first: the listener may have changed in between.
    if (nth < this.#lastAnswered) return;
    this.#lastAnswered = nth;
    this.#prepared = prepared;
  }

  async #query(): Promise<PreparedListener | undefined> {
    const { ctx, laneReads, userAgent } = this.#deps;
    const listener = await laneReads.findListener(this.#lane);
    if (listener === undefined) return undefined;
    try {
      return prepareListener(ctx, listener, userAgent);
    } catch (error) {
      // Affects this listener only: its messages wait for the missing key, and no others do.
      ctx.log.error({ err: error }, 'could not open the secrets of a listener');
      return undefined;
    }
  }
}
