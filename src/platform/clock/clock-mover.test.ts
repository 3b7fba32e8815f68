import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { makeCtx } from '../../../test/support/ctx.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import type { RecurringWork, TimedWork } from '../flow-control/timed-work.ts';
import { createClockMover, StillMoving } from './clock-mover.ts';
import { findSavedClock } from './clock-row.ts';

const { db, drop } = await freshDatabase();
after(drop);
const START = new Date('2026-01-05T00:00:00Z');
const at = (minutes: number) => new Date(START.getTime() + minutes * 60_000);

/** Work at the given minutes; a run may add more. */
function workAt(
  minutes: number[],
  ctx: ReturnType<typeof makeCtx>,
  onRun: (minute: number, due: number[]) => void | Promise<void>,
) {
  const due = [...minutes];
  const work: TimedWork = {
    nextDueAt: async (scope) =>
      due
        .map(at)
        .filter((each) => each > scope!.after)
        .sort((a, b) => a.getTime() - b.getTime())[0],
    async settle() {
      const now = (ctx.now().getTime() - START.getTime()) / 60_000;
      const ready = due.filter((minute) => minute <= now);
      for (const minute of ready) {
        due.splice(due.indexOf(minute), 1);
        await onRun(minute, due);
      }
      return ready.length;
    },
    countUnfinished: async (until) => due.filter((minute) => at(minute) <= until).length,
  };
  return work;
}

describe('moving the clock', () => {
  it('stops at each due time in order, over all kinds of work, and ends at the target', async () => {
    const ctx = makeCtx(db, START);
    const seen: [string, number][] = [];
    const note = (name: string) => (minute: number) => {
      seen.push([name, minute]);
      assert.deepEqual(ctx.now(), at(minute), 'work sees exactly the time it was due');
    };
    const mover = createClockMover(db, ctx.clock, [
      workAt([5, 20, 99], ctx, note('a')),
      workAt([3, 10], ctx, note('b')),
    ]);
    const move = mover.moveTo(at(30));
    await move.done;
    assert.deepEqual(seen, [
      ['b', 3],
      ['a', 5],
      ['b', 10],
      ['a', 20],
    ]);
    assert.equal(move.ran, 4);
    assert.deepEqual(ctx.now(), at(30), 'a frozen clock moves to the exact millisecond');
  });

  it('also does work that becomes due by its own work', async () => {
    const ctx = makeCtx(db, START);
    const seen: number[] = [];
    const chain = workAt([5], ctx, (minute, due) => {
      seen.push(minute);
      due.push(minute + 5);
    });
    await createClockMover(db, ctx.clock, [chain]).moveTo(at(21)).done;
    assert.deepEqual(seen, [5, 10, 15, 20]);
  });

  it('has recurring work at most once a day and at its end, and purges at most every thirty days and at its end', async () => {
    const ctx = makeCtx(db, START);
    const [HALF_DAY, days] = [720, 65];
    let which: RecurringWork = 'all';
    const seen = new Map<RecurringWork, number[]>();
    const note = (minute: number) => void seen.set(which, [...(seen.get(which) ?? []), minute / 1_440]);
    const stops = Array.from({ length: 2 * days }, (_, i) => (i + 1) * HALF_DAY);
    const work: TimedWork = {
      ...workAt(stops, ctx, note),
      runRecurring(next) {
        which = next;
      },
    };
    await createClockMover(db, ctx.clock, [work]).moveTo(at(2 * days * HALF_DAY)).done;
    assert.deepEqual(seen.get('all'), [30, 60, 65]);
    assert.deepEqual(
      seen.get('exceptPurges'),
      Array.from({ length: days }, (_, i) => i + 1).filter((day) => ![30, 60, 65].includes(day)),
    );
    assert.equal(seen.get('none')?.length, days);
    assert.equal(which, 'all');
  });

  it('first finishes running work, because it may be due again before the first stop', async () => {
    const ctx = makeCtx(db, START);
    const seen: number[] = [];
    const later = workAt([5, 20], ctx, (minute) => void seen.push(minute));
    let isRunning = true;
    const running: TimedWork = {
      ...later,
      nextDueAt: async (scope) => (isRunning ? at(20) : later.nextDueAt(scope)),
      async settle(step) {
        isRunning = false;
        return later.settle(step);
      },
    };
    const stops: Date[] = [];
    const clock = {
      ...ctx.clock,
      stepTo(stop: Date) {
        stops.push(stop);
        ctx.clock.stepTo(stop);
      },
    };
    await createClockMover(db, clock, [running]).moveTo(at(30)).done;
    assert.deepEqual(stops, [at(5), at(20), at(30)]);
  });

  it('refuses a second move during a move, and reports what remains', async () => {
    const ctx = makeCtx(db, START);
    const held = Promise.withResolvers<void>();
    const mover = createClockMover(db, ctx.clock, [workAt([1, 2, 3], ctx, () => held.promise)]);
    const move = mover.moveTo(at(10));
    assert.throws(() => mover.moveTo(at(20)), StillMoving);
    assert.ok((await mover.remaining()) >= 2);
    held.resolve();
    await move.done;
    assert.equal(mover.current(), undefined);
  });

  it('ends a move for a reset, which happens completely or not at all', async () => {
    const ctx = makeCtx(db, new Date(Date.now() + 3_600_000));
    const held = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    let aborted = false;
    const endless: TimedWork = {
      nextDueAt: async () => ctx.now(),
      async settle(step) {
        begun.resolve();
        await Promise.race([
          held.promise,
          new Promise((resolve) => step?.signal.addEventListener('abort', resolve)),
        ]);
        aborted = step?.signal.aborted ?? false;
        return 1;
      },
      countUnfinished: async () => 1,
    };
    const mover = createClockMover(db, ctx.clock, [endless]);
    mover.moveTo(new Date(Date.now() + 7_200_000));
    await begun.promise;
    await assert.rejects(
      mover.reset(async () => {
        throw new Error('a table is locked');
      }),
      /a table is locked/,
    );
    assert.deepEqual([aborted, mover.current()], [true, undefined]);
    for (const offset of [ctx.clock.offsetMs(), (await findSavedClock(db)).offsetMs])
      assert.ok(Math.abs(offset - 3_600_000) < 5_000, String(offset));
    await mover.reset(async () => {});
    assert.deepEqual([ctx.clock.offsetMs(), (await findSavedClock(db)).offsetMs], [0, 0]);
    held.resolve();
  });

  it('saves its progress, so that time does not go back at the next start', async () => {
    const ctx = makeCtx(db, new Date());
    const to = new Date(Date.now() + 3_600_000);
    await createClockMover(db, ctx.clock, []).moveTo(to).done;
    const offset = (await findSavedClock(db)).offsetMs;
    assert.ok(Math.abs(offset - 3_600_000) < 5_000, String(offset));
  });
});
