import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, MANAGED, STRANGER, STRANGER_USER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import { gatewayId, RECORD_FLEET, sensorId } from './record-fleet.ts';

const world = await makeWorld();
await world.import({
  ...RECORD_FLEET,
  rules: [...RECORD_FLEET.rules, { accountName: STRANGER, deviceImei: '990000000000029', name: 'theirs' }],
  userProfiles: [...RECORD_FLEET.userProfiles, { accountName: STRANGER, email: 'their@b.example' }],
});
const { call } = await asUser(world);
const stranger = await asUser(world, STRANGER_USER);

/** Everything that these calls could change. */
const everything = () =>
  world.ctx.db.many(sql`
    select to_jsonb(u) as row from user_profile u union all select to_jsonb(r) from rule r
    union all select to_jsonb(d) from device d union all select jsonb_build_object('lines', count(*)) from audit_entry
      where actor_kind = 'user' order by 1`);
const before = await everything();

async function refused(status: number, cause: string, method: string, path: string, body: object | string) {
  const answer = await call(
    method,
    `/dm/v1${path}`,
    typeof body === 'string' ? `{"accountname":"${ACCOUNT}",${body}}` : { accountname: ACCOUNT, ...body },
  );
  const error = answer.json();
  assert.deepEqual([answer.statusCode, error.cause], [status, cause], answer.body);
  assert.deepEqual(Object.keys(error), ['error', 'error_description', 'cause']);
  assert.ok(error.error_description.length > 0 && error.error_description.length <= 1_000);
  assert.deepEqual(await everything(), before);
}
const query = (cause: string, filter: object | string) =>
  refused(
    400,
    cause,
    'POST',
    '/devices/sensors/actions/query',
    typeof filter === 'string' ? `"filter":${filter}` : { filter },
  );
const find = async (who: typeof stranger, accountname: string, path: string) =>
  (await who.call('POST', `/dm/v1/${path}/actions/query`, { accountname, filter: {} })).json()[0];
const ruleId = (await find({ ...stranger, call }, ACCOUNT, 'rules')).id;
const userId = (await find({ ...stranger, call }, ACCOUNT, 'users')).id;

describe('400: a query is refused, with the cause, for', () => {
  it('a selection by a field that the records do not have', async () => {
    await query('filter.$selection.colour', { $selection: { colour: 'red' } });
    await query('filter.$selection.commands.x', { $selection: { 'commands.x': '1' } });
    await query('filter.$selection.constructor', { $selection: { constructor: 'x' } });
  });
  it('a value that is no text, number or boolean', () =>
    query('filter.$selection.name', { $selection: { name: { a: 1 } } }));
  it('101 projections', () => query('filter.$projection', { $projection: Array(101).fill('name') }));
  // proves 4.8-body/$pagenumber
  it('pages before the first', async () => {
    await query('filter.$pagenumber', { $pagenumber: -1 });
    await query('filter.$pagenumber', { $pagenumber: 0 });
    await query('filter.$limitnumber', { $limitnumber: 0 });
    await query('filter.$limitnumber', { $limitnumber: 2_001 });
    for (const digits of ['0', '2001', '', '1.0', '-1', 'ten', '9'.repeat(400)])
      await query('filter.$limitnumber', { $limitnumber: digits });
  });
  // proves 4.8-body/$page
  it('a $page that was forged, altered, or belongs to another query', async () => {
    const page = async (filter: object, path = 'devices/sensors') =>
      (await call('POST', `/dm/v1/${path}/actions/query`, { accountname: ACCOUNT, filter })).headers[
        'x-next'
      ];
    const real = String(await page({ $limitnumber: 1 }));
    const altered = `${real.slice(0, -2)}${real.at(-2) === 'A' ? 'B' : 'A'}${real.slice(-1)}`;
    const others = [
      await page({ $limitnumber: 1, $selection: { sku: 'S' } }),
      await page({ $limitnumber: 1 }, 'users'),
    ];
    for (const $page of ['1', '', 'k1.', 'AAAA', 'k1.AAAA', `k1.${'A'.repeat(60)}`, altered, ...others])
      await query('filter.$page', { $page });
  });
  // proves 4.8-body/$expand
  it('an unknown expansion', () => query('filter.$expand', { $expand: 'owner' }));
  it('a selection by __proto__, of records or within them', async () => {
    await query('filter.$selection.__proto__', '{"$selection":{"__proto__":"x"}}');
    await query('filter.$selection.customdata.__proto__.x', {
      $selection: { 'customdata.__proto__.x': '1' },
    });
  });
  it('a number too large to store, which would be stored as null', () =>
    refused(
      400,
      'a number is too large',
      'PATCH',
      '/users',
      `"id":"${userId}","user":{"customdata":{"a":1e400}}`,
    ));
  it('a number instead of an object, even one with many digits', async () => {
    for (const number of ['1', '12345678901234567890'])
      await refused(
        400,
        'user.customdata',
        'PATCH',
        '/users',
        `"id":"${userId}","user":{"customdata":${number}}`,
      );
  });
  it('neither identifier nor filter, and invalid identifiers', async () => {
    const device = (cause: string, body: object) =>
      refused(400, cause, 'POST', '/devices/actions/query', body);
    await device('resourceidentifier', {});
    await device('resourceidentifier', { resourceidentifier: {} });
    for (const [name, value] of Object.entries({
      imei: 'x',
      esn: 1.5,
      mac: 'aa',
      deviceid: 'x',
      serial: {},
      imsi: true,
    }))
      await device(`resourceidentifier.${name}`, { resourceidentifier: { [name]: value } });
  });
});

