import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, USER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { gatewayId, RECORD_FLEET, sensorId, tracker } from './record-fleet.ts';

const world = await makeWorld();
await world.import(RECORD_FLEET);
const { call } = await asUser(world);
const send = (method: string, path: string, body: object | string, more?: Record<string, string>) =>
  call(
    method,
    `/dm/v1${path}`,
    typeof body === 'string' ? `{"accountname":"${ACCOUNT}",${body}}` : { accountname: ACCOUNT, ...body },
    more,
  );
const done = async (...args: Parameters<typeof send>) => {
  const answer = await send(...args);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
};
const audit = async (action: string) =>
  (await world.operator('GET', `/audit?accountName=${ACCOUNT}&action=${action}&limit=1`)).json()[0];
const parseRule = async (name: string) =>
  (await done('POST', '/rules/actions/query', { filter: { $selection: { name } } }))[0];

describe('a user', () => {
  // proves 4.8/update-user device-management/changing-users device-management/new-users
  it('200: is created, found, changed and deleted, each change with a line in the audit log', async () => {
    const created = await done('POST', '/users', {
      user: { email: 'new@b.example', firstname: 'N', mdn: '555-010-0007', customdata: { a: 1 } },
    });
    assert.deepEqual(
      [created.credentialsid, created.credentialstype, created.mdn, created.version, created.state],
      ['new@b.example', 'email', '5550100007', '1', 'success'],
    );
    assert.ok(!('number' in created));
    const { id } = created;
    const line = await audit('createDeviceManagementUser');
    assert.deepEqual([line.actor, line.target, line.before, line.after], [USER.username, id, null, created]);

    world.pass(1_000);
    const changed = await done('PATCH', '/users', { id, user: { lastname: 'L', customdata: { b: 2 } } });
    assert.deepEqual(
      [changed.firstname, changed.lastname, changed.customdata, changed.version],
      ['N', 'L', { b: 2 }, '2'],
    );
    assert.notEqual(changed.versionid, created.versionid);
    assert.notEqual(changed.lastupdated, created.lastupdated);
    const second = await audit('updateDeviceManagementUser');
    assert.deepEqual([second.before, second.after], [created, changed]);

    await done('DELETE', '/users', { id });
    assert.deepEqual((await audit('deleteDeviceManagementUser')).before, changed);
    const left = await done('POST', '/users/actions/query', { filter: { $selection: { id } } });
    assert.deepEqual(left, []);
  });

  // proves device-management/changing-users
  it('200: keeps the time of first accepting the terms, and loses it when the acceptance is withdrawn', async () => {
    const change = (id: string, ackterms: boolean) => done('PATCH', '/users', { id, user: { ackterms } });
    const acceptance = (user: { ackterms: unknown; acktermson: unknown }) => [user.ackterms, user.acktermson];
    const firstAt = world.clock.now().toISOString();
    const created = await done('POST', '/users', { user: { email: 't@b.example', ackterms: true } });
    assert.deepEqual(acceptance(created), [true, firstAt]);
    world.pass(60_000);
    assert.deepEqual(acceptance(await change(created.id, true)), [true, firstAt]);
    assert.deepEqual(acceptance(await change(created.id, false)), [false, null]);
    const secondAt = world.clock.now().toISOString();
    assert.deepEqual(acceptance(await change(created.id, true)), [true, secondAt]);
    const other = await done('POST', '/users', { user: { email: 'u@b.example' } });
    assert.deepEqual(acceptance(other), [null, null]);
  });

  // proves device-management/stale-versions
  it('412: is not changed by a caller who saw an older version, wherever the versionid is given', async () => {
    const { id, versionid } = await done('POST', '/users', { user: { email: 'v@b.example' } });
    const fresh = await done('PATCH', '/users', { id, versionid, user: { firstname: 'A' } });
    for (const body of [
      { id, versionid, user: { firstname: 'B' } },
      { id, user: { firstname: 'B', versionid } },
    ]) {
      const answer = await send('PATCH', '/users', body);
      assert.deepEqual([answer.statusCode, answer.json().cause], [412, 'versionid']);
    }
    assert.equal((await send('DELETE', '/users', { id, versionid })).statusCode, 412);
    const [now] = await done('POST', '/users/actions/query', { filter: { $selection: { id } } });
    assert.deepEqual([now.firstname, now.versionid], ['A', fresh.versionid]);
  });

  // proves device-management/long-numbers
  it('200: is created once with an Idempotency-Key, whatever digits its data has', async () => {
    const body = `"user":{"email":"once@b.example","customdata":{"big":12345678901234567890,"small":0.10}}`;
    const first = await send('POST', '/users', body, { 'idempotency-key': 'k' });
    const again = await send('POST', '/users', body, { 'idempotency-key': 'k' });
    assert.equal(first.body, again.body);
    assert.match(first.body, /"big":12345678901234567890/);
  });
});

