/** What a statement has not got from the replica by then, it gets from the primary, which leaves it more time. */
export const REPLICA_STATEMENT_MS = 2_500;
/** A replica that is there says itself that the time is over. */
const LATER_MS = 500;

export interface Waiting {
  /** Rejects when a statement gets no answer. */
  readonly silence: Promise<never>;
  ask<T>(statement: () => Promise<T>): Promise<T>;
  /** From here on each statement may take this long. */
  allow(ms: number): void;
  end(): void;
}

/**
 * The patience of one read: a replica that has vanished closes nothing, and its connections would be waited for. It waits
 * for each statement anew, because many of them may rightly take long.
 */
export function beginWaiting(): Waiting {
  const { promise: silence, reject } = Promise.withResolvers<never>();
  let statementMs = REPLICA_STATEMENT_MS;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const late = () => Object.assign(new Error('the replica does not answer'), { code: 'ETIMEDOUT' });
  const again = () => {
    clearTimeout(timer);
    if (isOver) return;
    timer = setTimeout(() => {
      isOver = true;
      reject(late());
    }, statementMs + LATER_MS);
  };
  again();
  return {
    silence,
    async ask(statement) {
      // Who was given up may come to life again: nobody wants the rest.
      if (isOver) throw late();
      again();
      return statement().finally(again);
    },
    allow(ms) {
      statementMs = ms;
      again();
    },
    end() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
