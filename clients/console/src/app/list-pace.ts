/** A list is read page by page: after a quiet time its news shows soon, and the more there is of it, the longer the next waits. */
const [SOON_MS, LATEST_MS] = [1_000, 10_000];

interface Last {
  readonly atMs: number;
  readonly pauseMs: number;
}

export interface ListPace {
  /** How long the lists of a topic are left as they are: not above zero when they may be read now. */
  waitMs(topic: string): number;
  /** They are read now. */
  noteRead(topic: string): void;
}

/** How often lists are read again. */
export function createListPace(nowMs = () => performance.now()): ListPace {
  const lasts = new Map<string, Last>();
  const waitMs = (topic: string): number => {
    const last = lasts.get(topic);
    return last === undefined ? Number.NEGATIVE_INFINITY : last.atMs + last.pauseMs - nowMs();
  };
  return {
    waitMs,
    noteRead(topic) {
      const before = lasts.get(topic);
      const isQuiet = before === undefined || waitMs(topic) < -LATEST_MS;
      lasts.set(topic, {
        atMs: nowMs(),
        pauseMs: isQuiet ? SOON_MS : Math.min(2 * before.pauseMs, LATEST_MS),
      });
    },
  };
}
