import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../../../support/seeded-random.ts';
import type { Scene } from '../scene.ts';
import { TENANTS } from '../tenants.ts';
import { askBill, askReport, changeConsent, openChanging, sendEvent } from './ask.ts';
import type { Diary } from './diary.ts';
import { feedReadings } from './feed-readings.ts';
import { feedFromBothEnds, type UsageRecord } from './feed-usage.ts';
import { probe } from './probe.ts';
import { writeRecords } from './write-records.ts';

export interface Play {
  /** Resolves when everything that was begun has been answered. */
  readonly ended: Promise<void>;
  /** Begins nothing new, and finishes the required work without pauses. */
  stop(): void;
}

/** Customers and the operator at work: all at the same time, each with one action after the other. */
export function startPlay(
  scene: Scene,
  diary: Diary,
  random: SeededRandom,
  { records, at, durationMs }: { records: readonly UsageRecord[]; at: Date; durationMs: number },
): Play {
  const { client } = scene;
  let stopped = false;
  const over = new AbortController();
  const rest = (ms: number) => sleep(ms, undefined, { signal: over.signal }).catch(() => {});
  const actor = async (
    name: string,
    [from, to]: [number, number],
    act: (own: SeededRandom, nth: number) => Promise<void>,
  ) => {
    const own = random.fork(name);
    for (let nth = 0; !stopped; nth++) {
      await act(own, nth);
      await rest(own.between(from, to));
    }
  };
  const pause = (files: number) => rest(durationMs / files);

  const actors = [
    feedFromBothEnds(client, diary, records, at, pause),
    actor('readings', [200, 500], () => feedReadings(client, diary, at)),
    ...TENANTS.flatMap((tenant) => {
      const { changed } = tenant.devices;
      const halves = [changed.slice(0, changed.length / 2), changed.slice(changed.length / 2)];
      return [
        ...halves.map((half, h) => {
          const change = openChanging(tenant, half);
          const wait = () => sleep(200);
          return actor(`changes ${tenant.n} ${h}`, [300, 800], (own) => change(client, diary, own, wait));
        }),
        actor(`events ${tenant.n}`, [200, 600], (own) => sendEvent(client, diary, tenant, own)),
        actor(`reports ${tenant.n}`, [500, 1_500], (own) => askReport(client, diary, tenant, own, at)),
        actor(`records ${tenant.n}`, [500, 1_500], () => writeRecords(client, diary, tenant)),
        actor(`consents ${tenant.n}`, [300, 900], (_, nth) => changeConsent(client, diary, tenant, nth)),
        actor(
          `bills ${tenant.n}`,
          [2_000, 4_000],
          async () => void (await askBill(client, diary, tenant, at)),
        ),
        actor(`probes ${tenant.n}`, [200, 500], (own) => probe(scene, diary, tenant, own)),
      ];
    }),
  ];
  return {
    ended: Promise.all(actors).then(() => {}),
    stop() {
      stopped = true;
      over.abort();
    },
  };
}
