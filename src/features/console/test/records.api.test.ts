import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, SMALL_FLEET, STRANGER, STRANGER_USER, USER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { type Browser, signIn } from './scene.ts';

const world = await makeWorld();
await world.import({
  ...SMALL_FLEET,
  devices: [
    ...SMALL_FLEET.devices,
    ...Array.from({ length: 3 }, (_, n) => ({
      accountName: ACCOUNT,
      imei: `9900000000002${n}`.padEnd(15, '3'),
      record: { name: `Meter ${n}` },
    })),
  ],
});
const [user, stranger, operator] = [
  await signIn(world, USER),
  await signIn(world, STRANGER_USER),
  await signIn(world),
];
const own = { accountname: ACCOUNT };
const dm = async (browser: Browser, method: 'POST' | 'PATCH' | 'DELETE', path: string, body: object) => {
  const answer = await browser.call(method, `/dm/v1${path}`, body);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
};
const named = async (name: string) =>
  (await dm(user, 'POST', '/devices/actions/query', { ...own, filter: { $selection: { name } } }))[0];
const HOT = { field: 't', operator: 'gt', value: 5 };
const rule = { name: 'Hot', description: '', disabled: false, rulesyntax: 'json', rulechain: HOT };

describe('records by cookie', () => {
  it('200: keep every digit of a number through reading and writing', async () => {
    const { id } = await named('Meter 1');
    const body = `{"accountname":"${ACCOUNT}","id":"${id}","device":{"customdata":{"counter":12345678901234567890}}}`;
    const changed = await world.api.inject({
      method: 'PATCH',
      url: '/api/dm/v1/devices',
      headers: { cookie: user.cookie, 'x-requested-by': 'console' },
      payload: body,
    });
    assert.equal(changed.statusCode, 200, changed.body);
    const query = { ...own, resourceidentifier: { id } };
    const again = await user.call('POST', '/dm/v1/devices/actions/query', query);
    assert.match(again.body, /"counter":12345678901234567890/);
  });

  it('200: are changed by an operator with the scope, in the name of the key', async () => {
    const { id } = await named('Meter 0');
    const made = await dm(operator, 'POST', '/rules', { ...own, rule: { ...rule, deviceid: id } });
    const lines = (await world.operator('GET', `/audit?accountName=${ACCOUNT}&action=createRule`)).json();
    assert.deepEqual([lines[0].actorKind, lines[0].actor], ['operator', 'first']);
    await dm(operator, 'DELETE', '/rules', { ...own, id: made.id });
    const { key } = (await world.operator('POST', '/keys', { name: 'reader', scopes: ['read'] })).json();
    const reader = await signIn(world, { operatorKey: key });
    await dm(reader, 'POST', '/rules/actions/query', { ...own, filter: {} });
    const refused = await reader.call('POST', '/dm/v1/rules', { ...own, rule: { ...rule, deviceid: id } });
    assert.equal(refused.json().error, 'scope_missing');
  });

  it('200: are found by an id in any letter case, and answer with their own', async () => {
    const { id } = await named('Meter 0');
    const answer = await user.get(`/accounts/${ACCOUNT}/devices/${id.toUpperCase()}`);
    assert.equal(answer.json().deviceId, id);
  });
});

describe('smart alerts by cookie', () => {
  it('200: are acknowledged by their owner and by operators, each under their name', async () => {
    const deviceid = (await named('Meter 2')).id;
    await dm(user, 'POST', '/rules', { ...own, rule: { ...rule, deviceid } });
    await world.watcher.settle();
    const reading = { kind: 'imei', device: '990000000000223', at: world.ctx.now(), values: { t: 9 } };
    assert.equal((await world.operator('POST', '/readings', reading)).json().accepted, 1);
    const query = { ...own, resourceidentifier: { deviceid }, filter: { $selection: { state: 'raised' } } };
    const [alert] = await dm(user, 'POST', '/smartAlerts/actions/query', query);
    const acknowledge = (browser: Browser, accountname = ACCOUNT, acknowledged = true) =>
      browser.call('POST', '/dm/v1/smartAlerts/actions/bulkupdate', {
        accountname,
        ids: [alert.id],
        acknowledged,
      });
    assert.equal((await acknowledge(stranger, STRANGER)).json().error, 'smart_alert_not_found');
    assert.equal((await acknowledge(user)).json()[0].acknowledgedby, USER.username);
    await acknowledge(user, ACCOUNT, false);
    assert.equal((await acknowledge(operator)).json()[0].acknowledgedby, 'operator first');
  });
});