describe('a rule', () => {
  // proves 4.8/update-rule rules/syntax device-management/rules
  it('200: is replaced as a whole; id, device, foreign id and creation stay, version and versionid are new', async () => {
    const before = await parseRule('hot');
    world.pass(1_000);
    const body = `"resourceidentifier":{"id":"${before.id}"},"rule":{"name":"hotter","deviceid":"${sensorId}","rulesyntax":"json",
      "rulechain":{"field":"t","operator":"gt","value":12345678901234567890}}`;
    const answer = await send('POST', '/rules', body);
    assert.match(answer.body, /"value":12345678901234567890/);
    const after = answer.json();
    for (const kept of ['id', 'deviceid', 'foreignid', 'createdon'])
      assert.equal(after[kept], before[kept], kept);
    assert.deepEqual([after.version, after.name, after.description], ['2', 'hotter', null]);
    assert.notEqual(after.versionid, before.versionid);
    assert.equal(after.evaluation.active, true);
    const { evaluation: _, ...record } = before;
    assert.deepEqual((await audit('overwriteRule')).before, record);
    const stale = await send('POST', '/rules', {
      resourceidentifier: { id: before.id },
      rule: { versionid: before.versionid },
    });
    assert.equal(stale.statusCode, 412);
    const bare = await done('POST', '/rules', { resourceidentifier: { id: before.id }, rule: {} });
    assert.deepEqual([bare.name, bare.rulechain, bare.evaluation.active], [null, {}, false]);
  });

  // proves rules/syntax
  it('200: that cannot be evaluated is stored as sent, and reported as inert', async () => {
    const rulechain = { onEvent: [{ anything: 1.5 }, null, 'text'] };
    const { id } = await parseRule('camel');
    const after = await done('POST', '/rules', {
      resourceidentifier: { id },
      rule: { name: 'camel', rulesyntax: 'camel', rulechain },
    });
    assert.deepEqual(
      [after.rulechain, after.rulesyntax, after.evaluation.active],
      [rulechain, 'camel', false],
    );
    assert.match(after.evaluation.reason, /camel/);
  });

  // proves device-management/rules
  it('200: without an id is created on the named device, and can be deleted', async () => {
    const created = await done('POST', '/rules', { rule: { name: 'new', deviceid: gatewayId } });
    const other = await done('POST', '/rules', {
      resourceidentifier: { imei: tracker.imei },
      rule: { name: 'other' },
    });
    assert.deepEqual([created.deviceid, created.version, created.disabled], [gatewayId, '1', false]);
    assert.notEqual(other.deviceid, gatewayId);
    await done('DELETE', '/rules', { resourceidentifier: { id: created.id } });
    await done('DELETE', '/rules', { id: other.id });
    assert.equal((await audit('deleteRule')).target, other.id);
    assert.equal(await parseRule('new'), undefined);
    assert.equal((await send('DELETE', '/rules', { id: other.id })).statusCode, 404);
  });
});

