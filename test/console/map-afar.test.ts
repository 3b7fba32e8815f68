import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Afar, boundsFromAfar, clusterCounts, countOf } from '../../clients/console/src/map/afar.ts';
import { toFleet } from '../../clients/console/src/map/fleet.ts';
import { clusterPoints, type Shown, toPoints } from '../../clients/console/src/map/grid.ts';
import { type Bounds, boundsOf } from '../../clients/console/src/map/mercator.ts';
import { type Coloring, toneOfCell, tonesOf } from '../../clients/console/src/pages/map/tone-numbers.ts';
import { signIn } from '../../src/features/console/test/scene.ts';
import { ACCOUNT, MANAGED, SMALL_FLEET, USER } from '../support/fleet.ts';
import { randomFor } from '../support/seeded-random.ts';
import { makeWorld } from '../support/world.ts';

const DEVICES = 400;
const DAY_MS = 86_400_000;
const WORLD: Bounds = [-180, -90, 180, 90];
const random = randomFor('from afar');
const imei = (n: number) => String(990_000_200_000_000 + n);

const world = await makeWorld();
await world.import({
  ...SMALL_FLEET,
  devices: Array.from({ length: DEVICES }, (_, n) => ({
    accountName: ACCOUNT,
    imei: imei(n),
    servicePlan: 'P-5MB',
    state: random.pick(['active', 'active', 'suspend']),
  })),
});
const user = await signIn(world, USER);
const read = async (path: string) => {
  const answer = await user.get(`/accounts/${ACCOUNT}/${path}`);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
};

/** Most devices are in a few towns, the others anywhere in a region of this size. */
async function feed(degrees: number): Promise<void> {
  const corner = [random.between(-60, 40), random.between(-150, 100)] as const;
  const within = (from: number, span: number) => from + span * random.next();
  const towns = Array.from({ length: 5 }, () => corner.map((from) => within(from, degrees)));
  const lines = Array.from({ length: DEVICES }, (_, n) => {
    const [lat = 0, lon = 0] = random.pick([...towns, corner]);
    const span = lat === corner[0] ? degrees : degrees / 100;
    // No age lies exactly on the limit between two colours.
    const at = new Date(world.ctx.now().getTime() - random.between(0, 14) * DAY_MS - 60_000 * n - 30_000);
    const accuracy = random.pick(['coarse', 'precise']);
    const place = { lat: within(lat, span), lon: within(lon, span), radius: 500 };
    return JSON.stringify({ kind: 'imei', device: imei(n), at, ...place, accuracy });
  });
  const answer = await world.operator('POST', '/positions', lines.join('\n'));
  assert.deepEqual(answer.json().rejected, []);
}

/** One ten-thousandth of a degree, because the two sides sum the centre of a group in different orders. */
const CLOSE = 1e-4;
const restOf = ({ count, tone, ...rest }: Shown) =>
  [count, tone, 'opensAt' in rest ? rest.opensAt : ''].join();
const isSame = (one: Shown, other: Shown) =>
  Math.abs(one.longitude - other.longitude) < CLOSE &&
  Math.abs(one.latitude - other.latitude) < CLOSE &&
  restOf(one) === restOf(other);

/** In any order, but each needs its own counterpart. */
function assertSame(actual: readonly Shown[], expected: readonly Shown[], where: string): void {
  assert.equal(actual.length, expected.length, where);
  const left = [...expected];
  for (const one of actual) {
    const nth = left.findIndex((other) => isSame(one, other));
    assert.ok(nth >= 0, `${where}: ${JSON.stringify(one)} is none of ${JSON.stringify(left)}`);
    left.splice(nth, 1);
  }
}

async function compare(across: number, coloring: Coloring): Promise<void> {
  const cells = await read(`position-cells?across=${across}&by=${coloring}`);
  const afar: Afar = { ...cells, tones: cells.tones.map((tone: number) => toneOfCell(tone, coloring)) };
  const fleet = toFleet([await read('positions')]);
  assert.equal(countOf(afar), fleet.ids.length);
  const squares = new Set(afar.columns.map((column, n) => `${column} ${afar.rows[n]}`));
  assert.ok(squares.size <= (across + 1) ** 2, `${squares.size} squares`);
  if (fleet.ids.length > 0)
    assert.deepEqual(boundsFromAfar(afar), boundsOf(fleet.latitudes, fleet.longitudes));
  const now = world.ctx.now().getTime() / 1_000;
  const points = toPoints(fleet.latitudes, fleet.longitudes, tonesOf(fleet, coloring, now));
  for (let zoom = 0; zoom <= afar.level; zoom++)
    assertSame(
      clusterCounts(afar, zoom),
      clusterPoints(points, WORLD, zoom).shown,
      `zoom ${zoom} of ${afar.level}`,
    );
  for (const one of clusterCounts(afar, afar.level + 3))
    if ('nth' in one) assert.ok(fleet.places.has(afar.ids[one.nth]!));
}

describe('a fleet from afar', () => {
  it('is drawn as it would be from each position, wherever it is and whatever consent allows', async () => {
    for (const degrees of [40, 8, 0.5, 0]) {
      await feed(degrees);
      for (const consents of [
        [{ accountName: ACCOUNT, level: 0 }],
        [{ accountName: ACCOUNT, level: 2 }],
        [
          {
            accountName: ACCOUNT,
            level: random.between(0, 3),
            devices: Array.from({ length: 50 }, (_, n) => ({
              imei: imei(n * 8),
              level: random.between(0, 3),
            })),
          },
        ],
      ]) {
        await world.import({ consents });
        await compare(random.between(1, 64), random.pick(['state', 'age'] as const));
      }
    }
    const excluded = Array.from({ length: 40 }, (_, n) => imei(n * 9));
    await world.import({
      consents: [{ accountName: ACCOUNT, level: 0 }],
      exclusions: [{ accountName: ACCOUNT, allDevice: false, imeis: excluded }],
    });
    await compare(30, 'state');
    await world.import({ exclusions: [{ accountName: ACCOUNT, allDevice: true }] });
    assert.deepEqual((await read('position-cells')).counts, []);
  });

  it('is refused for an account of others, and for one that is not registered for device location', async () => {
    assert.equal((await user.get(`/accounts/${MANAGED}/position-cells`)).statusCode, 403);
    const operator = await signIn(world);
    const answer = await operator.get(`/accounts/${MANAGED}/position-cells`);
    assert.deepEqual([answer.statusCode, answer.json().title], [400, 'Unregistered account']);
    assert.equal((await user.get(`/accounts/${ACCOUNT}/position-cells?across=65`)).statusCode, 400);
  });
});
