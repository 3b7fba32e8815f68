import { RecentMap } from '../../../kernel/recent-map.ts';
import { realClock } from '../../../platform/clock/clock.ts';

/** Gives one answer to all callers who ask for the same. An answer that fails is not shared. */
type ShareAnswer<T> = (key: string, find: () => Promise<T>) => Promise<T>;

interface Shared<T> {
  readonly untilMs: number;
  readonly answer: Promise<T>;
}

export function shareAnswers<T>(
  { forMs, keysMax }: { readonly forMs: number; readonly keysMax: number },
  realNow: () => Date = realClock.now,
): ShareAnswer<T> {
  const known = new RecentMap<string, Shared<T>>(keysMax);
  return (key, find) => {
    const nowMs = realNow().getTime();
    const shared = known.get(key);
    if (shared !== undefined && shared.untilMs > nowMs) return shared.answer;
    const answer = find();
    known.set(key, { untilMs: nowMs + forMs, answer });
    answer.catch(() => {
      if (known.get(key)?.answer === answer) known.delete(key);
    });
    return answer;
  };
}
