import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshDatabase } from '../../../../test/support/database.ts';
import { sql } from '../../db/sql.ts';
import type { TimedWork } from '../../flow-control/timed-work.ts';
import { type MovableClock, movableClock } from '../clock.ts';
import { type ClockMover, createClockMover, MayNotMove, StillMoving } from '../clock-mover.ts';
import { findSavedClock } from '../clock-row.ts';

const { db, drop } = await freshDatabase();
after(drop);
const HOUR_MS = 3_600_000;
/** Tolerance for two clocks that are read one after the other. */
const SLACK_MS = 1_000;

/** Work that holds up a move until the test lifts it. */
function openHurdle(clock: MovableClock, inMs: number) {
  const dueAt = new Date(clock.now().getTime() + inMs);
  const met = Promise.withResolvers<void>();
  const lifted = Promise.withResolvers<void>();
  let done = false;
  const work: TimedWork = {
    nextDueAt: async (scope) => (done || dueAt <= scope!.after ? undefined : dueAt),
    async settle(step) {
      if (done || step!.until < dueAt) return 0;
      met.resolve();
      const aborted = new Promise<void>((resolve) => {
        step!.signal.addEventListener('abort', () => resolve());
      });
      const lifting = lifted.promise.then(() => {
        done = true;
      });
      await Promise.race([lifting, aborted]);
      return done ? 1 : 0;
    },
    countUnfinished: async () => (done ? 0 : 1),
  };
  return { work, met: met.promise, lift: () => lifted.resolve() };
}

/** A clock and mover as after a restart, from the saved state. */
async function begin(works: (clock: MovableClock) => readonly TimedWork[] = () => []) {
  const clock = movableClock(await findSavedClock(db));
  return { clock, mover: createClockMover(db, clock, works(clock)) };
}
const forget = () => db.exec(sql`delete from domain_clock`);
/** Real time passes: these moves and clocks follow it. */
const untilRealTime = async (ms: number) => {
  while (Date.now() <= ms) await sleep(5);
};
const ended = async (mover: ClockMover) => {
  while (mover.current() !== undefined) await mover.current()?.done;
};

describe('a running clock', () => {
  // proves clock/where-a-move-ends
  it('is advanced by exactly the requested time, however long the move takes', async () => {
    await forget();
    const clock = movableClock();
    const { work, met, lift } = openHurdle(clock, 60_000);
    const move = createClockMover(db, clock, [work]).advance(HOUR_MS);
    await met;
    await untilRealTime(Date.now() + 300);
    lift();
    await move.done;
    assert.equal(clock.offsetMs(), HOUR_MS);
    assert.equal((await findSavedClock(db)).offsetMs, HOUR_MS);
  });

  it('keeps running at every stop, and never falls behind real time plus its offset', async () => {
    await forget();
    const clock = movableClock();
    const { work, met, lift } = openHurdle(clock, 60_000);
    const move = createClockMover(db, clock, [work]).moveTo(new Date(Date.now() + HOUR_MS));
    await met;
    const before = clock.offsetMs();
    await untilRealTime(Date.now() + 300);
    assert.ok(clock.offsetMs() >= before - 1, 'it stood still');
    lift();
    await move.done;
  });

  // proves clock/where-a-move-ends
  it('ends a move at its target, without the time that the work took', async () => {
    await forget();
    const clock = movableClock();
    const to = Date.now() + 60_200;
    const { work, met, lift } = openHurdle(clock, 60_000);
    const move = createClockMover(db, clock, [work]).moveTo(new Date(to));
    await met;
    while (clock.now().getTime() < to) await sleep(5);
    // By itself it would run on.
    await untilRealTime(Date.now() + 50);
    assert.equal(clock.now().getTime(), to);
    lift();
    await move.done;
    assert.ok(clock.now().getTime() - to < SLACK_MS);
  });
});

describe('pacing', () => {
  it('is interrupted by a requested move, and continues after it', async () => {
    await forget();
    const clock = movableClock();
    const { work, met, lift } = openHurdle(clock, 10_000);
    const mover = createClockMover(db, clock, [work]);
    const paced = mover.pace(60_000);
    await met;
    assert.equal(mover.current(), undefined, 'pacing is not a requested move');
    const asked = mover.advance(HOUR_MS);
    lift();
    await asked.done;
    await paced.done;
    assert.equal(clock.offsetMs(), HOUR_MS + 60_000);
  });

  it('waits during a move', async () => {
    await forget();
    const clock = movableClock();
    const { work, met, lift } = openHurdle(clock, 60_000);
    const mover = createClockMover(db, clock, [work]);
    const asked = mover.advance(HOUR_MS);
    await met;
    const paced = mover.pace(1_000);
    assert.throws(() => mover.pace(1_000), StillMoving);
    assert.throws(() => mover.advance(1_000), StillMoving);
    const ends: string[] = [];
    const noted = [asked.done.then(() => ends.push('move')), paced.done.then(() => ends.push('pacing'))];
    lift();
    await Promise.all(noted);
    assert.deepEqual(ends, ['move', 'pacing']);
    assert.equal(clock.offsetMs(), HOUR_MS + 1_000);
  });

  it('does not move a frozen clock', async () => {
    await forget();
    const { clock, mover } = await begin();
    await mover.freeze(true);
    const at = clock.now();
    await mover.pace(60_000).done;
    assert.deepEqual(clock.now(), at);
  });
});

