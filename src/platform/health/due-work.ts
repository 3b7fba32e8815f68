import type { Ctx } from '../context/context.ts';
import type { Db } from '../db/db.ts';
import { createSweeper } from '../lanes/sweeper.ts';
import type { Health } from './health.ts';

/** The cost is small compared with the claiming queries, which run more often. */
const CHECK_MS = 5_000;
const READ_MS = 2_000;

/** A piece of work or its lane. The key identifies it across checks. */
export interface DueWork {
  readonly key: string;
  readonly dueAt: Date;
}

/**
 * The oldest due work that no living process holds and that this process has a place for, or undefined. Queries all
 * profiles and takes no locks.
 */
export type FindOldestDue = (db: Db) => Promise<DueWork | undefined>;

interface DueWorkOptions {
  readonly kinds: Readonly<Record<string, FindOldestDue>>;
  readonly maxAgeMs: number;
  /** During a move of domain time, due work is done step by step. */
  readonly isMoving: () => boolean;
}

export interface DueWorkCheck {
  start(): void;
  stop(): Promise<void>;
  /** For the metrics: how long the oldest due work of each kind has been waiting; 0 if there is none. */
  agesSeconds(): Readonly<Record<string, number>>;
}

interface Seen {
  readonly key: string;
  readonly sinceMs: number;
  readonly ageMs: number;
}

/**
 * Checks at intervals for due work that is not done although this process could do it. Its age is in domain time, but at
 * most the time since the check first found it. So a clock that jumps, and work that a dead process has just left, do not
 * look old at once.
 */
export function createDueWorkCheck(
  ctx: Ctx,
  health: Health,
  { kinds, maxAgeMs, isMoving }: DueWorkOptions,
): DueWorkCheck {
  const seen = new Map<string, Seen>();
  const note = (kind: string, found: DueWork | undefined): void => {
    if (found === undefined) return void seen.delete(kind);
    const before = seen.get(kind);
    const nowMs = performance.now();
    const sinceMs = before?.key === found.key ? before.sinceMs : nowMs;
    const dueForMs = ctx.now().getTime() - found.dueAt.getTime();
    seen.set(kind, { key: found.key, sinceMs, ageMs: Math.max(0, Math.min(dueForMs, nowMs - sinceMs)) });
  };
  const read = () =>
    ctx.db.tx(
      async (db) => {
        await db.allowTime(READ_MS);
        const found = new Map<string, DueWork | undefined>();
        for (const [kind, findOldest] of Object.entries(kinds)) found.set(kind, await findOldest(db));
        return found;
      },
      { readOnly: true },
    );
  const isLeftAlone = () => isMoving() || !ctx.clock.isRight();

  const everyMs = Math.min(CHECK_MS, maxAgeMs / 2);
  const sweeper = createSweeper({
    // Claiming fails in the same way, and its loop reports that.
    loop: health.loop('due-work', { vital: false }),
    // At the start, the work that is due is only just being claimed.
    ...{ everyMs, firstMs: everyMs },
    async find() {
      const found = isLeftAlone() ? undefined : await read();
      // A move may also have begun during the query.
      if (found === undefined || isLeftAlone()) seen.clear();
      else for (const [kind, oldest] of found) note(kind, oldest);
      return seen.size;
    },
    onError: (error) => ctx.log.error({ err: error }, 'could not check for due work that is not done'),
  });

  const ageMs = (kind: string) => seen.get(kind)?.ageMs ?? 0;
  return {
    start() {
      for (const kind of Object.keys(kinds))
        health.addCheck(`${kind}.due`, () =>
          ageMs(kind) <= maxAgeMs
            ? undefined
            : `the oldest has waited for ${Math.round(ageMs(kind) / 1_000)} s, no process does it, and this one has a free place`,
        );
      sweeper.start();
    },
    stop: sweeper.stop,
    agesSeconds: () => Object.fromEntries(Object.keys(kinds).map((kind) => [kind, ageMs(kind) / 1_000])),
  };
}
