import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { freshDatabase } from '../../../../test/support/database.ts';
import { randomFor, type SeededRandom } from '../../../../test/support/seeded-random.ts';
import { sql } from '../../db/sql.ts';
import type { TimedWork } from '../../flow-control/timed-work.ts';
import { type MovableClock, movableClock } from '../clock.ts';
import { createClockMover } from '../clock-mover.ts';
import { findSavedClock } from '../clock-row.ts';

const { db, drop } = await freshDatabase();
after(drop);
const MINUTE_MS = 60_000;

/** A piece of work, and the delays of the pieces that follow it. */
interface Piece {
  readonly name: string;
  readonly dueAtMs: number;
  readonly followMs: readonly number[];
  readonly moveNr: number;
}
interface Ran {
  readonly name: string;
  readonly dueAtMs: number;
  readonly atMs: number;
}

/** All pieces that must run by `toMs`, each at its own time, including those that follow from them. */
function expectedBy(pieces: readonly Piece[], toMs: number): Omit<Ran, 'atMs'>[] {
  const due = pieces.filter(({ dueAtMs }) => dueAtMs <= toMs);
  const all: Omit<Ran, 'atMs'>[] = [];
  for (let n = 0; n < due.length; n++) {
    const { name, dueAtMs, followMs } = due[n]!;
    all.push({ name, dueAtMs });
    const [afterMs, ...rest] = followMs;
    if (afterMs !== undefined && dueAtMs + afterMs <= toMs)
      due.push({ name: `${name}+`, dueAtMs: dueAtMs + afterMs, followMs: rest, moveNr: 0 });
  }
  return all;
}

/** Two kinds of work over one heap of pieces, like rows of a table. The heap survives the processes. */
function openHeap(pieces: Piece[]) {
  const ran: Ran[] = [];
  const workOf = (clock: MovableClock, mine: (piece: Piece) => boolean, onRun: () => void): TimedWork => ({
    async nextDueAt(scope) {
      const due = pieces.filter(
        (piece) => mine(piece) && piece.dueAtMs > scope!.after.getTime() && piece.moveNr <= scope!.nr,
      );
      return due.length === 0 ? undefined : new Date(Math.min(...due.map(({ dueAtMs }) => dueAtMs)));
    },
    async settle(step) {
      let count = 0;
      for (;;) {
        const piece = pieces.find(
          (each) => mine(each) && each.dueAtMs <= step!.until.getTime() && each.moveNr <= step!.nr,
        );
        if (piece === undefined || step!.signal.aborted) return count;
        await new Promise(setImmediate);
        pieces.splice(pieces.indexOf(piece), 1);
        const { name, dueAtMs, moveNr } = piece;
        ran.push({ name, dueAtMs, atMs: clock.now().getTime() });
        const [afterMs, ...followMs] = piece.followMs;
        // Made by the work of a step, so the move waits for it.
        if (afterMs !== undefined)
          pieces.push({ name: `${name}+`, dueAtMs: dueAtMs + afterMs, followMs, moveNr });
        count++;
        onRun();
      }
    },
    countUnfinished: async () => 0,
  });
  return { ran, workOf };
}

async function play(random: SeededRandom, frozen: boolean): Promise<void> {
  await db.exec(sql`delete from domain_clock`);
  const from = Date.now();
  const pieces: Piece[] = Array.from({ length: random.between(0, 12) }, (_, n) => ({
    name: `p${n}`,
    dueAtMs: from + random.between(1, 90) * MINUTE_MS,
    followMs: Array.from({ length: random.between(0, 3) }, () => random.between(1, 20) * MINUTE_MS),
    moveNr: 1,
  }));
  const lengthMs = random.between(0, 100) * MINUTE_MS;
  const { ran, workOf } = openHeap(pieces);
  const planned = [...pieces];
  let calls = 0;
  let runsLeft = random.between(0, 20);
  let [clock, mover] = await start();
  async function start() {
    const own = movableClock(await findSavedClock(db));
    const onRun = () => {
      // A call during the move: the move does not wait for its work.
      if (random.next() < 0.5)
        pieces.push({
          name: `call${calls++}`,
          dueAtMs: own.now().getTime(),
          followMs: [],
          moveNr: own.moveNr(),
        });
      if (runsLeft-- === 0) void made.stop();
    };
    const made = createClockMover(db, own, [
      workOf(own, ({ name }) => name.length % 2 === 0, onRun),
      workOf(own, ({ name }) => name.length % 2 === 1, onRun),
    ]);
    return [own, made] as const;
  }
  if (frozen) await mover.freeze(true);
  const beganAt = clock.now().getTime();
  await mover.advance(lengthMs).done;
  // Until the move has ended, however often its process ended.
  while ((await findSavedClock(db)).destination !== undefined) {
    [clock, mover] = await start();
    await mover.resume();
    await mover.current()?.done;
  }
  const name = (each: Omit<Ran, 'atMs'>) => `${each.name} ${each.dueAtMs - from}`;
  const own = ran.filter((each) => !each.name.startsWith('call'));
  const expected = expectedBy(planned, beganAt + lengthMs)
    .map(name)
    .toSorted();
  assert.deepEqual(own.map(name).toSorted(), expected, 'each piece once');
  for (const { name: who, dueAtMs, atMs } of own)
    assert.ok(frozen ? atMs === dueAtMs : atMs >= dueAtMs, `${who} ran ${atMs - dueAtMs} ms after its time`);
  if (frozen) assert.equal(clock.now().getTime(), beganAt + lengthMs);
  else assert.equal(clock.offsetMs(), lengthMs);
}

describe('whatever work is due, and whenever the process ends,', () => {
  for (const frozen of [true, false])
    it(`a ${frozen ? 'frozen' : 'running'} clock runs each piece once and ends at its target`, async () => {
      for (let seed = 0; seed < 25; seed++)
        await play(randomFor(`clock ${seed}`), frozen).catch((error: Error) => {
          error.message = `seed ${seed}: ${error.message}`;
          throw error;
        });
    });
});
