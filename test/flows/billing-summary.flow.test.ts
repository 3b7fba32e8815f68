import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '../../src/platform/db/sql.ts';
import { ACCOUNT, asUser, SMALL_FLEET } from '../support/fleet.ts';
import { openListener } from '../support/listener.ts';
import { makeWorld } from '../support/world.ts';

const world = await makeWorld();
await world.import(SMALL_FLEET);
const user = await asUser(world);
const listener = await openListener();
const registered = await user.call('POST', `/m2m/v1/callbacks/${ACCOUNT}`, {
  name: 'DeviceUsage',
  url: listener.url,
  username: 'me',
  password: 'word',
});
assert.equal(registered.statusCode, 200, registered.body);
const record = { id: 'r1', kind: 'imei', device: '990000000000011', at: '2026-01-02T12:00:00Z', bytes: 7 };
assert.equal((await world.operator('POST', '/usage', record)).json().accepted, 1);

const month = { year: 2026, month: 1 };
const ask = (headers: Record<string, string> = {}) =>
  user.call(
    'POST',
    '/m2m/v2/devices/usage/actions/billed',
    { accountName: ACCOUNT, lineLevel: false, billingCycle: { from: month, to: month } },
    headers,
  );

describe('a billing data summary', () => {
  // proves 6.2/rule-5
  it('arrives at the DeviceUsage listener with the id from the answer, its credentials and its count', async () => {
    const { requestId } = (await ask()).json();
    await world.engine.settle();
    await world.delivery.settle();
    await listener.next();
    const { body } = listener.heard[0]!;
    assert.deepEqual(
      [body['requestId'], body['username'], body['password'], body['status'], body['callbackCount']],
      [requestId, 'me', 'word', 'Success', 1],
    );
    assert.equal(body['maxCallbackThreshold'], 4);
    const { billingUsageSummary } = body['deviceResponse'] as { billingUsageSummary: { totalUsage: number } };
    assert.equal(billingUsageSummary.totalUsage, 7);
  });

  it('is requested once by a call that is repeated with the same Idempotency-Key', async () => {
    const repeated = { 'idempotency-key': 'one' };
    const [first, again] = [await ask(repeated), await ask(repeated)];
    assert.deepEqual(again.json(), first.json());
    const rows = await world.ctx.db.many(sql`
      select from billing_request where request_id = ${first.json().requestId}`);
    assert.equal(rows.length, 1);
  });
});