describe('a frozen clock', () => {
  it('stands still, moves to the exact millisecond, stays frozen after a restart, and runs on from there', async () => {
    await forget();
    const first = await begin();
    await first.mover.freeze(true);
    const at = first.clock.now().getTime();
    await first.mover.advance(HOUR_MS).done;
    await untilRealTime(Date.now());
    assert.equal(first.clock.now().getTime(), at + HOUR_MS);
    const { clock, mover } = await begin();
    assert.deepEqual([mover.isFrozen(), clock.now().getTime()], [true, at + HOUR_MS]);
    await mover.freeze(false);
    await untilRealTime(Date.now());
    const passedMs = clock.now().getTime() - at - HOUR_MS;
    assert.ok(passedMs > 0 && passedMs < SLACK_MS, String(passedMs));
    assert.equal((await begin()).mover.isFrozen(), false);
  });

  for (const kind of ['on request', 'after a restart'] as const)
    it(`stays frozen if a move ${kind} is refused halfway`, async () => {
      await forget();
      let isAlone = true;
      const findObstacle = async () => (isAlone ? undefined : 'another process is up');
      const options = { findObstacle };
      const first = await begin();
      await first.mover.freeze(true);
      const { work, met, lift } = openHurdle(first.clock, 60_000);
      const mover = createClockMover(db, first.clock, [work], options);
      const move = mover.advance(HOUR_MS);
      await met;
      if (kind === 'on request') {
        isAlone = false;
        lift();
        await assert.rejects(move.done, MayNotMove);
        assert.deepEqual([mover.isFrozen(), first.clock.now()], [true, (await findSavedClock(db)).frozenAt]);
      } else {
        await mover.stop();
        const clock = movableClock(await findSavedClock(db));
        // Alone at the first check, and no longer alone when the move begins.
        let asked = 0;
        const next = createClockMover(db, clock, [], {
          findObstacle: async () => (asked++ === 0 ? undefined : 'another process is up'),
        });
        await next.resume();
        await assert.rejects(next.current()!.done, MayNotMove);
        const saved = await findSavedClock(db);
        assert.deepEqual([next.isFrozen(), clock.now()], [true, saved.frozenAt]);
        assert.equal(saved.destination, undefined, 'it does not go on with the next start');
      }
    });

  it('runs on if it could not be frozen', async () => {
    await forget();
    const clock = movableClock();
    const mover = createClockMover(db, clock, [], { findObstacle: async () => 'another process is up' });
    await assert.rejects(mover.freeze(true), MayNotMove);
    assert.deepEqual([mover.isFrozen(), clock.offsetMs()], [false, 0]);
  });
});

describe('a move interrupted by the end of its process', () => {
  it('no longer limits the clock if it is refused after the restart', async () => {
    await forget();
    const clock = movableClock();
    const { work, met } = openHurdle(clock, 60_000);
    const mover = createClockMover(db, clock, [work]);
    const to = Date.now() + 60_500;
    mover.moveTo(new Date(to));
    await met;
    await mover.stop();
    const again = movableClock(await findSavedClock(db));
    let asked = 0;
    const findObstacle = async () => (asked++ === 0 ? undefined : 'another process is up');
    const next = createClockMover(db, again, [], { findObstacle });
    await next.resume();
    await assert.rejects(next.current()!.done, MayNotMove);
    const { offsetMs } = await findSavedClock(db);
    await untilRealTime(to - offsetMs);
    assert.ok(Math.abs(again.offsetMs() - offsetMs) < 2, 'it runs on');
  });

  // proves clock/interrupted-moves
  for (const kind of ['advance', 'set'] as const)
    it(`continues with the next start, and ends at its target (${kind})`, async () => {
      await forget();
      const clock = movableClock();
      const { work, met } = openHurdle(clock, 60_000);
      const mover = createClockMover(db, clock, [work]);
      const to = Date.now() + HOUR_MS;
      if (kind === 'advance') mover.advance(HOUR_MS);
      else mover.moveTo(new Date(to));
      await met;
      if (kind === 'set') await mover.stop();
      // As after a kill: the old process does not learn of it.
      const before = clock.now();
      const next = await begin();
      assert.ok(next.clock.now() >= before, 'time has fallen back');
      await next.mover.resume();
      assert.ok(next.mover.current() !== undefined);
      await ended(next.mover);
      if (kind === 'advance') assert.equal(next.clock.offsetMs(), HOUR_MS);
      else assert.ok(Math.abs(next.clock.now().getTime() - Math.max(to, Date.now())) < SLACK_MS);
      const again = await begin();
      await again.mover.resume();
      assert.equal(again.mover.current(), undefined, 'it has come to its end once');
      await mover.stop();
    });

  it('waits until the killed process no longer counts as up', async () => {
    await forget();
    const clock = movableClock();
    const { work, met } = openHurdle(clock, 60_000);
    const killed = createClockMover(db, clock, [work]);
    killed.advance(HOUR_MS);
    await met;
    await killed.stop();
    let asked = 0;
    const next = movableClock(await findSavedClock(db));
    const findObstacle = async () => (asked++ < 2 ? 'it is still counted' : undefined);
    const mover = createClockMover(db, next, [], { findObstacle });
    await mover.resume();
    assert.ok(mover.current()?.to instanceof Date, 'reported while it waits');
    await ended(mover);
    assert.equal(next.offsetMs(), HOUR_MS);
  });

  it('continues after the database has failed for a while', async () => {
    await forget();
    const clock = movableClock();
    let failures = 0;
    const broken: TimedWork = {
      nextDueAt: async () => undefined,
      async settle() {
        if (failures++ < 2) throw new Error('no database');
        return 0;
      },
      countUnfinished: async () => 0,
    };
    const errors: unknown[] = [];
    const mover = createClockMover(db, clock, [broken], { onError: (error) => void errors.push(error) });
    await mover.advance(HOUR_MS).done;
    assert.deepEqual([clock.offsetMs(), errors.length], [HOUR_MS, 2]);
  });
});
