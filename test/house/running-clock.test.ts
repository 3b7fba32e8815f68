import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Query, sql } from '../../src/platform/db/sql.ts';
import { ACCOUNT, asUser, SMALL_FLEET } from '../support/fleet.ts';
import { makeWorld } from '../support/world.ts';

const IMEI = SMALL_FLEET.devices[0]!.imei;
const NEW_IMEI = '997700000000100';
const GATEWAY_ID = '7a6d0f5e-9f0a-4c55-8f0e-2f60c1f5a001';
const named = (id: string) => ({ devices: [{ deviceIds: [{ id, kind: 'imei' }] }] });
const rule = (name: string) => ({
  name,
  rulesyntax: 'json',
  rulechain: { field: 't', operator: 'gt', value: 1 },
});

const world = await makeWorld({ ticks: true });
const { db } = world.ctx;
const plans = [...SMALL_FLEET.plans, { code: 'P-50MB', name: '50 MB', kind: 'payAsYouGo' }];
const parent = {
  accountName: ACCOUNT,
  kind: 'gateway',
  mac: 'aa-bb-cc-dd-ee-ff',
  record: { id: GATEWAY_ID },
};
const sensor = { accountName: ACCOUNT, kind: 'sensor', mac: '00-11-22-33-44-55' };
const child = { ...sensor, record: { parentdeviceid: GATEWAY_ID } };
await world.import({
  ...SMALL_FLEET,
  plans,
  devices: [...SMALL_FLEET.devices, parent, child],
  userProfiles: [{ accountName: ACCOUNT, email: 'a@b.example' }],
  rules: [{ accountName: ACCOUNT, deviceImei: IMEI, ...rule('cold') }],
});

const { call } = await asUser(world);
const ask = async (method: string, path: string, body: object) => {
  const answer = await call(method, path, { accountName: ACCOUNT, accountname: ACCOUNT, ...body });
  assert.equal(answer.statusCode, 200, answer.body);
  await world.engine.settle();
  return answer.json();
};
const carrier = (method: string, path: string, body: object) => ask(method, `/m2m/v1/devices${path}`, body);

/** The versions without an entry in the audit log, or with an entry at another time than their own. */
const misdated = (table: Query, id: Query) =>
  db.many(sql`
    select r.* from ${table} r
    left join audit_entry a on a.ecpd_id = r.ecpd_id and a.target = ${id}::text and a.after->>'version' = r.version::text
    where a.at is distinct from r.last_updated`);
const noDeviceIsMisdated = async () => assert.deepEqual(await misdated(sql`device`, sql`device_id`), []);
const noRuleIsMisdated = async () => assert.deepEqual(await misdated(sql`rule`, sql`rule_id`), []);
const noUserIsMisdated = async () => assert.deepEqual(await misdated(sql`user_profile`, sql`user_id`), []);

describe('while the clock runs', () => {
  it('an import has one moment for each section, and puts the plans of its devices into their history', async () => {
    const rows = await db.many(sql`
      select p.plan_code as plan, p.cause, p.since = d.plan_since and p.changed_at = d.last_updated as "isOne"
      from device_plan p join device d using (ecpd_id, device_id)`);
    const imported = { plan: 'P-5MB', cause: 'import', isOne: true };
    assert.deepEqual(rows, [imported, imported]);
    await noDeviceIsMisdated();
    await noRuleIsMisdated();
    await noUserIsMisdated();
  });

  it('a line is activated at one moment', async () => {
    const body = { ...named(NEW_IMEI), servicePlan: 'P-5MB', mdnZipCode: '76051' };
    await carrier('POST', '/actions/activate', body);
    await noDeviceIsMisdated();
    const activated = await db.many(sql`
      select a.at = d.activated_at as "isOne" from device d
      join audit_entry a on a.ecpd_id = d.ecpd_id and a.target = d.device_id::text and a.action = 'activateLine'`);
    assert.deepEqual(activated, [{ isOne: true }]);
    const plan = await db.many(sql`
      select p.since = p.changed_at and p.since = d.plan_since and p.since = d.last_updated as "isOne"
      from device d join device_plan p using (ecpd_id, device_id) where d.imei = ${NEW_IMEI}`);
    assert.deepEqual(plan, [{ isOne: true }]);
  });

  it('a change of a line has one moment', async () => {
    await carrier('POST', '/actions/suspend', named(IMEI));
    await carrier('PUT', '/actions/plan', { ...named(NEW_IMEI), servicePlan: 'P-50MB' });
    await noDeviceIsMisdated();
    const changed = await db.many(sql`
      select p.changed_at = d.last_updated as "isOne"
      from device d join device_plan p using (ecpd_id, device_id) where p.plan_code = 'P-50MB'`);
    assert.deepEqual(changed, [{ isOne: true }]);
  });

  it('a change of a record has one moment, and so has the loss of a parent', async () => {
    const resourceidentifier = { imei: Number(IMEI) };
    await ask('PATCH', '/dm/v1/devices', { resourceidentifier, device: { name: 'meter' } });
    await noDeviceIsMisdated();
    await ask('POST', '/dm/v1/devices/actions/set', { resourceidentifier, configuration: { a: 1 } });
    await noDeviceIsMisdated();
    await world.operator('DELETE', '/devices/mac/AA:BB:CC:DD:EE:FF');
    await noDeviceIsMisdated();
  });

  it('a rule is made and changed at one moment each', async () => {
    const onDevice = { resourceidentifier: { imei: Number(IMEI) }, rule: rule('hot') };
    const { id } = await ask('POST', '/dm/v1/rules', onDevice);
    await noRuleIsMisdated();
    await ask('POST', '/dm/v1/rules', { resourceidentifier: { id }, rule: rule('warm') });
    await noRuleIsMisdated();
  });

  it('a user is made and changed at one moment each', async () => {
    const { id } = await ask('POST', '/dm/v1/users', { user: { email: 'c@d.example' } });
    await noUserIsMisdated();
    await ask('PATCH', '/dm/v1/users', { id, user: { firstname: 'C' } });
    await noUserIsMisdated();
  });
});
