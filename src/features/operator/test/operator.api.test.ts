import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, SMALL_FLEET, STRANGER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';

const world = await makeWorld();
const { operator } = world;
await world.import(SMALL_FLEET);
const withKey = (key: string, method: string, path: string, body?: unknown) =>
  operator(method, path, body, { authorization: `Bearer ${key}` });

describe('operator keys', () => {
  it('have a name and scopes, are shown once, and are invalid after deletion', async () => {
    const made = await operator('POST', '/keys', { name: 'reader', scopes: ['read'] });
    assert.equal(made.statusCode, 201);
    const { key } = made.json();
    assert.equal((await withKey(key, 'GET', '/accounts')).statusCode, 200);
    const refused = await withKey(key, 'POST', '/import', {});
    assert.deepEqual([refused.statusCode, refused.json().code], [403, 'scope_missing']);
    const listed = await operator('GET', '/keys');
    assert.ok(listed.json()[0].name === 'reader' && !listed.body.includes(key));
    await operator('DELETE', '/keys/reader');
    assert.equal((await withKey(key, 'GET', '/accounts')).statusCode, 401);
  });

  it('409: have unique names, which cannot be the name of the first key', async () => {
    await operator('POST', '/keys', { name: 'twice', scopes: ['read'] });
    for (const name of ['twice', 'first']) {
      assert.equal((await operator('POST', '/keys', { name, scopes: ['read'] })).statusCode, 409);
    }
  });

  // proves requests/unicode
  it('400: have names of letters, digits and . _ - only, which have a single spelling', async () => {
    for (const name of ['café', 'café'.normalize('NFD'), 'ｋey', 'a b', ''])
      assert.equal((await operator('POST', '/keys', { name, scopes: ['read'] })).statusCode, 400, name);
  });

  it('400: need existing scopes', async () =>
    assert.equal((await operator('POST', '/keys', { name: 'x', scopes: ['everything'] })).statusCode, 400));

  it('with the scope admin may do everything', async () => {
    const { key } = (await operator('POST', '/keys', { name: 'boss', scopes: ['admin'] })).json();
    assert.equal((await withKey(key, 'GET', '/export')).statusCode, 200);
  });
});

describe('the audit log', () => {
  // proves operating/audited-calls
  it('has every operator call with the name of the key, the action, its target and its status', async () => {
    const { key } = (await operator('POST', '/keys', { name: 'auditor', scopes: ['read', 'users'] })).json();
    await withKey(key, 'GET', `/accounts/${ACCOUNT}`);
    await withKey(key, 'POST', '/users/ghost/unlock');
    await withKey(key, 'POST', '/import', {});
    const entries = (await operator('GET', '/audit?actor=auditor')).json();
    assert.deepEqual(
      entries.map((entry: Record<string, unknown>) => [
        entry['action'],
        entry['target'],
        entry['accountName'],
        entry['status'],
      ]),
      [
        ['operatorImport', null, null, 403],
        ['operatorUnlockUser', 'ghost', null, 404],
        ['operatorReadAccount', ACCOUNT, ACCOUNT, 200],
      ],
    );
    assert.ok(entries[0].requestId && entries[0].at);
  });

  it('leaves out reads of the clock, which clients poll while it moves', async () => {
    await operator('GET', '/clock');
    assert.deepEqual((await operator('GET', '/audit?action=operatorReadClock')).json(), []);
  });

  it('pages backwards in time without gaps', async () => {
    for (let i = 0; i < 5; i++) await operator('GET', '/actions');
    const ids: string[] = [];
    let page: string | undefined;
    do {
      const answer = await operator(
        'GET',
        `/audit?action=operatorReadActions&limit=2${page === undefined ? '' : `&page=${page}`}`,
      );
      ids.push(...answer.json().map(({ id }: { id: string }) => id));
      page = answer.headers['x-next'] as string | undefined;
    } while (page !== undefined);
    assert.ok(ids.length >= 5);
    assert.deepEqual(
      ids,
      [...new Set(ids)].sort((a, b) => Number(b) - Number(a)),
    );
  });
});

