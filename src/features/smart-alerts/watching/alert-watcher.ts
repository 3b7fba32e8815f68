import { setTimeout as sleep } from 'node:timers/promises';
import type { TimedWork } from '../../../platform/clock-mover.ts';
import type { Ctx } from '../../../platform/context.ts';
import type { FindOldestDue } from '../../../platform/health/due-work.ts';
import { eachApart } from '../../../platform/health/each-apart.ts';
import { createHealth, type Health } from '../../../platform/health/health.ts';
import { createSweeper } from '../../../platform/sweeper.ts';
import { followChanges } from './follow-changes.ts';
import { followDue, type WatchDeps } from './follow-due.ts';
import { countChanges, hasChanges, listProfilesWithChanges } from './sql-change.ts';
import { countDue, findNextDue, findOldestDue, listProfilesDue } from './sql-state.ts';

/** Of these rows, in the order in which they fell due, the profiles get a turn each. */
const DUE_SEEN = 10_000;
/** Until somebody else, who holds what is due, may have ended. */
const HELD_POLL_MS = 20;

export interface AlertWatcher extends TimedWork {
  start(): void;
  stop(): Promise<void>;
  readonly findOldestDue: FindOldestDue;
}

/**
 * Does what only time makes due, and what follows from changes of rules. Every process may run one: what is due is a row,
 * and whoever holds its device and commits has done it.
 */
export function createAlertWatcher(ctx: Ctx, deps: WatchDeps, health: Health = createHealth()): AlertWatcher {
  let stopping = false;
  const onError = (error: unknown) => ctx.log.error({ err: error }, 'could not look for rules that are due');

  async function look(): Promise<number> {
    if (!ctx.clock.isRight()) return 0;
    const changed = await listProfilesWithChanges(ctx.db);
    const due = await listProfilesDue(ctx.db, ctx.now(), DUE_SEEN);
    const turns = [
      ...changed.map((ecpdId) => ({ ecpdId, follow: followChanges })),
      ...due.map((ecpdId) => ({ ecpdId, follow: followDue })),
    ];
    return eachApart(
      turns,
      async ({ ecpdId, follow }) => (stopping ? 0 : follow(ctx, ecpdId, deps)),
      onError,
    );
  }

  const sweeper = createSweeper({
    async find() {
      const found = await look();
      // What was done may have made more due.
      if (found > 0) sweeper.soon();
      return found;
    },
    loop: health.loop('rules.follow'),
    onError,
  });

  const nextDueAt = async () => ((await hasChanges(ctx.db)) ? ctx.now() : findNextDue(ctx.db));

  return {
    start: sweeper.start,
    stop() {
      stopping = true;
      return sweeper.stop();
    },
    nextDueAt,
    async findOldestDue(db) {
      const oldest = await findOldestDue(db, ctx.now());
      return oldest && { key: oldest.ruleId, dueAt: oldest.dueAt };
    },
    async settle(signal) {
      let ran = 0;
      while (!signal?.aborted) {
        const done = await look();
        ran += done;
        if (done > 0) continue;
        const next = await nextDueAt();
        if (next === undefined || next > ctx.now()) break;
        await sleep(HELD_POLL_MS);
      }
      return ran;
    },
    countUnfinished: async (until) => (await countDue(ctx.db, until)) + (await countChanges(ctx.db)),
  };
}
