/** The current move of the clock, and the number of its current stop. */
export interface MoveNow {
  readonly nr: number;
  readonly step: number;
}

/** Domain time: used for everything that the interface dates, delays or expires. Real time is not read here. */
export interface Clock {
  now(): Date;
  offsetMs(): number;
  /** False while our clock is known to differ from the database's: no work that waits for its time may start. */
  isRight(): boolean;
  /**
   * The first move that waits for work created now. That is the next move: a move that waited for work from calls made
   * during it would never end. The work of a move passes on its own number.
   */
  moveNr(): number;
  move(): MoveNow | undefined;
}

/** The target of a move. */
export interface Destination {
  readonly to: Date;
  /** At the end, the clock is at least this far from real time, however long the move takes. */
  readonly leastOffsetMs: number;
}

export interface MovableClock extends Clock {
  /** Starts again from this state. */
  standAs(state: ClockState): void;
  /** Freezes the clock at `at` until it is released. */
  holdAt(at: Date): void;
  /** Runs on from the frozen time. */
  release(): void;
  isHeld(): boolean;
  /** Runs with this offset from real time. */
  setOffset(offsetMs: number): void;
  reset(): void;
  /** Work created from now on belongs to the move after this one. */
  beginMove(destination: Destination): MoveNow;
  /** Moves to the next stop unless the clock is past it, then runs on, or stays still if frozen. */
  stepTo(at: Date): void;
  /** `arrived`: the move reached its target and was not interrupted. */
  endMove(arrived: boolean): void;
}

export const realClock: Clock = {
  now: () => new Date(),
  offsetMs: () => 0,
  isRight: () => true,
  moveNr: () => 0,
  move: () => undefined,
};

/** Work created with this clock belongs to the current move, if there is one. */
export const asWorkOfMove = (clock: Clock): Clock => ({
  ...clock,
  moveNr: () => clock.move()?.nr ?? clock.moveNr(),
});

/** Work created with this clock belongs to the move with number `nr`. */
export const withMoveNr = (clock: Clock, nr: number): Clock => ({ ...clock, moveNr: () => nr });

export interface ClockState {
  readonly offsetMs: number;
  readonly frozenAt: Date | null;
  /** The number of the last move that began. */
  readonly moveNr: number;
  /** The target of an interrupted move; it limits the clock from the start. */
  readonly destination?: Destination | undefined;
}

export function movableClock(start: ClockState = { offsetMs: 0, frozenAt: null, moveNr: 0 }): MovableClock {
  let offset: number;
  let heldAt: Date | undefined;
  let nextNr: number;
  let move: MoveNow | undefined;
  let destination: Destination | undefined;
  const standAs = (state: ClockState) => {
    offset = state.offsetMs;
    heldAt = state.frozenAt ?? undefined;
    nextNr = state.moveNr + 1;
    move = undefined;
    destination = state.destination;
  };
  standAs(start);
  const runningAt = (real: number): number => {
    const at = real + offset;
    // The work at stops takes real time, which must not carry the clock past its target.
    return destination === undefined
      ? at
      : Math.min(at, Math.max(destination.to.getTime(), real + destination.leastOffsetMs));
  };
  const now = () => heldAt ?? new Date(runningAt(Date.now()));
  const offsetMs = () => {
    const real = Date.now();
    return (heldAt?.getTime() ?? runningAt(real)) - real;
  };
  const setOffset = (ms: number) => {
    heldAt = undefined;
    destination = undefined;
    offset = ms;
  };
  return {
    now,
    offsetMs,
    isRight: () => true,
    moveNr: () => nextNr,
    move: () => move,
    isHeld: () => heldAt !== undefined,
    standAs,
    holdAt: (at) => {
      heldAt = at;
    },
    release: () => {
      if (heldAt !== undefined) setOffset(heldAt.getTime() - Date.now());
    },
    setOffset,
    reset: () => setOffset(0),
    beginMove(target) {
      destination = target;
      move = { nr: nextNr++, step: 0 };
      return move;
    },
    stepTo(at) {
      if (move !== undefined) move = { ...move, step: move.step + 1 };
      if (heldAt === undefined) offset = Math.max(offset, at.getTime() - Date.now());
      else if (at > heldAt) heldAt = at;
    },
    endMove(arrived) {
      const reached = offsetMs();
      if (heldAt === undefined)
        offset = Math.max(
          reached,
          arrived && destination !== undefined ? destination.leastOffsetMs : reached,
        );
      destination = undefined;
      move = undefined;
    },
  };
}
