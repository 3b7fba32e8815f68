import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '../../src/platform/db/sql.ts';
import { ACCOUNT, asUser, SMALL_FLEET } from '../support/fleet.ts';
import { makeWorld } from '../support/world.ts';

const world = await makeWorld();
await world.import(SMALL_FLEET);
const { call } = await asUser(world);

const LOCATION = ['errorCode', 'errorMessage'];
const TRIGGER = ['error', 'error_description'];
const RECORDS = ['error', 'error_description', 'cause'];

/** One call of each area that is refused regardless of its body. */
const AREAS: readonly [string, string, readonly string[]][] = [
  ['POST', '/loc/v1/locations', LOCATION],
  ['POST', '/subsc/v1/usage/triggers', LOCATION],
  ['POST', '/subsc/v1/managedaccounts/actions/provision', LOCATION],
  ['POST', '/m2m/v1/devices/actions/plan', LOCATION],
  ['POST', `/fota/v1/callbacks/${ACCOUNT}`, LOCATION],
  ['PUT', '/m2m/v2/triggers', TRIGGER],
  ['POST', '/dm/v1/rules', RECORDS],
];

describe('an error', () => {
  for (const [method, path, keys] of AREAS) {
    // proves 7.1/location-and-subsc 7.1/price-plan-triggers 7.1/device-management refusals/formats
    it(`${method} ${path}: refuses in the format of its area`, async () => {
      const answer = await call(method, path, { accountName: ACCOUNT, accountname: ACCOUNT });
      assert.equal(answer.statusCode, 400, answer.body);
      assert.deepEqual(Object.keys(answer.json()), keys);
      for (const value of Object.values(answer.json())) assert.equal(typeof value, 'string');
    });
  }

  // proves refusals/device-management
  it('of device management has at most 1,000 characters of description', async () => {
    const $selection = { ['x'.repeat(5_000)]: '1' };
    const answer = await call('POST', '/dm/v1/devices/actions/query', {
      accountname: ACCOUNT,
      filter: { $selection },
    });
    assert.equal(answer.statusCode, 400);
    assert.ok(answer.json().error_description.length <= 1_000);
  });

  // proves 7.2/internal-system-error
  it('500: a failure inside is an internal error of the area, which tells nothing', async () => {
    await world.ctx.db.exec(sql`alter table exclusion rename to exclusion_that_is_gone`);
    const answer = await call('GET', `/loc/v1/consents/${ACCOUNT}`);
    await world.ctx.db.exec(sql`alter table exclusion_that_is_gone rename to exclusion`);
    assert.equal(answer.statusCode, 500);
    assert.deepEqual(answer.json(), { errorCode: 'INTERNAL_ERROR', errorMessage: 'Internal system error.' });
  });
});