describe('accounts and devices', () => {
  it('are listed in pages linked by X-Next', async () => {
    const first = await operator('GET', '/accounts?limit=2');
    assert.equal(first.json().length, 2);
    const second = await operator('GET', `/accounts?limit=2&page=${first.headers['x-next']}`);
    assert.deepEqual([second.json().length, second.headers['x-next']], [1, undefined]);
    const devices = await operator('GET', `/accounts/${ACCOUNT}/devices`);
    assert.deepEqual(
      devices.json().map(({ imei }: { imei: string }) => imei),
      ['990000000000011'],
    );
  });

  it('404 for unknown ones, 400 for malformed identifiers', async () => {
    assert.equal((await operator('GET', '/accounts/1-1')).statusCode, 404);
    assert.equal((await operator('GET', '/accounts/nonsense/devices')).statusCode, 404);
    assert.equal((await operator('GET', '/devices/imei/990000000999999')).statusCode, 404);
    assert.equal((await operator('GET', '/devices/imei/12')).statusCode, 400);
    assert.equal((await operator('GET', '/devices/phone/12')).statusCode, 400);
  });

  // proves operating/erasing
  it('lose their coordinates when the operator erases them', async () => {
    const position = { lat: 32.9, lon: -97.1 };
    const entry = { accountName: ACCOUNT, imei: '990000000000011', simulation: { online: true, position } };
    await world.import({ devices: [entry] });
    assert.deepEqual((await operator('DELETE', '/devices/imei/990000000000011/positions')).json(), {
      erased: 1,
    });
    assert.deepEqual((await operator('GET', '/devices/imei/990000000000011')).json().simulation, {
      online: true,
    });
    await world.import({ devices: [entry] });
    assert.deepEqual((await operator('DELETE', `/accounts/${ACCOUNT}/positions`)).json(), { erased: 1 });
  });

  // proves operating/erasing
  it('are deleted with everything that belongs to them, and others are unaffected', async () => {
    await world.import({
      devices: [{ accountName: ACCOUNT, imei: '990000000000078', iccid: '89000000000000000078' }],
    });
    assert.equal((await operator('DELETE', '/devices/imei/990000000000078')).statusCode, 200);
    assert.equal((await operator('GET', '/devices/iccid/89000000000000000078')).statusCode, 404);
    const user = await asUser(world);
    assert.equal((await operator('DELETE', `/accounts/${ACCOUNT}`)).statusCode, 200);
    assert.equal((await user.call('GET', `/m2m/v1/plans/${ACCOUNT}`)).statusCode, 400);
    const { accounts, devices, consents } = (await operator('GET', '/export')).json();
    const names = [...accounts, ...devices, ...consents].map(
      ({ accountName }: { accountName: string }) => accountName,
    );
    assert.ok(names.includes(STRANGER) && !names.includes(ACCOUNT));
    await world.import(SMALL_FLEET);
  });
});

describe('how the simulated network treats many devices', () => {
  const imei = '990000000000045';
  it('is changed by one call, which names unknown devices', async () => {
    await world.import({ devices: [{ accountName: ACCOUNT, imei, state: 'active' }] });
    const position = { lat: 32.9, lon: -97.1 };
    const answer = await operator('PATCH', '/devices/simulation', [
      { kind: 'imei', id: imei, online: false },
      { kind: 'imei', id: imei, position },
      { kind: 'imei', id: '990000000000037', online: true },
    ]);
    assert.deepEqual(answer.json(), { changed: 1, unknown: [{ kind: 'imei', id: '990000000000037' }] });
    const { simulation } = (await operator('GET', `/devices/imei/${imei}`)).json();
    assert.deepEqual([simulation.online, simulation.position], [false, position]);
  });

  it('400: is not changed if one of them is malformed', async () => {
    const body = [
      { kind: 'imei', id: imei, online: true },
      { kind: 'imei', id: 'x', online: true },
    ];
    assert.equal((await operator('PATCH', '/devices/simulation', body)).json().code, 'device_id_invalid');
    assert.equal((await operator('GET', `/devices/imei/${imei}`)).json().simulation.online, false);
  });
});

describe('a failed job', () => {
  it('404 and 400: is found only by an id, in any letter case', async () => {
    const id = 'A0000000-0000-4000-8000-00000000000A';
    const retry = async (jobId: string) => (await world.operator('POST', `/jobs/${jobId}/retry`)).statusCode;
    assert.deepEqual([await retry(id), await retry(id.toLowerCase()), await retry('x')], [404, 404, 400]);
  });
});

describe('pauses', () => {
  // proves price-plan-triggers/pauses
  it('of trigger actions and of one listener can be set and lifted', async () => {
    await world.import({
      ...SMALL_FLEET,
      listeners: [{ accountName: ACCOUNT, serviceName: 'AlertService', url: 'http://127.0.0.1:9000/x' }],
    });
    assert.deepEqual((await operator('POST', '/actions/pause')).json(), { paused: true });
    assert.deepEqual((await operator('GET', '/actions')).json(), { paused: true });
    assert.deepEqual((await operator('POST', '/actions/resume')).json(), { paused: false });
    const listener = { accountName: ACCOUNT, serviceName: 'alertservice' };
    assert.equal((await operator('POST', '/callbacks/pause', listener)).statusCode, 200);
    assert.equal((await operator('POST', '/callbacks/resume', listener)).statusCode, 200);
    assert.equal(
      (await operator('POST', '/callbacks/pause', { ...listener, serviceName: 'StateService' })).statusCode,
      404,
    );
  });
});

describe('the simulator', () => {
  it('409: can be neither read nor set if there is none', async () => {
    for (const answer of [
      await operator('GET', '/simulator'),
      await operator('PATCH', '/simulator', { running: true }),
    ])
      assert.deepEqual([answer.statusCode, answer.json().code], [409, 'simulator_absent']);
  });

  it('400: a speed below 1', async () =>
    assert.equal((await operator('PATCH', '/simulator', { speed: 0 })).statusCode, 400));
});
