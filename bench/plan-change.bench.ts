import { setTimeout as sleep } from 'node:timers/promises';
import { ACCOUNT, SMALL_FLEET } from '../test/support/fleet.ts';
import { inTurns, type Turns } from './support/in-turns.ts';
import { BATCH, changeBare, createBare } from './support/plan-change-bare.ts';
import { beside, type Finding } from './support/report.ts';
import { roundsOr } from './support/rounds.ts';
import { openServiceScene } from './support/service-scene.ts';
import { show } from './support/statistics.ts';

const DEVICES = 10_000;
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
  // The comparison also waits for the disk.
  await client.query('set synchronous_commit = on');
  await createBare(client);
  return {
    client,
    changePlan: async (body: object) =>
      (await post('/m2m/v1/devices/actions/plan', body)).body as { readonly requestId: string },
    close,
  };
}
type Scene = Awaited<ReturnType<typeof openScene>>;

/** Measures from the POST to the commit of the last callback, which ends the request. */
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

interface Measured extends Turns {
  /** The same rounds with only devices and messages. */
  readonly few: readonly number[];
}

async function measure(scene: Scene, form: object): Promise<Measured> {
  let last = { requestId: '', servicePlan: '' };
  const few: number[] = [];
  const turns = await inTurns(
    ROUNDS,
    async () => {
      // A device can change its plan four times a month, so earlier changes are moved into an earlier month.
      await scene.client.query(`update device_plan set changed_at = changed_at - interval '62 days'`);
      await scene.client.query('vacuum analyze device_plan');
      const { rows } = await scene.client.query(
        'select service_plan from device where account_name = $1 limit 1',
        [ACCOUNT],
      );
      const servicePlan = PLANS.find((code) => code !== rows[0].service_plan)!;
      const { requestId, ms } = await changeAll(scene, form, servicePlan);
      last = { requestId, servicePlan };
      return ms;
    },
    async (round) => {
      const fewMs = await changeBare(scene.client, { ...last, all: false });
      if (round > 0) few.push(fewMs);
      return changeBare(scene.client, { ...last, all: true });
    },
  );
  return { ...turns, few };
}

export async function planChange(): Promise<Finding[]> {
  const scene = await openScene();
  try {
    const findings: Finding[] = [];
    for (const [form, list] of Object.entries(FORMS)) {
      const { ours, against, few } = await measure(scene, list);
      const what = `Plan change of 10,000 devices (${form}), from the POST to the commit of the last callback, ms`;
      findings.push(
        beside({
          what,
          ours,
          against,
          is: `10,000 rows updated, and its messages, history, audit log and request inserted, ${show(BATCH)} at a time`,
          ...(form === 'devices' && { target: { atMost: RATIO_MAX } }),
        }),
        beside({
          what,
          ours,
          against: few,
          is: `10,000 rows updated and 10,000 messages inserted, ${show(BATCH)} at a time`,
        }),
      );
    }
    return findings;
  } finally {
    await scene.close();
  }
}
