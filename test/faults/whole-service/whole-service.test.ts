import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { faultMode, faultRounds, replayCommand, roundLimitMs } from '../../support/fault-mode.ts';
import { openRandom } from '../../support/seeded-random.ts';
import { findBroken, readOutcome } from './invariants/index.ts';
import { openRound } from './round.ts';

/** Each round takes minutes and has its own seed. */
const ROUNDS = faultRounds(1, 10);
const MINUTE_MS = 60_000;
/** Every call may cause the same surprise. */
const SURPRISES_SHOWN = 20;
/** The reason why no disk could be filled, or how often the database reported a full disk. */
let fullDisks: string | number = 0;

async function playRound(seed: number, t: TestContext): Promise<void> {
  const startedAt = Date.now();
  const marks: string[] = [];
  const mark = (what: string) => {
    marks.push(`${((Date.now() - startedAt) / 1_000).toFixed(1)} s: ${what}`);
    t.diagnostic(marks.at(-1)!);
  };
  const { scene, diary, play, clear } = await openRound(openRandom(`whole-service/${seed}`), mark);
  // Also after a failure or a time-out, so that no fault continues during the next round.
  t.after(clear);
  await play().catch((error: Error) => {
    const stands = scene.processes.map(({ role, url, said }) => `a ${role} at ${url()}: ${said()}`);
    error.message = [error.message, ...marks, ...stands].join('\n');
    throw error;
  });
  const { client, listeners } = scene;
  if (typeof scene.disk === 'string') fullDisks = scene.disk;
  else if (typeof fullDisks === 'number') fullDisks += scene.fullDisks();
  t.diagnostic(
    `${diary.taken.length} requests, ${diary.feeds.length} feeds, ${client.repeats} calls repeated, ` +
      `${listeners.heard.length} callbacks heard, ${[...diary.refusals.values()].join(' + ')} refusals, ` +
      `full disk ${scene.fullDisks()} times; ` +
      `answers ${[...client.statuses].map(([status, n]) => `${status}: ${n}`).join(', ')}`,
  );
  const broken = await findBroken(await readOutcome(scene, diary));
  mark('all was looked at');
  assert.deepEqual([...broken, ...scene.surprises.slice(0, SURPRISES_SHOWN)], []);
  assert.deepEqual(await scene.staff([], 'SIGTERM'), [0], 'it stops cleanly');
}

describe('the whole service', () => {
  it('keeps what it promised whatever happens to its processes, database, network, clock and listeners', async (t) => {
    const endAt = faultMode.minutes === undefined ? undefined : Date.now() + faultMode.minutes * MINUTE_MS;
    const rounds = endAt === undefined ? ROUNDS : Number.POSITIVE_INFINITY;
    for (let round = 0; round < rounds && (endAt === undefined || Date.now() < endAt); round++) {
      const seed = faultMode.seed + round;
      const one = { ...faultMode, seed, rounds: faultMode.long ? 1 : undefined, minutes: undefined };
      const name = `with the seed ${seed} (${replayCommand(one, 'whole-service')})`;
      await t.test(name, { timeout: roundLimitMs(faultMode) }, (t) => playRound(seed, t));
    }
  });

  it('keeps it also where its database had no room on its disk', (t) => {
    if (typeof fullDisks === 'string') return t.skip(fullDisks);
    assert.ok(fullDisks > 0, 'the disk was never full');
  });
});