describe('the record of a device', () => {
  // proves device-management/changing-devices
  it("200: of any kind has its owner's fields changed by any identifier, and 412 refuses an old version", async () => {
    const after = await done('PATCH', '/devices', {
      resourceidentifier: { mac: 'aa-bb-cc-dd-ee-ff' },
      device: { name: 'front gate', customdata: { a: 1 }, imei: '1', state: 'failed' },
    });
    assert.deepEqual(
      [after.id, after.name, after.customdata, after.imei, after.state, after.version],
      [gatewayId, 'front gate', { a: 1 }, null, 'success', '2'],
    );
    const line = await audit('updateDeviceRecord');
    assert.deepEqual([line.before.name, line.after.name], ['gate', 'front gate']);
    const versionid = line.before.versionid;
    const stale = await send('PATCH', '/devices', { id: gatewayId, versionid, device: { name: 'x' } });
    assert.equal(stale.statusCode, 412);
    assert.equal((await done('PATCH', '/devices', { id: sensorId, device: { name: 's' } })).name, 's');
  });

  // proves device-management/configuration
  it('200: is configured member by member, and its record shows the members as fields', async () => {
    const resourceidentifier = { mac: 'AA-BB-CC-DD-EE-FF' };
    const set = (configuration: object, more: object = {}) =>
      done('POST', '/devices/actions/set', { resourceidentifier, configuration, ...more });
    const ble = { reportPeriod: 300, moreManufId: [{}] };
    const { actionresult } = await set({ deviceConfig: { ble }, mode: 'periodic' });
    const [first] = actionresult;
    assert.equal(actionresult.length, 1);
    assert.deepEqual(
      [first.deviceid, first.state, first.createdon, first.fields.deviceConfig],
      [gatewayId, 'success', world.clock.now().toISOString(), { ble }],
    );
    const [second] = (await set({ mode: 'reportOnChange' }, { versionid: first.versionid })).actionresult;
    assert.deepEqual(second.fields, { ...first.fields, mode: 'reportOnChange' });
    assert.notEqual(second.transactionid, first.transactionid);
    const [gateway] = await done('POST', '/devices/gateways/actions/query', { resourceidentifier });
    assert.deepEqual(
      [gateway.fields, gateway.version, gateway.versionid],
      [second.fields, second.version, second.versionid],
    );
    const line = await audit('setDeviceConfiguration');
    assert.deepEqual(
      [line.actor, line.target, line.before, line.after],
      [
        USER.username,
        gatewayId,
        { fields: first.fields, version: first.version },
        { fields: second.fields, version: second.version },
      ],
    );
    const stale = { resourceidentifier, versionid: first.versionid, configuration: { mode: 'x' } };
    assert.equal((await send('POST', '/devices/actions/set', stale)).statusCode, 412);
  });

  // proves device-management/configuration
  it('200: keeps every digit of a configuration', async () => {
    const digits = '12345678901234567890';
    const body = `"resourceidentifier":{"deviceid":"${sensorId}"},"configuration":{"big":${digits}}`;
    const answer = await send('POST', '/devices/actions/set', body);
    assert.match(answer.body, new RegExp(`"big":${digits}[,}]`));
    const later = await send(
      'POST',
      '/devices/actions/set',
      `"resourceidentifier":{"deviceid":"${sensorId}"},"configuration":{"more":1}`,
    );
    assert.match(later.body, new RegExp(`"big":${digits}[,}]`));
  });

  // proves listing/last-connection
  it('200: shows the time and kind of its last report', async () => {
    const last = () => done('POST', '/devices/lastreported', { resourceidentifier: { imei: tracker.imei } });
    assert.deepEqual(await last(), { event: null, timestamp: null });
    const report = { kind: 'imei', device: tracker.imei };
    await world.operator('POST', '/usage', [{ id: 'u1', ...report, at: '2026-01-03T10:00:00Z', bytes: 5 }]);
    await world.operator('POST', '/usage', [{ id: 'u2', ...report, at: '2026-01-03T11:00:00Z', bytes: 5 }]);
    assert.deepEqual(await last(), { event: 'usage', timestamp: '2026-01-03T11:00:00.000Z' });
    const fix = { ...report, at: '2026-01-04T10:00:00Z', lat: 1, lon: 2, radius: 3 };
    await world.operator('POST', '/positions', [fix]);
    assert.deepEqual(await last(), { event: 'location', timestamp: '2026-01-04T10:00:00.000Z' });
  });

  // proves device-management/deleted-gateways
  it('loses its parent when that is deleted, which the audit log records', async () => {
    assert.equal((await world.operator('DELETE', '/devices/mac/AA:BB:CC:DD:EE:FF')).statusCode, 200);
    const [sensor] = await done('POST', '/devices/sensors/actions/query', {
      resourceidentifier: { deviceid: sensorId },
      filter: { $expand: 'parentdevice' },
    });
    assert.deepEqual([sensor.parentdeviceid, sensor.parentdevice], [null, null]);
    const line = await audit('detachSensor');
    assert.deepEqual(
      [line.target, line.before.parentdeviceid, line.after.parentdeviceid],
      [sensorId, gatewayId, undefined],
    );
    assert.equal(Number(line.after.version), Number(line.before.version) + 1);
    assert.equal(sensor.version, line.after.version);
    const gone = await audit('deleteDeviceRecord');
    assert.deepEqual(
      [gone.target, gone.before.name, gone.before.mac, gone.after],
      [gatewayId, 'front gate', 'AA:BB:CC:DD:EE:FF', null],
    );
  });
});

describe('an import', () => {
  it('logs each record before the change, and finds a rule without a name by its id', async () => {
    const rules = (await world.operator('GET', `/export?accountName=${ACCOUNT}`)).json().rules;
    assert.ok(rules.some(({ name }: { name?: string }) => name === undefined));
    await world.import({ rules: [{ ...rules[0], description: 'changed' }] });
    const line = await audit('importRule');
    assert.deepEqual(
      [line.actor, line.target, line.before.record.description, line.after.record.description],
      ['first', rules[0].id, undefined, 'changed'],
    );
    await world.import({ userProfiles: [{ accountName: ACCOUNT, email: 'ann@b.example', lastname: 'Lee' }] });
    const { before, after } = await audit('importDeviceManagementUser');
    assert.deepEqual([before.record.lastname, after.record.lastname], [undefined, 'Lee']);
    const renamed = { accountName: ACCOUNT, imei: tracker.imei, record: { name: 'renamed' } };
    await world.import({ devices: [{ ...renamed, state: 'active' }] });
    const device = await audit('importDeviceRecord');
    assert.deepEqual(
      [device.before.name, device.after.name, device.after.imei, device.after.serial],
      ['tracker', 'renamed', tracker.imei, 'S-1'],
    );
    await world.import({ devices: [{ ...renamed, state: 'suspend' }] });
    const stopped = await audit('importDeviceRecord');
    assert.deepEqual([stopped.before.lineState, stopped.after.lineState], ['active', 'suspend']);
    await world.import({ devices: [{ ...renamed, state: 'suspend' }] });
    assert.equal((await audit('importDeviceRecord')).id, stopped.id);
  });
});
