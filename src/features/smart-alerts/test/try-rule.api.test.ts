import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser } from '../../../../test/support/fleet.ts';
import { imei, LOCATION_FLEET } from '../../../../test/support/location-fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import { signIn } from '../../console/test/scene.ts';

const world = await makeWorld();
await world.import(LOCATION_FLEET);
const { call } = await asUser(world);
const { db } = world.ctx;
const { deviceId } = await db.one<{ deviceId: string }>(sql`
  select device_id as "deviceId" from device where imei = ${imei(1)}`);
const AT = '2026-01-04T00:00:00.000Z';
const ask = (rulechain: unknown, rulesyntax = 'json', deviceid = deviceId) =>
  call('POST', '/dm/v1/rules/actions/try', {
    accountname: ACCOUNT,
    rule: { deviceid, rulesyntax, rulechain },
  });
const tried = async (chain: unknown, syntax?: string) => {
  const answer = await ask(chain, syntax);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
};
const warm = { field: 't', operator: 'gt', value: 30 };

describe('POST /dm/v1/rules/actions/try', () => {
  it('200: says that a device has reported nothing', async () => {
    const compared = [{ field: 't', operator: 'gt', limit: 30 }];
    assert.deepEqual(await tried(warm), { active: true, compared, at: null, fields: [] });
  });

  it('200: says whether it holds for the last reading, and what it compared', async () => {
    const line = { kind: 'imei', device: imei(1), at: AT, values: { t: 34, door: 'open' } };
    assert.equal((await world.operator('POST', '/readings', JSON.stringify(line))).json().accepted, 1);
    const compared = [{ field: 't', operator: 'gt', limit: 30, value: 34 }];
    const known = { at: AT, fields: ['t', 'door'] };
    assert.deepEqual(await tried(warm), { active: true, holds: true, compared, ...known });
    assert.equal((await tried({ ...warm, value: 40 })).holds, false);
    assert.equal((await tried({ ...warm, field: 'humidity' })).holds, undefined);
    assert.equal((await tried({ '==': [{ var: 'door' }, 'open'] })).holds, true);
  });

  it('200: says why it would not be evaluated', async () => {
    assert.equal((await tried({ field: 't' })).reason, 'a condition needs an operator');
    assert.equal((await tried(warm, 'drools')).active, false);
  });

  it('200: writes no rule, and raises no alert', async () => {
    assert.deepEqual(await db.many(sql`select from rule`), []);
    assert.deepEqual(await db.many(sql`select from smart_alert`), []);
  });

  it('404: does not know a device that the account does not have', async () => {
    const answer = await ask(warm, 'json', '00000000-0000-4000-8000-000000000000');
    assert.deepEqual([answer.statusCode, answer.json().error], [404, 'not_found']);
  });

  it('200: finds the device by any identifier, and takes an operator by cookie who may only read', async () => {
    const { key } = (await world.operator('POST', '/keys', { name: 'reader', scopes: ['read'] })).json();
    const reader = await signIn(world, { operatorKey: key });
    const answer = await reader.call('POST', '/dm/v1/rules/actions/try', {
      accountname: ACCOUNT,
      resourceidentifier: { imei: imei(1) },
      rule: { rulesyntax: 'json', rulechain: warm },
    });
    assert.equal(answer.json().holds, true, answer.body);
  });

  it('200: reads numbers as a saved rule does', async () => {
    const body = (limit: string) =>
      `{"accountname":"${ACCOUNT}","rule":{"deviceid":"${deviceId}","rulesyntax":"json",` +
      `"rulechain":{"field":"t","operator":"lt","value":${limit}}}}`;
    const answer = await call('POST', '/dm/v1/rules/actions/try', body('12345678901234567890'));
    assert.deepEqual([answer.json().active, answer.json().holds], [true, true], answer.body);
  });
});
