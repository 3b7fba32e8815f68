import { ACCOUNT, MANAGED, SMALL_FLEET, USER } from '../test/support/fleet.ts';
import { fillAccount } from './support/fill-account.ts';
import { inTurns } from './support/in-turns.ts';
import { beside, type Finding } from './support/report.ts';
import { roundsOr } from './support/rounds.ts';
import { openServiceScene, type ServiceScene } from './support/service-scene.ts';
import { medianOf } from './support/statistics.ts';

const MANY = 1_000_000;
const FEW = 10_000;
const PAGE = 1_000;
const ROUNDS = roundsOr(9);
const PER_ROUND = 10;
const RATIO_MAX = 1.5;

const FLEET = { ...SMALL_FLEET, users: [{ ...USER, accounts: [ACCOUNT, MANAGED] }], devices: [] };

async function page({ post }: ServiceScene, accountName: string, after: number): Promise<number> {
  const startedAt = performance.now();
  const { status, body } = await post('/m2m/v1/devices/actions/list', {
    accountName,
    maxNumberOfDevices: PAGE,
    largestDeviceIdSeen: after,
  });
  const ms = performance.now() - startedAt;
  const { length } = body['devices'] as readonly unknown[];
  if (status !== 202 || length !== PAGE) throw new Error(`${length} devices with status ${status}`);
  return ms;
}

/** The list number in the middle: half of the account's devices come after it. */
async function middleOf({ client }: ServiceScene, accountName: string): Promise<number> {
  const { rows } = await client.query(
    `select (min(list_number) + count(*) / 2)::int as n from device where account_name = $1`,
    [accountName],
  );
  return rows[0].n;
}

export async function deviceList(): Promise<Finding[]> {
  const scene = await openServiceScene('device_list', FLEET);
  try {
    await fillAccount(scene, MANAGED, FEW, 1);
    await fillAccount(scene, ACCOUNT, MANY, 1 + FEW);
    await scene.client.query('vacuum analyze device');
    const findings: Finding[] = [];
    for (const [where, starts] of [
      ['the first', [0, 0]],
      ['from the middle', [await middleOf(scene, ACCOUNT), await middleOf(scene, MANAGED)]],
    ] as const) {
      const turns = await inTurns(
        ROUNDS,
        () => medianOf(PER_ROUND, () => page(scene, ACCOUNT, starts[0])),
        () => medianOf(PER_ROUND, () => page(scene, MANAGED, starts[1])),
      );
      findings.push(
        beside({
          what: `Device list, a page of 1,000 (${where}) out of 1,000,000 devices of an account, ms`,
          ...turns,
          is: 'the same page out of 10,000',
          target: { atMost: RATIO_MAX },
        }),
      );
    }
    return findings;
  } finally {
    await scene.close();
  }
}
