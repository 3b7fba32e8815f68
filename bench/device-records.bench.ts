import { ACCOUNT, MANAGED, SMALL_FLEET, USER } from '../test/support/fleet.ts';
import { fillRecords, imeiOf } from './support/fill-records.ts';
import { inTurns } from './support/in-turns.ts';
import { beside, type Finding } from './support/report.ts';
import { roundsOr } from './support/rounds.ts';
import { openServiceScene, type ServiceScene } from './support/service-scene.ts';
import { medianOf } from './support/statistics.ts';

const MANY = 1_000_000;
const FEW = 1_000;
const ROUNDS = roundsOr(9);
const PER_ROUND = 100;
const RATIO_MAX = 1.5;

const FLEET = { ...SMALL_FLEET, users: [{ ...USER, accounts: [ACCOUNT, MANAGED] }], devices: [] };

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
    await fillRecords(scene, MANAGED, FEW, 1);
    await fillRecords(scene, ACCOUNT, MANY, 1 + FEW);
    const findings: Finding[] = [];
    for (const [what, identify] of [
      ['IMEI', (n: number) => ({ imei: imeiOf(n) })],
      ['serial number', (n: number) => ({ serial: `S-${n}` })],
    ] as const) {
      const asked = (round: number, nth: number) => round * PER_ROUND + nth;
      const turns = await inTurns(
        ROUNDS,
        (round) =>
          medianOf(PER_ROUND, (nth) =>
            find(scene, ACCOUNT, identify(1 + FEW + ((asked(round, nth) * 997) % MANY))),
          ),
        (round) =>
          medianOf(PER_ROUND, (nth) => find(scene, MANAGED, identify(1 + (asked(round, nth) % FEW)))),
      );
      findings.push(
        beside({
          what: `Device record by ${what} out of 1,000,000 records of an account, ms`,
          ...turns,
          is: 'the same out of 1,000',
          target: { atMost: RATIO_MAX },
        }),
      );
    }
    return findings;
  } finally {
    await scene.close();
  }
}
