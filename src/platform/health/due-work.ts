import type { Ctx } from '../context/context.ts';
import type { Db } from '../db/db.ts';
import { createSweeper } from '../lanes/sweeper.ts';
import type { Health } from './health.ts';

/** What it costs is small beside looking for work to do, which happens more often. */
const LOOK_MS = 5_000;
const READ_MS = 2_000;

/** A piece of work, or a lane of it; by its key it is known again. */
export interface DueWork {
  readonly key: string;
  readonly dueAt: Date;
}

/**
 * The oldest that is due, that no living process holds, and that this one has a place for: undefined where there is
 * none. Goes across profiles and takes no locks.
 */
export type FindOldestDue = (db: Db) => Promise<DueWork | undefined>;

interface DueWorkOptions {
  readonly kinds: Readonly<Record<string, FindOldestDue>>;
  readonly maxAgeMs: number;
  /** While domain time is moved, what falls due on the way is worked step by step. */
  readonly isMoving: () => boolean;
}

export interface DueWorkCheck {
  start(): void;
  stop(): Promise<void>;
  /** For the metrics: by kind, how long the oldest has been seen to wait; 0 where nothing does. */
  agesSeconds(): Readonly<Record<string, number>>;
}

interface Seen {
  readonly key: string;
  readonly sinceMs: number;
  readonly ageMs: number;
}

/**
 * Looks from time to time for work that is due and is not done although this process could. How old it is goes by domain
 * time, and no further back than it has been seen: a clock that jumps, and work that a dead process has just left, make
 * nothing old at once.
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

  const sweeper = createSweeper({
    // Whoever claims fails where this does, and tells.
    loop: health.loop('due-work', { vital: false }),
    everyMs: Math.min(LOOK_MS, maxAgeMs / 2),
    async find() {
      const found = isLeftAlone() ? undefined : await read();
      // Also where that began meanwhile.
      if (found === undefined || isLeftAlone()) seen.clear();
      else for (const [kind, oldest] of found) note(kind, oldest);
      return seen.size;
    },
    onError: (error) => ctx.log.error({ err: error }, 'could not look for work that nobody does'),
  });

  const ageMs = (kind: string) => seen.get(kind)?.ageMs ?? 0;
  return {
    start() {
      for (const kind of Object.keys(kinds))
        health.addCheck(`${kind}.due`, () =>
          ageMs(kind) <= maxAgeMs
            ? undefined
            : `the oldest has waited for ${Math.round(ageMs(kind) / 1_000)} s, nobody does it, and there is room for it here`,
        );
      sweeper.start();
    },
    stop: sweeper.stop,
    agesSeconds: () => Object.fromEntries(Object.keys(kinds).map((kind) => [kind, ageMs(kind) / 1_000])),
  };
}
