import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { sql } from '../../src/platform/db/sql.ts';
import { ACCOUNT, asUser, MANAGED, SMALL_FLEET, STRANGER } from '../support/fleet.ts';
import { makeWorld } from '../support/world.ts';
import { bodiesFor, iccid, imei, LINES, MANAGEDS, STRANGERS } from './naming/bodies.ts';
import { type Body, type Line, linesNamedBy, OPERATIONS } from './naming/reading.ts';
import { RUNS } from './support/runs.ts';

/** Bodies for each operation in a run of all tests. */
const BODIES = RUNS * 12;
const STATES = ['pre-active', 'active', 'active', 'suspend', 'active', 'deactive'];

const lineOf = (accountName: string, n: number) => ({
  accountName,
  imei: imei(n),
  iccid: iccid(n),
  servicePlan: n % 3 === 0 ? 'P-B' : 'P-A',
  state: STATES[n % STATES.length],
});
const FLEET = [
  ...Array.from({ length: LINES }, (_, n) => lineOf(ACCOUNT, n)),
  lineOf(MANAGED, MANAGEDS),
  lineOf(STRANGER, STRANGERS),
];

const world = await makeWorld();
const { db } = world.ctx;
await world.import({
  ...SMALL_FLEET,
  plans: [{ code: 'P-A' }, { code: 'P-B' }],
  serviceableZips: ['76051'],
  devices: FLEET,
});
const { call } = await asUser(world);

const readLines = () =>
  db.many<Line>(sql`
    select imei, iccid, account_name as "accountName", state, service_plan as plan from device order by imei`);
const namedIn = async (requestId: string) =>
  (
    await db.many<{ imei: string }>(sql`
      select d.imei from carrier_request_device r join device d on d.ecpd_id = r.ecpd_id and d.device_id = r.device_id
      where r.request_id = ${requestId}`)
  ).map((line) => line.imei);

let changes = 0;
/** Restores the fleet, so that later bodies meet lines in every state. */
const restore = async (): Promise<void> => {
  await world.import({ devices: FLEET });
  changes = 0;
};

const sorted = (all: Iterable<string>) => [...all].toSorted();

/** Sends the body, lets the workers finish, and compares the result with the lines that `linesNamedBy` expects. */
async function tryOne(operation: (typeof OPERATIONS)[string], body: Body): Promise<'taken' | 'refused'> {
  const before = await readLines();
  const meant = linesNamedBy(operation, body, before, ACCOUNT);
  for (const method of operation.methods) {
    const answer = await call(method, operation.path, body);
    if (meant === 'refused') {
      assert.equal(answer.statusCode, 400, `taken: ${answer.body}`);
      continue;
    }
    assert.equal(answer.statusCode, 200, answer.body);
    assert.deepEqual(sorted(await namedIn(answer.json().requestId)), sorted(meant));
  }
  if (meant === 'refused') {
    assert.deepEqual(await readLines(), before);
    return 'refused';
  }
  await world.engine.settle();
  const after = new Map((await readLines()).map((line) => [line.imei, line]));
  const changed = before.filter((line) => JSON.stringify(line) !== JSON.stringify(after.get(line.imei)));
  const strangers = changed.filter((line) => !meant.has(line.imei));
  assert.deepEqual(strangers, [], 'lines that were not named have changed');
  changes += changed.length;
  if (changes > LINES / 2) await restore();
  return 'taken';
}

describe('a request for many lines acts on those that its body names, and on no other', () => {
  for (const [name, operation] of Object.entries(OPERATIONS))
    it(`${name}: whatever the body, as an obvious reading of it says`, async () => {
      await restore();
      const ends = { taken: 0, refused: 0 };
      const property = fc.asyncProperty(bodiesFor(operation), async (body) => {
        ends[await tryOne(operation, body)]++;
      });
      await fc.assert(property, { numRuns: BODIES });
      assert.ok(ends.taken > BODIES / 20 && ends.refused > BODIES / 20, JSON.stringify(ends));
    });
});