describe('a change is refused with the cause, and changes nothing, for', () => {
  it('400: an invalid e-mail address or phone number', async () => {
    for (const email of ['nobody', 'a@b@c', 'a b@c.example', '@c.example', 'a@c.example\r\nTo: x', ''])
      await refused(400, 'user.email', 'PATCH', '/users', { id: userId, user: { email } });
    await refused(400, 'user.email', 'POST', '/users', { user: { email: 'x' } });
    await refused(400, 'user.email', 'POST', '/users', { user: { firstname: 'x' } });
    await refused(400, 'user.mdn', 'PATCH', '/users', { id: userId, user: { mdn: '555-0100' } });
  });
  it('400: a rule of 1 MiB', () =>
    refused(400, 'rule.rulechain', 'POST', '/rules', {
      resourceidentifier: { id: ruleId },
      rule: { rulesyntax: 'json', rulechain: { in: 'x'.repeat(1_048_576) } },
    }));
  it('400: a rule of 1,000 levels', () =>
    refused(
      400,
      'more than 200 levels',
      'POST',
      '/rules',
      `"resourceidentifier":{"id":"${ruleId}"},"rule":{"rulechain":${'{"not":'.repeat(1_000)}1${'}'.repeat(1_000)}}`,
    ));
  it("404: the id of another account's record, of another kind of record, or of no record", async () => {
    const { id: theirUser } = await find(stranger, STRANGER, 'users');
    const { id: theirRule } = await find(stranger, STRANGER, 'rules');
    const { id: theirDevice } = await find(stranger, STRANGER, 'devices');
    for (const id of [theirUser, ruleId, 'x', sensorId]) {
      await refused(404, 'id', 'PATCH', '/users', { id, user: { firstname: 'x' } });
      await refused(404, 'id', 'DELETE', '/users', { id });
    }
    for (const id of [theirRule, userId, 'x']) {
      await refused(404, 'resourceidentifier.id', 'POST', '/rules', { resourceidentifier: { id }, rule: {} });
      await refused(404, 'resourceidentifier.id', 'DELETE', '/rules', { resourceidentifier: { id } });
    }
    await refused(404, 'resourceidentifier', 'PATCH', '/devices', { id: theirDevice, device: { name: 'x' } });
    await refused(404, 'resourceidentifier', 'POST', '/rules', { rule: { deviceid: theirDevice } });
    const named = { resourceidentifier: { deviceid: theirDevice } };
    await refused(404, 'resourceidentifier', 'POST', '/devices/lastreported', named);
  });
  it('400: the 101st rule of a device', async () => {
    const rule = { deviceid: sensorId, rulesyntax: 'json', rulechain: {} };
    const { ids } = await world.ctx.db.one<{ ids: string[] }>(sql`
      with added as (
        insert into rule (ecpd_id, account_name, rule_id, device_id, record, foreign_id, created_on, last_updated, version,
          version_id)
        select d.ecpd_id, d.account_name, gen_random_uuid(), d.device_id, '{}', d.foreign_id, d.created_on, d.created_on, 1,
          gen_random_uuid()
        from device d, generate_series(1, 100 - (select count(*)::int from rule where device_id = ${sensorId}))
        where d.device_id = ${sensorId} returning rule_id)
      select array_agg(rule_id) as ids from added`);
    const full = await everything();
    const answer = await call('POST', '/dm/v1/rules', { accountname: ACCOUNT, rule });
    assert.deepEqual([answer.statusCode, answer.json().error], [400, 'too_many_rules']);
    assert.deepEqual(answer.json().cause, 'rule.deviceid');
    assert.deepEqual(await everything(), full);
    await world.ctx.db.exec(sql`delete from rule where rule_id = any(${ids}::uuid[])`);
  });
  it('400 and 404: an invalid or too large configuration, and a device that does not exist', async () => {
    const set = (status: number, cause: string, body: object | string) =>
      refused(status, cause, 'POST', '/devices/actions/set', body);
    const resourceidentifier = { deviceid: sensorId };
    for (const configuration of [undefined, 1, [], 'x']) {
      const body = { accountname: ACCOUNT, resourceidentifier, configuration };
      const answer = await call('POST', '/dm/v1/devices/actions/set', body);
      assert.deepEqual([answer.statusCode, typeof answer.json().cause], [400, 'string']);
    }
    await set(400, 'configuration', { resourceidentifier, configuration: { x: 'x'.repeat(262_144) } });
    const { id: theirDevice } = await find(stranger, STRANGER, 'devices');
    await set(404, 'resourceidentifier', {
      resourceidentifier: { deviceid: theirDevice },
      configuration: { x: 1 },
    });
    assert.deepEqual(await everything(), before);
  });
  it('400: a new rule without a device, and a device that does not exist', async () => {
    await refused(400, 'rule.deviceid', 'POST', '/rules', { rule: { name: 'x' } });
    const several = { resourceidentifier: { manufacturer: 'Acme' }, device: { name: 'x' } };
    await refused(404, 'resourceidentifier', 'PATCH', '/devices', {
      ...several,
      resourceidentifier: { serial: 'no' },
    });
    await refused(400, 'resourceidentifier', 'PATCH', '/devices', { device: { name: 'x' } });
  });
  // proves 4.8-body/accountname
  it("401: an account that is not the session's, whatever the body", async () => {
    const answer = await call('PATCH', '/dm/v1/devices', { accountname: MANAGED, id: gatewayId, device: {} });
    assert.deepEqual([answer.statusCode, answer.json().error], [401, 'denied']);
    assert.deepEqual(await everything(), before);
  });
});
