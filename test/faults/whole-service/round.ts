import { setTimeout as sleep } from 'node:timers/promises';
import { faultMode } from '../../support/fault-mode.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';
import { openScene, type Scene } from './scene.ts';
import { laneOf, TENANTS } from './tenants.ts';
import { makeTrouble, planTroubles } from './troubles.ts';
import { type Diary, openDiary } from './workload/diary.ts';
import { feedFromBothEnds, makeRecords, usesOf } from './workload/feed-usage.ts';
import { startPlay } from './workload/play.ts';

/**
 * The acts with several processes: their number and length, the interval between faults, and the records fed. After each act, the
 * clock is moved `moves` times, with kills and silent listeners.
 */
const SIZE = faultMode.long
  ? {
      acts: 3,
      actMs: 25_000,
      everyMs: 1_500,
      records: 3_000,
      moves: 3,
      kills: 2,
      silent: 4,
      nextMonth: { records: 200, troubledMs: 15_000 },
    }
  : {
      acts: 1,
      actMs: 11_000,
      everyMs: 1_100,
      records: 900,
      moves: 1,
      kills: 1,
      silent: 1,
      nextMonth: { records: 60, troubledMs: 0 },
    };
/** Listeners of events, firings and changes, which may be silent while the clock is moved. */
const SILENCED = ['NetworkEventService', 'AlertService', 'CarrierService'] as const;
const MINUTE_MS = 60_000;
const CALM_MS = faultMode.long ? 3_000 : 1_000;
const STAFF = ['api', 'api', 'worker', 'worker'] as const;
const SIGNALS = ['SIGTERM', 'SIGKILL'] as const;

export interface Round {
  readonly scene: Scene;
  readonly diary: Diary;
  /** Plays the whole round, until no work is left. */
  play(): Promise<void>;
  /** Ends everything that still runs, and closes the scene. */
  clear(): Promise<void>;
}

/** Moves domain time with one process, which is killed during the move after each of these delays. */
async function moveClock(scene: Scene, to: Date, killAfterMs: readonly number[]): Promise<void> {
  const kill = async () => {
    for (const afterMs of killAfterMs) {
      await sleep(afterMs);
      await scene.interruptions.during(0, async () => scene.processes[0]?.kill());
    }
  };
  await Promise.all([scene.clock.moveTo(to), kill()]);
}

/** Silences these listeners during `work`, while callers keep causing callbacks to them. */
async function whileSilent(scene: Scene, lanes: readonly string[], work: () => Promise<void>): Promise<void> {
  for (const lane of lanes) scene.listeners.setMood(lane, 'is silent');
  await work();
  for (const lane of lanes) scene.listeners.setMood(lane, 'good');
}
const inMinutes = async (scene: Scene, minutes: number) =>
  new Date((await scene.clock.now()).getTime() + minutes * MINUTE_MS);

/** 06:00 on the first day of the next month: two days and a month end during the move. */
const nextMonth = (at: Date) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1, 6));

export async function openRound(random: SeededRandom, mark: (what: string) => void): Promise<Round> {
  const records = makeRecords(random.fork('records'), SIZE.records);
  const scene = await openScene(random, usesOf(SIZE.records));
  mark('the scene is set');
  const { client, clock } = scene;
  const diary = openDiary();
  const going: Promise<unknown>[] = [];

  /** Customers keep sending requests, and some listeners do not answer. */
  async function moveAmongCallers(moments: SeededRandom): Promise<void> {
    const lanes = TENANTS.flatMap((tenant) => SILENCED.map((service) => laneOf(tenant, service)));
    const silent = moments.shuffle(lanes).slice(0, SIZE.silent);
    const kills = Array.from({ length: moments.between(1, SIZE.kills) }, () => moments.between(50, 2_000));
    const to = await inMinutes(scene, moments.between(1, 7));
    await whileSilent(scene, silent, () => moveClock(scene, to, kills));
    mark(`the clock was moved, with ${kills.length} kills and ${silent.length} silent listeners`);
  }

  async function playActs(): Promise<void> {
    const at = await clock.now();
    const durationMs = SIZE.acts * SIZE.actMs;
    const play = startPlay(scene, diary, random.fork('play'), { records, at, durationMs });
    scene.over.addEventListener('abort', () => play.stop());
    const moments = random.fork('acts');
    const acts = async () => {
      for (let act = 0; act < SIZE.acts; act++) {
        await scene.staff(STAFF, moments.pick(SIGNALS));
        mark('several processes at work');
        await makeTrouble(scene, planTroubles(moments.fork(`act ${act}`), SIZE.actMs, SIZE.everyMs), mark);
        await scene.staff(['all'], moments.pick(SIGNALS));
        mark('one process that moves the clock');
        for (let nth = 0; nth < SIZE.moves; nth++) await moveAmongCallers(moments);
        // Work without new faults; only the effects of the last one remain.
        await sleep(CALM_MS);
      }
      mark('nothing new is asked');
      play.stop();
    };
    going.push(play.ended, acts());
    await Promise.all(going);
    mark('everything was answered');
  }

  /** Cycles end, their triggers are evaluated and notify, and later usage belongs to the new cycles. */
  async function playNextMonth(): Promise<void> {
    const moments = random.fork('next month');
    await moveClock(scene, nextMonth(await clock.now()), [moments.between(100, 3_000)]);
    mark('a month has ended');
    const { records: count, troubledMs } = SIZE.nextMonth;
    const few = makeRecords(moments.fork('records'), count, { prefix: 'v', bytes: [100, 200] });
    const at = await clock.now();
    const rest = (files: number) => sleep(troubledMs / files);
    if (troubledMs === 0) return feedFromBothEnds(client, diary, few, at, rest);
    await scene.staff(STAFF, moments.pick(SIGNALS));
    const troubles = planTroubles(moments.fork('troubles'), troubledMs, SIZE.everyMs);
    going.push(feedFromBothEnds(client, diary, few, at, rest), makeTrouble(scene, troubles, mark));
    await Promise.all(going);
    await scene.staff(['all'], moments.pick(SIGNALS));
  }

  return {
    scene,
    diary,
    async play() {
      await playActs();
      await playNextMonth();
      // By then, everything that waits for another attempt has had its last one.
      await moveClock(scene, await inMinutes(scene, 30), []);
      mark('nothing is left to do');
    },
    async clear() {
      scene.end();
      await Promise.allSettled(going);
      await scene.close();
    },
  };
}
