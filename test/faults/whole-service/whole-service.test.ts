import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { faultMode, replayCommand } from '../../support/fault-mode.ts';
import { openRandom } from '../../support/seeded-random.ts';
import { findBroken, readOutcome } from './invariants/index.ts';
import { openScene, type Scene } from './scene.ts';
import { makeTrouble, planTroubles } from './troubles.ts';
import { openDiary } from './workload/diary.ts';
import { makeRecords, usesOf } from './workload/feed-usage.ts';
import { startPlay } from './workload/play.ts';

/** Of one round: acts with several processes, how long each is and how often troubles come, and what is fed meanwhile. */
const SIZE = faultMode.long
  ? { acts: 3, actMs: 25_000, everyMs: 1_500, records: 3_000 }
  : { acts: 1, actMs: 11_000, everyMs: 1_100, records: 900 };
const MINUTE_MS = 60_000;
const CALM_MS = 3_000;
const STAFF = ['api', 'api', 'worker', 'worker'] as const;
/** The same one may come with every call. */
const SURPRISES_SHOWN = 20;
/** Why a disk could not be filled up, or how often the database said that it was full. */
let fullDisks: string | number = 0;

/** Domain time goes on with one process, which may be killed in the middle of it. */
async function moveClock(scene: Scene, minutes: number, killAfterMs: number | undefined): Promise<void> {
  const to = new Date((await scene.clock.now()).getTime() + minutes * MINUTE_MS);
  const moved = scene.clock.moveTo(to);
  if (killAfterMs !== undefined) {
    await sleep(killAfterMs);
    scene.processes[0]?.kill();
  }
  await moved;
}

async function playRound(seed: number, t: TestContext): Promise<void> {
  const startedAt = Date.now();
  const mark = (what: string) => t.diagnostic(`${((Date.now() - startedAt) / 1_000).toFixed(1)} s: ${what}`);
  const random = openRandom(`whole-service/${seed}`);
  const records = makeRecords(random.fork('records'), SIZE.records);
  const scene = await openScene(random, usesOf(SIZE.records));
  try {
    mark('the scene is set');
    const { client, clock, listeners } = scene;
    const diary = openDiary();
    const at = await clock.now();
    const durationMs = SIZE.acts * SIZE.actMs;
    const play = startPlay(scene, diary, random.fork('play'), { records, at, durationMs });
    const moments = random.fork('acts');
    let interruptions = 0;
    for (let act = 0; act < SIZE.acts; act++) {
      await scene.staff(STAFF, moments.pick(['SIGTERM', 'SIGKILL']));
      mark('several processes at work');
      const troubles = planTroubles(moments.fork(`act ${act}`), SIZE.actMs, SIZE.everyMs);
      await makeTrouble(scene, troubles, mark);
      await scene.staff(['all'], moments.pick(['SIGTERM', 'SIGKILL']));
      mark('one process that moves the clock');
      // A step of the clock ends when nothing is left to do: customers who never rest would hold it up.
      const goOn = play.hold();
      await moveClock(scene, moments.between(1, 7), moments.pick([undefined, moments.between(50, 1_500)]));
      goOn();
      // Work that meets no trouble but what the last one has left behind.
      await sleep(CALM_MS);
      // Beside the troubles: those that were replaced, twice, and the one that moved the clock.
      interruptions += troubles.length + 3;
    }
    mark('nothing new is asked');
    play.stop();
    await play.ended;
    mark('everything was answered');
    // Whatever waits for another attempt has had its last one by then.
    await moveClock(scene, 30, undefined);
    mark('nothing is left to do');
    fullDisks = typeof scene.disk === 'string' ? scene.disk : scene.fullDisks();
    t.diagnostic(
      `${diary.taken.length} requests, ${diary.feeds.length} feeds, ${client.repeats} calls repeated, ` +
        `${listeners.heard.length} callbacks heard, full disk ${scene.fullDisks()} times; ` +
        `answers ${[...client.statuses].map(([status, n]) => `${status}: ${n}`).join(', ')}`,
    );
    const broken = await findBroken(await readOutcome(scene, diary, interruptions), at);
    mark('all was looked at');
    assert.deepEqual([...broken, ...scene.surprises.slice(0, SURPRISES_SHOWN)], []);
    assert.deepEqual(await scene.staff([], 'SIGTERM'), [0], 'it stops cleanly');
  } finally {
    await scene.close();
  }
}

describe('the whole service', () => {
  it('keeps what it promised whatever happens to its processes, database, network, clock and listeners', async (t) => {
    const endAt = faultMode.minutes === undefined ? undefined : Date.now() + faultMode.minutes * MINUTE_MS;
    const rounds = endAt === undefined ? (faultMode.rounds ?? 1) : Number.POSITIVE_INFINITY;
    for (let round = 0; round < rounds && (endAt === undefined || Date.now() < endAt); round++) {
      const seed = faultMode.seed + round;
      const one = { ...faultMode, seed, rounds: faultMode.long ? 1 : undefined, minutes: undefined };
      await t.test(`with the seed ${seed} (${replayCommand(one, 'whole-service')})`, (t) =>
        playRound(seed, t),
      );
    }
  });

  it('keeps it also where its database had no room on its disk', (t) => {
    if (typeof fullDisks === 'string') return t.skip(fullDisks);
    assert.ok(fullDisks > 0, 'the disk was never full');
  });
});
