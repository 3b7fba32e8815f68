/** The move of the clock that is under way, and the how-manieth stop of it this is. */
export interface MoveNow {
  readonly nr: number;
  readonly step: number;
}

/** Domain time: everything the interface dates, delays or expires. Real time stays real and is not read here. */
export interface Clock {
  now(): Date;
  offsetMs(): number;
  /** False while our clock is known to differ from the database's: what waits for its time is not to be begun by it. */
  isRight(): boolean;
  /**
   * The first move that waits for what is made now: the next one, because a move that waited for what calls bring
   * meanwhile would never end. The work of a move hands on the number that it has itself.
   */
  moveNr(): number;
  move(): MoveNow | undefined;
}

/** Where a move leads. */
export interface Destination {
  readonly to: Date;
  /** It ends no less than this far from real time, however long it takes. */
  readonly leastOffsetMs: number;
}

export interface MovableClock extends Clock {
  /** Begins anew from there. */
  standAs(state: ClockState): void;
  /** Stands still at `at` until it is released: frozen. */
  holdAt(at: Date): void;
  /** Runs on from where it stands. */
  release(): void;
  isHeld(): boolean;
  /** Runs on, so far from real time. */
  setOffset(offsetMs: number): void;
  reset(): void;
  /** From now on what is made belongs to the move after this one. */
  beginMove(destination: Destination): MoveNow;
  /** The next stop: goes there unless it is there already, and runs on, or stands still where it is frozen. */
  stepTo(at: Date): void;
  /** `arrived`: it has come to its end, and not been broken off on the way. */
  endMove(arrived: boolean): void;
}

export const realClock: Clock = {
  now: () => new Date(),
  offsetMs: () => 0,
  isRight: () => true,
  moveNr: () => 0,
  move: () => undefined,
};

/** What is done with this clock is the work of the move that is under way, if there is one. */
export const asWorkOfMove = (clock: Clock): Clock => ({
  ...clock,
  moveNr: () => clock.move()?.nr ?? clock.moveNr(),
});

/** What is done with this clock belongs to the move that `nr` says. */
export const withMoveNr = (clock: Clock, nr: number): Clock => ({ ...clock, moveNr: () => nr });

export interface ClockState {
  readonly offsetMs: number;
  readonly frozenAt: Date | null;
  /** Of the last move that was begun. */
  readonly moveNr: number;
  /** Of a move that is yet to go on: it holds for where the clock stands from the start. */
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
    // The work of its stops takes real time: that carries the clock no further than to where it is to end.
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
    beginMove(leadsTo) {
      destination = leadsTo;
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
