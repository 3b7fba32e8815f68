import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../../../support/seeded-random.ts';
import type { Scene } from '../scene.ts';
import { TENANTS, type Tenant } from '../tenants.ts';
import { askBill, askReport, changeConsent, openChanging, sendEvent } from './ask.ts';
import { add, type Diary } from './diary.ts';
import { feedReadings } from './feed-readings.ts';
import { feedFromBothEnds, type UsageRecord } from './feed-usage.ts';
import { writeRecords } from './write-records.ts';

export interface Play {
  /** Ends when everything that was begun has been answered. */
  readonly ended: Promise<void>;
  /** Nothing new is begun until what comes back is called. What was begun goes on. */
  hold(): () => void;
  /** Nothing new is begun, and what must be finished is not rested from. */
  stop(): void;
}

const REFUSALS = new Set([400, 401, 403, 404]);

/** What strangers must be refused: of another account, by its name and by ids that are guessed right. */
async function probe({ client, surprises }: Scene, diary: Diary, tenant: Tenant, random: SeededRandom) {
  const other = random.pick(TENANTS.filter(({ n }) => n !== tenant.n));
  const requestId = random.pick(diary.taken.filter((taken) => taken.tenant === other))?.requestId ?? 'none';
  const { accountName } = other;
  const [method, path, body] = random.pick([
    ['GET', `/m2m/v1/accounts/${accountName}`, undefined],
    ['GET', `/m2m/v1/callbacks/${accountName}/deliveries`, undefined],
    ['GET', `/m2m/v1/accounts/${accountName}/requests/${requestId}/status`, undefined],
    ['GET', `/m2m/v1/accounts/${tenant.accountName}/requests/${requestId}/status`, undefined],
    ['GET', `/loc/v1/locationreports/${tenant.accountName}/report/${requestId}/status`, undefined],
    ['POST', '/m2m/v1/devices/actions/list', { accountName }],
    ['POST', '/dm/v1/smartAlerts/actions/query', { accountname: accountName }],
  ] as const);
  const answer = await client.tryAsUser(tenant, { method, path, ...(body !== undefined && { body }) });
  if (answer !== undefined && answer.status < 300)
    surprises.push(`${method} ${path} was open to tenant ${tenant.n}: ${answer.text.slice(0, 300)}`);
  const own = { method: 'GET', path: `/m2m/v1/accounts/${tenant.accountName}` };
  const control = await client.tryAsUser(tenant, own);
  // Only whoever is let in to what is theirs was refused for what is not.
  if (control?.status === 200 && answer !== undefined && REFUSALS.has(answer.status))
    add(diary.refusals, tenant.n, 1);
  // A session that has ended refuses everything: another one is opened.
  if (control !== undefined && control.status >= 400 && control.status < 500)
    await client.asUser(tenant, own);
}

/** Customers and the operator at work, each of them one thing after the other, all at once. */
export function startPlay(
  scene: Scene,
  diary: Diary,
  random: SeededRandom,
  { records, at, durationMs }: { records: readonly UsageRecord[]; at: Date; durationMs: number },
): Play {
  const { client } = scene;
  let stopped = false;
  const over = new AbortController();
  let gate: Promise<void> = Promise.resolve();
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
      await gate;
    }
  };
  const pause = async (files: number) => {
    await rest(durationMs / files);
    await gate;
  };

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
        actor(`consents ${tenant.n}`, [2_000, 4_000], (_, nth) => changeConsent(client, diary, tenant, nth)),
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
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
    stop() {
      stopped = true;
      over.abort();
    },
  };
}
