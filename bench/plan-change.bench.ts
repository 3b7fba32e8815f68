import { setTimeout as sleep } from 'node:timers/promises';
import { ACCOUNT, SMALL_FLEET } from '../test/support/fleet.ts';
import { inTurns, type Turns } from './support/in-turns.ts';
import { beside, type Finding } from './support/report.ts';
import { roundsOr } from './support/rounds.ts';
import { openServiceScene } from './support/service-scene.ts';
import { show } from './support/statistics.ts';

const DEVICES = 10_000;
const BATCH = 1_000;
const ROUNDS = roundsOr(7);
const RATIO_MAX = 2;
const PLANS = ['P-5MB', 'P-50MB'];

const devices = Array.from({ length: DEVICES }, (_, n) => ({
  accountName: ACCOUNT,
  imei: `9900${String(n).padStart(11, '0')}`,
  servicePlan: PLANS[0],
}));
const named = devices.map(({ imei }) => ({ deviceIds: [{ id: imei, kind: 'imei' }] }));
const primaryPlaceOfUse = {
  address: {
    addressLine1: '9868 Scranton Road',
    city: 'Grapevine',
    state: 'TX',
    zip: '76051',
    country: 'US',
  },
  customerName: { firstName: 'Zaffod', lastName: 'Beeblebrox' },
};
const FORMS: Readonly<Record<string, object>> = {
  devices: { devices: named },
  addresses: { deviceListWithServiceAddress: named.map((one) => ({ ...one, primaryPlaceOfUse })) },
};

async function openScene() {
  const plans = PLANS.map((code) => ({ code, kind: 'payAsYouGo' }));
  const scene = await openServiceScene('plan_change', { ...SMALL_FLEET, plans, devices });
  const { client, post, close } = scene;
  // What is compared with waits for the disk too.
  await client.query('set synchronous_commit = on');
  await client.query('create table bare_device (like device including all)');
  await client.query('create table bare_message (like callback_message including all)');
  await client.query('insert into bare_device overriding system value select * from device');
  return {
    client,
    changePlan: async (body: object) =>
      (await post('/m2m/v1/devices/actions/plan', body)).body as { readonly requestId: string },
    close,
  };
}
type Scene = Awaited<ReturnType<typeof openScene>>;

/** From the POST to the commit of the last callback, which ends the request. */
async function changeAll({ client, changePlan }: Scene, form: object, servicePlan: string) {
  const startedAt = performance.now();
  const { requestId } = await changePlan({ accountName: ACCOUNT, servicePlan, ...form });
  for (;;) {
    const { rows } = await client.query(
      `select status, succeeded from carrier_request where request_id = $1 and ended_at is not null`,
      [requestId],
    );
    if (rows.length > 0) {
      if (rows[0].succeeded !== DEVICES) throw new Error(`${rows[0].succeeded} devices were changed`);
      return { requestId, ms: performance.now() - startedAt };
    }
    await sleep(5);
  }
}

/** The same devices updated and the same messages inserted, into tables with the same columns and indexes. */
async function changeBare({ client }: Scene, requestId: string, servicePlan: string) {
  const { rows: messages } = await client.query(
    `select message_id, payload from callback_message where request_id = $1 order by message_id`,
    [requestId],
  );
  const { rows: known } = await client.query(
    'select device_id from device where account_name = $1 order by 1',
    [ACCOUNT],
  );
  // In rounds that begin with this side they are those of the round before, and are there.
  await client.query('truncate bare_message');
  const startedAt = performance.now();
  for (let n = 0; n < DEVICES; n += BATCH) {
    await client.query('begin');
    await client.query(
      `update bare_device set service_plan = $1, plan_since = now(), last_updated = now(), version = version + 1,
         version_id = gen_random_uuid()
       where ecpd_id = '9000001' and device_id = any($2::uuid[])`,
      [servicePlan, known.slice(n, n + BATCH).map((row) => row.device_id)],
    );
    const batch = messages.slice(n, n + BATCH);
    await client.query(
      `insert into bare_message (ecpd_id, message_id, account_name, service_name, request_id, payload, created_at)
       select '9000001', m, $1, 'CarrierService', $2, p, now() from unnest($3::uuid[], $4::text[]) as b (m, p)`,
      [ACCOUNT, requestId, batch.map((row) => row.message_id), batch.map((row) => row.payload)],
    );
    await client.query('commit');
  }
  return performance.now() - startedAt;
}

async function measure(scene: Scene, form: object): Promise<Turns> {
  let last = { requestId: '', plan: '' };
  return inTurns(
    ROUNDS,
    async () => {
      // A device has four changes a month: those that were made are moved into an earlier one.
      await scene.client.query(`update device_plan set changed_at = changed_at - interval '62 days'`);
      await scene.client.query('vacuum analyze device_plan');
      const { rows } = await scene.client.query(
        'select service_plan from device where account_name = $1 limit 1',
        [ACCOUNT],
      );
      const plan = PLANS.find((code) => code !== rows[0].service_plan)!;
      const { requestId, ms } = await changeAll(scene, form, plan);
      last = { requestId, plan };
      return ms;
    },
    () => changeBare(scene, last.requestId, last.plan),
  );
}

export async function planChange(): Promise<Finding[]> {
  const scene = await openScene();
  try {
    const findings: Finding[] = [];
    for (const [form, list] of Object.entries(FORMS)) {
      const turns = await measure(scene, list);
      findings.push(
        beside({
          what: `Plan change of 10,000 devices (${form}), from the POST to the commit of the last callback, ms`,
          ...turns,
          is: `10,000 rows updated and 10,000 messages inserted, ${show(BATCH)} at a time`,
          ...(form === 'devices' && { target: { atMost: RATIO_MAX } }),
        }),
      );
    }
    return findings;
  } finally {
    await scene.close();
  }
}
