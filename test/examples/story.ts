import { idOf } from '../../demo/generator.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { KNOWN, PLAIN_FLEET } from '../fuzz/support/fleet.ts';
import type { Scene } from '../fuzz/support/scene.ts';

const MB = 1024 ** 2;
/** The number of updates that the account has bought, so the trigger on updates fires. */
const UPDATES = 1_000;
/** From midnight to a morning in the office. */
const NIGHT_MS = 15 * 3_600_000;

/** The demo fleet with a listener that responds, and a trigger that also sends text messages. */
export function storyFleet(url: string): typeof PLAIN_FLEET {
  const [beyond, ...others] = PLAIN_FLEET.pricePlanTriggers;
  const smsNumbers = [{ carrier: 'Linekeeper', number: '3975550199' }];
  const notification = { ...beyond!.notification, smsNotification: true, smsNumbers: smsNumbers as never[] };
  return {
    ...PLAIN_FLEET,
    listeners: PLAIN_FLEET.listeners.map((listener) => ({ ...listener, url })),
    pricePlanTriggers: [{ ...beyond!, notification }, ...others],
  };
}

type Named = Scene['fleet']['devices'][number] & { readonly imei: string };
const deviceNamed = ({ fleet }: Scene, name: string) =>
  fleet.devices.find(({ record }) => record.name === name) as Named;

const day = (month: string, date: number) => `${month}-${String(date).padStart(2, '0')}T15:00:00.000Z`;

type Feed = readonly [path: string, lines: readonly object[]];

/** Usage of trucks in December and January, and all updates that their account has bought. */
function usageOf(scene: Scene): readonly Feed[] {
  const trucks = ['Truck 101', 'Truck 102', 'Truck 103'].map((name) => deviceNamed(scene, name).imei);
  const drive = (month: string, dates: readonly number[], mb: number) =>
    dates.flatMap((date) =>
      trucks.map((device, n) => ({
        ...{ id: `cdr-${month}-${date}-${n}`, kind: 'imei', device, at: day(month, date) },
        ...{ bytes: (mb + n / 4) * MB, apn: 'iot.apn', ratingGroup: '100' },
      })),
    );
  const updates = Array.from({ length: UPDATES }, (_, n) => ({
    ...{ id: `fota-2026-01-${n}`, kind: 'imei', device: trucks[n % trucks.length]!, at: day('2026-01', 4) },
    ...{ bytes: 0, serviceName: 'fota' },
  }));
  return [
    ['/usage', drive('2025-12', [8, 15, 22], 1.25)],
    ['/usage', drive('2026-01', [2, 3, 4], 1.5)],
    ['/usage', updates],
  ];
}

/** A truck reports its position, and a gateway has lost mains power. */
function reportsOf(scene: Scene): readonly Feed[] {
  const at = day('2026-01', 4);
  const [truck, gateway] = ['Truck 101', 'Cold room gateway 101'].map(
    (name) => deviceNamed(scene, name).imei,
  );
  return [
    ['/positions', [{ kind: 'imei', device: truck, at, lat: 32.8459, lon: -96.7836, radius: 120 }]],
    ['/readings', [{ kind: 'imei', device: truck, at, values: { speedKmh: 88, fuelPercent: 62 } }]],
    ['/readings', [{ kind: 'imei', device: gateway, at, values: { mains: false, batteryPercent: 71 } }]],
  ];
}

/** A process's report about itself. The scene only answers calls, so it makes no such report. */
const PROCESS = {
  failing: [],
  notices: [],
  feeds: [
    {
      ...{ feed: 'usage', ratePerSecond: 41.5, taken: 3_582_210, rejected: 12 },
      reasons: [{ reason: 'device is not known', records: 12, at: '2026-01-05T14:12:09.000Z' }],
    },
  ],
};
const addProcess = ({ world }: Scene) =>
  world.ctx.db.exec(sql`
    insert into node (node_id, role, started_at, seen_at, status)
    values (${idOf('example process')}, 'all', clock_timestamp(), clock_timestamp() + interval '1 day', ${JSON.stringify(PROCESS)}::jsonb)`);

/** Events in the demo fleet before the examples are recorded, so that lists are not empty. */
export async function tellStory(scene: Scene): Promise<void> {
  const { world } = scene;
  const post = async (path: string, body: unknown) => {
    world.pass(1_000);
    const answer = await world.operator('POST', path, body);
    if (answer.statusCode >= 300) throw new Error(`${path} was refused: ${answer.body}`);
  };
  await world.watcher.settle();
  await addProcess(scene);
  for (const [path, lines] of [...usageOf(scene), ...reportsOf(scene)]) await post(path, lines);
  await post('/keys', { name: KNOWN['key']![0], scopes: ['read'] });
  for (const engine of [world.engine, world.delivery, world.notifier]) await engine.settle();
  world.pass(NIGHT_MS);
  await scene.mend();
}
