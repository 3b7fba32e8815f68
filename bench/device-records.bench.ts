import { ACCOUNT, MANAGED, SMALL_FLEET, USER } from '../test/support/fleet.ts';
import type { Finding } from './support/report.ts';
import { openServiceScene, type ServiceScene } from './support/service-scene.ts';
import { median, show, spread } from './support/statistics.ts';

const MANY = 1_000_000;
const FEW = 1_000;
const ROUNDS = 9;
const PER_ROUND = 100;
const RATIO_MAX = 1.5;

const FLEET = { ...SMALL_FLEET, users: [{ ...USER, accounts: [ACCOUNT, MANAGED] }], devices: [] };
const imei = (n: number): string => String(990000000000000 + n);

/** Devices with a record such as owners write; `first` keeps their identifiers apart. */
async function fill({ client }: ServiceScene, accountName: string, count: number, first: number) {
  await client.query(
    `insert into device (ecpd_id, device_id, account_name, kind, state, imei, iccid, iot, activated_by_sku, ota_updated, labels,
       record, simulation, foreign_id, created_on, last_updated, version, version_id)
     select p.ecpd_id, gen_random_uuid(), $1, 'device', 'active', (990000000000000 + n)::text,
       (89148000000000000000 + n)::text, true, false, true, '[]',
       jsonb_build_object('name', 'tracker ' || n, 'serial', 'S-' || n, 'manufacturer', 'Acme',
         'customdata', jsonb_build_object('site', n % 1000)),
       '{}', p.foreign_id, now(), now(), 1, gen_random_uuid()
     from profile p, generate_series($2::bigint, $2::bigint + $3 - 1) n where p.ecpd_id = '9000001'`,
    [accountName, first, count],
  );
  await client.query(
    `insert into device_identifier (kind, value, ecpd_id, account_name, device_id)
     select k.kind, k.value, d.ecpd_id, d.account_name, d.device_id from device d
     cross join lateral (values ('imei', d.imei), ('iccid', d.iccid)) k (kind, value) where d.account_name = $1`,
    [accountName],
  );
}

async function find(
  { post }: ServiceScene,
  accountname: string,
  resourceidentifier: object,
): Promise<number> {
  const startedAt = performance.now();
  const { body } = await post('/dm/v1/devices/actions/query', { accountname, resourceidentifier });
  const ms = performance.now() - startedAt;
  const { length } = body as unknown as readonly unknown[];
  if (length !== 1) throw new Error(`${length} records by ${JSON.stringify(resourceidentifier)}`);
  return ms;
}

export async function deviceRecords(): Promise<Finding[]> {
  const scene = await openServiceScene('device_records', FLEET);
  try {
    await fill(scene, MANAGED, FEW, 1);
    await fill(scene, ACCOUNT, MANY, 1 + FEW);
    await scene.client.query('vacuum analyze device');
    await scene.client.query('vacuum analyze device_identifier');
    const findings: Finding[] = [];
    for (const [what, identify] of [
      ['IMEI', (n: number) => ({ imei: imei(n) })],
      ['serial number', (n: number) => ({ serial: `S-${n}` })],
    ] as const) {
      const rounds: { many: number; few: number }[] = [];
      for (let round = 0; round <= ROUNDS; round++) {
        const [many, few]: [number[], number[]] = [[], []];
        // Taking turns: what disturbs the machine disturbs both.
        for (let n = 0; n < PER_ROUND; n++) {
          many.push(await find(scene, ACCOUNT, identify(1 + FEW + (((round * PER_ROUND + n) * 997) % MANY))));
          few.push(await find(scene, MANAGED, identify(1 + ((round * PER_ROUND + n) % FEW))));
        }
        rounds.push({ many: median(many), few: median(few) });
      }
      // The first is for warming up.
      const measured = rounds.slice(1);
      const ratios = measured.map(({ many, few }) => many / few);
      const many = measured.map((each) => each.many);
      findings.push({
        what: `Device record by ${what} out of 1,000,000 records of an account, ms`,
        ours: `${show(median(many))} (${spread(many)})`,
        against: `${show(median(measured.map(({ few }) => few)))} (the same out of 1,000)`,
        ratio: `${show(median(ratios))} (${spread(ratios)})`,
        target: `at most ${RATIO_MAX}`,
        met: median(ratios) <= RATIO_MAX,
      });
    }
    return findings;
  } finally {
    await scene.close();
  }
}
