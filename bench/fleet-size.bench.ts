import { ACCOUNT, SMALL_FLEET } from '../test/support/fleet.ts';
import { fillRecords, imeiOf } from './support/fill-records.ts';
import { beside, type Curve, type Finding } from './support/report.ts';
import { residentMb } from './support/resident-memory.ts';
import { roundsOr } from './support/rounds.ts';
import { openServiceScene, type ServiceScene } from './support/service-scene.ts';
import { median, show } from './support/statistics.ts';
import { send } from './support/usage-feed.ts';

const SIZES = [1_000, 10_000, 100_000, 1_000_000];
const ROUNDS = roundsOr(5);
const PAGE = 1_000;
const FED = 10_000;
const LOOKUPS = 200;

const FLEET = { ...SMALL_FLEET, devices: [] };

/** Steps over the whole fleet, so that consecutive queries ask for different devices. */
const anyDevice = (n: number, size: number) => imeiOf(1 + ((n * 7_919) % size));

async function microsOf(work: () => Promise<unknown>, count: number): Promise<number> {
  const startedAt = performance.now();
  await work();
  return ((performance.now() - startedAt) * 1_000) / count;
}

async function feed({ url }: ServiceScene, size: number, run: string): Promise<void> {
  const at = new Date(Date.now() - 60_000).toISOString();
  const lines = Array.from(
    { length: FED },
    (_, n) =>
      `{"id":"${run}-${n}","kind":"imei","device":"${anyDevice(n, size)}","at":"${at}","bytes":${n}}\n`,
  );
  const accepted = await send(`${url}/operator/v1/usage`, [Buffer.from(lines.join(''))]);
  if (accepted !== FED) throw new Error(`${accepted} of ${FED} records were accepted`);
}

async function look({ post }: ServiceScene, size: number, round: number): Promise<void> {
  for (let n = 0; n < LOOKUPS; n++) {
    const imei = anyDevice(round * LOOKUPS + n, size);
    const { body } = await post('/dm/v1/devices/actions/query', {
      accountname: ACCOUNT,
      resourceidentifier: { imei },
    });
    if ((body as unknown as readonly unknown[]).length !== 1) throw new Error(`${imei} was not found`);
  }
}

const list = ({ post }: ServiceScene) =>
  post('/m2m/v1/devices/actions/list', { accountName: ACCOUNT, maxNumberOfDevices: PAGE });

const bytesOnDisk = async ({ client }: ServiceScene): Promise<number> => {
  const { rows } = await client.query(
    `select (pg_total_relation_size('device') + pg_total_relation_size('device_identifier'))::float8 as bytes`,
  );
  return rows[0].bytes;
};

/** Measures the cost of one device in one account while the account grows a thousandfold. */
export async function fleetSize(): Promise<Finding[]> {
  const scene = await openServiceScene('fleet_size', FLEET);
  const costs = new Map<string, { size: number; values: number[] }[]>();
  const note = (name: string, size: number, value: number) => {
    const points = costs.get(name) ?? [];
    if (points.at(-1)?.size !== size) points.push({ size, values: [] });
    points.at(-1)?.values.push(value);
    costs.set(name, points);
  };
  try {
    let filled = 0;
    for (const size of SIZES) {
      await fillRecords(scene, ACCOUNT, size - filled, 1 + filled);
      filled = size;
      for (let round = 0; round <= ROUNDS; round++) {
        const fed = await microsOf(() => feed(scene, size, `${size}-${round}`), FED);
        const listed = await microsOf(() => list(scene), PAGE);
        const found = await microsOf(() => look(scene, size, round), LOOKUPS);
        // The first round warms up.
        if (round === 0) continue;
        note('Usage record taken, µs', size, fed);
        note('Device in a page of the list, µs', size, listed);
        note('Device record found by IMEI, µs', size, found);
      }
      note('Device and its identifiers on disk, bytes', size, (await bytesOnDisk(scene)) / size);
      note('Resident memory of the service, MB', size, residentMb(scene.service.child.pid!));
      console.error(`  ${show(size)} devices`);
    }
    return [...costs].map(([name, points]) => growth({ name, points }));
  } finally {
    await scene.close();
  }
}

function growth(curve: Curve): Finding {
  const [least, most] = [curve.points[0]!, curve.points.at(-1)!];
  return {
    ...beside({
      what: `${curve.name}, with ${show(most.size)} devices in the account`,
      ours: most.values,
      against: most.values.map(() => median(least.values)),
      is: `with ${show(least.size)}`,
    }),
    curve,
  };
}
