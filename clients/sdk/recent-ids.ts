/** Runs the work of each id once. Concurrent callers share the result; later ones learn that it was done. */
export interface RecentIds {
  once(id: string, run: () => unknown): Promise<'done' | 'repeated'>;
}

/** Remembers the last `max` successful ids. Failed ones are forgotten, because they are sent again. */
export function createRecentIds(max: number): RecentIds {
  const done = new Set<string>();
  const running = new Map<string, Promise<void>>();
  const remember = (id: string) => {
    done.delete(id);
    done.add(id);
    for (const oldest of done) {
      if (done.size <= max) return;
      done.delete(oldest);
    }
  };
  return {
    async once(id, run) {
      if (done.has(id)) {
        remember(id);
        return 'repeated';
      }
      const under = running.get(id);
      if (under !== undefined) return under.then(() => 'repeated' as const);
      const mine = (async () => void (await run()))();
      running.set(id, mine);
      try {
        await mine;
        remember(id);
        return 'done';
      } finally {
        running.delete(id);
      }
    },
  };
}
