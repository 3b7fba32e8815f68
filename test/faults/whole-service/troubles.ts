import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../../support/seeded-random.ts';
import { MOODS } from './moody-listeners.ts';
import { GIVEN_UP_MS, type Scene } from './scene.ts';
import { HOPELESS, laneOf, SERVICES, TENANTS } from './tenants.ts';

/** One kind of fault, with its beginning and end. The process, connection or listener is drawn when it begins. */
interface Trouble {
  readonly make: (scene: Scene, random: SeededRandom) => Promise<void>;
  /** How long after its end an unrecordable attempt may still begin; absent if the fault prevents no recording. */
  readonly afterMs?: number;
}

const someProcess = ({ processes }: Scene, random: SeededRandom) => random.pick(processes);

/** The lease of a worker that delivers callbacks, in real time. */
const LEASE_MS = 4_000;
/** The longest wait until a write meets the full disk. */
const FULL_MAX_MS = 10_000;

export const TROUBLES: Readonly<Record<string, Trouble>> = {
  'a process is killed': {
    make: async (scene, random) => someProcess(scene, random).kill(),
    afterMs: 0,
  },
  'a process stands still beyond its leases': {
    make: (scene, random) => someProcess(scene, random).pause(random.between(500, 6_500)),
    afterMs: LEASE_MS,
  },
  'the database is killed': {
    async make({ database }, random) {
      await database.kill();
      await sleep(random.between(0, 2_000));
      await database.restart();
    },
    afterMs: LEASE_MS,
  },
  'the database is restarted': {
    make: async ({ database }) => void (await database.restart()),
    afterMs: LEASE_MS,
  },
  'a process of the database is killed': {
    make: ({ database }, random) => database.killBackend((pids) => random.pick(pids)),
    // The server ends all other backends and recovers, without notifying this test.
    afterMs: 2 * LEASE_MS,
  },
  'connections are cut': {
    make: async ({ proxy }, random) => void proxy.cut(random.pick([0.3, 1])),
    afterMs: LEASE_MS,
  },
  'connections are half-open': {
    async make({ proxy }, random) {
      const end = proxy.swallow(random.pick([0.3, 1]), random.next() < 0.5);
      await sleep(random.between(500, 5_000));
      end();
    },
    afterMs: GIVEN_UP_MS + LEASE_MS,
  },
  'listeners misbehave': {
    async make({ listeners }, random) {
      const services = SERVICES.filter((service) => service !== HOPELESS);
      const lanes = TENANTS.flatMap((tenant) => services.map((service) => laneOf(tenant, service)));
      const bad = random.shuffle(lanes).slice(0, lanes.length / 3);
      for (const lane of bad) listeners.setMood(lane, random.pick(MOODS));
      await sleep(random.between(2_000, 4_000));
      for (const lane of bad) listeners.setMood(lane, 'good');
    },
  },
  'the disk is full': {
    async make({ disk, database, fullDisks }, random) {
      if (typeof disk === 'string') return;
      const before = fullDisks();
      disk.fill();
      const end = Date.now() + FULL_MAX_MS;
      while (fullDisks() === before && Date.now() < end) await sleep(50);
      await sleep(random.between(0, 3_000));
      disk.empty();
      // The server stops when its log has no room, and only an operator starts it again.
      await database.restart();
    },
    afterMs: LEASE_MS,
  },
};

export interface Planned {
  readonly atMs: number;
  readonly what: string;
  readonly random: SeededRandom;
}

/** Plans each kind once before any repeats, at moments drawn from the seed. */
export function planTroubles(random: SeededRandom, durationMs: number, everyMs: number): Planned[] {
  const kinds = Object.keys(TROUBLES);
  const count = Math.max(kinds.length, Math.round(durationMs / everyMs));
  const slotMs = durationMs / count;
  let deck: string[] = [];
  return Array.from({ length: count }, (_, n) => {
    if (deck.length === 0) deck = random.shuffle(kinds);
    const atMs = Math.round(slotMs * (n + random.next()));
    return { atMs, what: deck.pop()!, random: random.fork(`trouble ${n}`) };
  });
}

/** Resolves when all of them have ended. Faults that break the database run one after the other. */
export async function makeTrouble(
  scene: Scene,
  planned: readonly Planned[],
  mark: (what: string) => void,
): Promise<void> {
  const startedAt = Date.now();
  let database: Promise<void> = Promise.resolve();
  const all = planned.map(async ({ atMs, what, random }) => {
    await sleep(Math.max(0, startedAt + atMs - Date.now()), undefined, { signal: scene.over });
    const { make, afterMs } = TROUBLES[what]!;
    const begin = async () => {
      scene.over.throwIfAborted();
      mark(what);
      if (afterMs === undefined) await make(scene, random);
      else await scene.interruptions.during(afterMs, () => make(scene, random));
    };
    if (!/database|disk/.test(what)) return begin();
    database = database.then(begin);
    return database;
  });
  // If one fails, the others still end: no fault may go on while the round is cleaned up.
  const failed = (await Promise.allSettled(all)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
