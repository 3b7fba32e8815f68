/** Domain time: everything the interface dates, delays or expires. Real time stays real and is not read here. */
export interface Clock {
  now(): Date;
  offsetMs(): number;
  /** False while our clock is known to differ from the database's: what waits for its time is not to be begun by it. */
  isRight(): boolean;
}

export interface MovableClock extends Clock {
  /** Stands still at `at` until released, so that all work due at one moment sees that moment. */
  holdAt(at: Date): void;
  /** Runs on from where it stands. */
  release(): void;
  /** Runs on, so far from real time. */
  setOffset(offsetMs: number): void;
  reset(): void;
}

export const realClock: Clock = { now: () => new Date(), offsetMs: () => 0, isRight: () => true };

export function movableClock(offsetMs = 0): MovableClock {
  let offset = offsetMs;
  let heldAt: Date | undefined;
  const setOffset = (ms: number) => {
    heldAt = undefined;
    offset = ms;
  };
  return {
    now: () => heldAt ?? new Date(Date.now() + offset),
    offsetMs: () => (heldAt === undefined ? offset : heldAt.getTime() - Date.now()),
    isRight: () => true,
    holdAt: (at) => {
      heldAt = at;
    },
    release: () => {
      if (heldAt === undefined) return;
      offset = heldAt.getTime() - Date.now();
      heldAt = undefined;
    },
    setOffset,
    reset: () => setOffset(0),
  };
}
