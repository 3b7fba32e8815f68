import { Type } from 'typebox';
import { postCallbacks } from '../../src/features/callbacks/index.ts';
import { postNotifications } from '../../src/features/notifications/index.ts';
import { inTx } from '../../src/platform/context/context.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { enqueueJobs } from '../../src/platform/jobs/enqueue.ts';
import { defineJob } from '../../src/platform/jobs/job.ts';
import { ECPD } from './callback-scene.ts';
import { ACCOUNT, SMALL_FLEET } from './fleet.ts';
import { openListener } from './listener.ts';
import { startWork } from './readiness.ts';
import { makeWorld } from './world.ts';

/** Jobs of this kind run until the test releases them. */
function heldJobs() {
  let gate = Promise.withResolvers<void>();
  gate.resolve();
  const job = defineJob({
    kind: 'test.held',
    schema: Type.Object({}),
    attemptsMax: 100,
    commits: 'steps',
    waitsOutside: true,
    async run() {
      await gate.promise;
      return undefined;
    },
  });
  return {
    job,
    hold: () => {
      gate = Promise.withResolvers();
    },
    letGo: () => gate.resolve(),
  };
}

/** Work that is due for longer is reported. */
export const MAX_AGE_MS = 1_000;

/** A service that runs all its recurring work, with something to do for each part. */
export async function makeScene() {
  // Closed before the world, which would otherwise wait for its answers.
  const listener = await openListener();
  const { job, hold, letGo } = heldJobs();
  const world = await makeWorld({ jobs: [job], settings: { dueWorkMaxAgeMs: MAX_AGE_MS } });
  await world.import(SMALL_FLEET);
  const services = ['AlertService', 'CarrierService', 'DeviceService', 'DeviceUsage'] as const;
  await world.import({
    listeners: services.map((serviceName) => ({ accountName: ACCOUNT, serviceName, url: listener.url })),
  });
  await startWork(world);
  let n = 0;
  return {
    ...world,
    ask: (path: string) => world.api.inject(path),
    listener,
    hold,
    letGo,
    callbacks: (count: number, serviceName: (typeof services)[number] = 'AlertService') =>
      inTx(world.ctx, (tx) =>
        postCallbacks(
          tx,
          ECPD,
          Array.from({ length: count }, () => ({
            ...{ accountName: ACCOUNT, serviceName, requestId: `r-${++n}` },
            payload: {},
          })),
        ),
      ),
    notification: () =>
      inTx(world.ctx, (tx) =>
        postNotifications(tx, ECPD, [
          {
            ...{ accountName: ACCOUNT, channel: 'mail', to: ['somebody@example.com'], dedupeKey: `k-${++n}` },
            subject: 'subject',
            text: 'text',
          },
        ]),
      ),
    jobs: (count: number, ecpdId = ECPD) =>
      enqueueJobs(
        world.ctx,
        job,
        ecpdId,
        Array.from({ length: count }, () => ({ payload: {} })),
      ),
    changeRule: () =>
      world.ctx.db.exec(sql`
        insert into rule_change (ecpd_id, account_name, rule_id, device_id)
        values (${ECPD}, ${ACCOUNT}, gen_random_uuid(), gen_random_uuid())`),
  };
}
export type Scene = Awaited<ReturnType<typeof makeScene>>;
