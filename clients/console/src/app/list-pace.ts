/** Delay before a list is refetched: short after a quiet time, longer while changes keep arriving. */
const [SOON_MS, LATEST_MS] = [1_000, 10_000];

interface Last {
  readonly atMs: number;
  readonly pauseMs: number;
}

export interface ListPace {
  /** Milliseconds until the lists of a topic may be refetched; zero or less means now. */
  waitMs(topic: string): number;
  /** Records that the lists are being refetched now. */
  noteRead(topic: string): void;
}

/** Limits how often lists are refetched. */
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
