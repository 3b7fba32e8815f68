import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeWorld } from '../../../../test/support/world.ts';
import type { Tenant } from '../../../platform/context/context.ts';
import { sql } from '../../../platform/db/sql.ts';
import { pauseListener, resumeListener } from '../index.ts';

const world = await makeWorld();
const accountName = '0000123456-00001';
await world.import({ profiles: [{ ecpdId: '9000001' }], accounts: [{ accountName, ecpdId: '9000001' }] });

const refusals = async (...listeners: object[]) =>
  (await world.operator('POST', '/import', { listeners })).json().errors;
const readRow = () =>
  world.ctx.db.one<{
    username_sealed: string | null;
    password_sealed: string;
    secret_sealed: string;
    updated_at: Date;
  }>(sql`select * from callback_listener where service_name = 'CarrierService'`);
const listener = { accountName, serviceName: 'CarrierService', url: 'http://hooks.example.com/a' };

describe('listeners of the fleet document', () => {
  it('keep their credentials and their secret sealed, each bound to its place', async () => {
    await world.import({
      listeners: [{ ...listener, serviceName: 'carrierSERVICE', username: 'me', password: 'pw' }],
    });
    const row = await readRow();
    const context = `listener ${accountName} CarrierService`;
    assert.equal(world.ctx.secrets.open(row.username_sealed!, `${context} username`), 'me');
    assert.equal(world.ctx.secrets.open(row.password_sealed, `${context} password`), 'pw');
    assert.match(world.ctx.secrets.open(row.secret_sealed, `${context} secret`), /^whsec_[A-Za-z0-9+/]{32}$/);
    assert.throws(() => world.ctx.secrets.open(row.password_sealed, `${context} username`));
  });

  it('are not written when nothing changed, even if the password is given again', async () => {
    const before = await readRow();
    world.pass(60_000);
    await world.import({ listeners: [{ ...listener, username: 'me', password: 'pw' }] });
    assert.deepEqual(await readRow(), before);
  });

  // proves callbacks/registering-again
  it('keep absent values, take new ones, lose a credential that is given empty, and keep their secret', async () => {
    const before = await readRow();
    await world.import({
      listeners: [{ accountName, serviceName: 'CarrierService', username: '', password: 'new' }],
    });
    const after = await readRow();
    assert.equal(after.username_sealed, null);
    assert.notEqual(after.password_sealed, before.password_sealed);
    assert.equal(after.secret_sealed, before.secret_sealed);
    assert.notDeepEqual(after.updated_at, before.updated_at);
  });

  it('are exported without anything secret, and import again', async () => {
    await world.import({ listeners: [{ accountName, serviceName: 'fota', legacy: true }] });
    const { listeners } = (await world.operator('GET', `/export?accountName=${accountName}`)).json();
    assert.deepEqual(listeners, [
      { ...listener, legacy: false },
      { accountName, serviceName: 'Fota', legacy: true },
    ]);
    assert.deepEqual(await world.import({ listeners }), { listeners: 2 });
  });

  // proves callbacks/service-names
  it('are refused with an unknown or reserved name, a bad address, or twice', async () => {
    assert.equal(
      (await refusals({ ...listener, serviceName: 'PmecService' }))[0].pointer,
      '/listeners/0/serviceName',
    );
    assert.equal(
      (await refusals({ ...listener, url: 'http://hooks.example.com:81' }))[0].pointer,
      '/listeners/0/url',
    );
    assert.equal(
      (await refusals({ ...listener, password: 'x'.repeat(41) }))[0].pointer,
      '/listeners/0/password',
    );
    assert.equal((await refusals({ ...listener, accountName: '1' }))[0].detail, 'names no account');
    assert.deepEqual(await refusals(listener, { ...listener, serviceName: 'CARRIERSERVICE' }), [
      { pointer: '/listeners/1/serviceName', detail: 'stands in the document twice' },
    ]);
  });
});

describe('credentials of a listener that the fleet document moves', () => {
  const serviceName = 'DeviceService';
  const kept = {
    accountName,
    serviceName,
    url: 'https://hooks.example.com/a',
    username: 'me',
    password: 'pw',
  };
  const at = (url: string, more: object = {}) => ({ accountName, serviceName, url, ...more });
  const NEEDED =
    'moves the listener to another host: its username and password must be given too, or be empty';

  // proves fleet-document/listener-credentials
  it('must be given again: otherwise the entry is reported and nothing is imported', async () => {
    const first = { ...listener, serviceName: 'AlertService' };
    await world.import({ listeners: [kept] });
    for (const moved of [
      at('https://evil.example.net/a'),
      at('http://hooks.example.com/a', { username: 'me' }),
      at('https://hooks.example.com:9003/a', { password: 'pw' }),
    ])
      assert.deepEqual(await refusals(first, moved), [{ pointer: '/listeners/1/url', detail: NEEDED }]);
    const { listeners } = (await world.operator('GET', `/export?accountName=${accountName}`)).json();
    const names = listeners.map((one: { serviceName: string; url?: string }) => [one.serviceName, one.url]);
    assert.deepEqual(Object.fromEntries(names)[serviceName], kept.url);
    assert.equal(Object.fromEntries(names)['AlertService'], undefined);
  });

  // proves fleet-document/listener-credentials
  it('are kept while the host stays the same', async () => {
    for (const url of ['https://hooks.example.com:443/b?c=d', 'https://HOOKS.example.com/'])
      assert.equal(await refusals(at(url)), undefined);
  });

  it('are replaced if both are given, or removed', async () => {
    const url = 'https://elsewhere.example.com/';
    for (const more of [
      { username: 'me', password: 'pw' },
      { username: '', password: '' },
    ]) {
      await world.import({ listeners: [kept] });
      assert.equal(await refusals(at(url, more)), undefined);
    }
    assert.equal(await refusals(at('https://third.example.com/')), undefined);
  });

  it('are not kept if the listener had no address', async () => {
    const service = { accountName, serviceName: 'DeviceUsage' };
    await world.import({ listeners: [{ ...service, password: 'pw' }] });
    assert.deepEqual(await refusals({ ...service, url: kept.url }), [
      { pointer: '/listeners/0/url', detail: NEEDED },
    ]);
    assert.equal(await refusals({ ...service, url: kept.url, password: 'pw' }), undefined);
  });
});

describe('addresses of the fleet document', () => {
  const refusalsWith = async (allow: readonly ('loopback' | 'private')[], ...urls: string[]) => {
    const { operator } = await makeWorld({
      databaseUrl: world.databaseUrl,
      settings: { callbackAllow: allow },
    });
    const services = ['CarrierService', 'AlertService', 'Fota', 'DeviceUsage'];
    const listeners = urls.map((url, n) => ({
      ...{ accountName, serviceName: services[n], url },
      ...{ username: '', password: '' },
    }));
    return (await operator('POST', '/import', { listeners })).json().errors;
  };
  const local = ['http://127.0.0.1:3000/', 'http://localhost:9000/', 'http://a.localhost:3000/'];

  it('are refused if the setting does not allow their range, as they are at registration', async () => {
    assert.deepEqual(
      await refusalsWith([], ...local, 'http://hooks.example.com:3000/'),
      [...local.map(() => 'address is not allowed'), 'port is not allowed'].map((detail, n) => ({
        pointer: `/listeners/${n}/url`,
        detail,
      })),
    );
    assert.equal((await refusalsWith(['private'], ...local)).length, 3);
  });

  it('are accepted if it does, without resolving any name', async () => {
    assert.equal(await refusalsWith(['loopback'], ...local, 'http://nowhere.invalid:9000/'), undefined);
    assert.equal(await refusalsWith(['private'], 'http://10.0.0.1/'), undefined);
  });
});

describe('pausing a listener', () => {
  const tenant = { ecpdId: '9000001', accountName } as Tenant;
  const isPaused = async () =>
    (
      await world.ctx.db.one<{ paused: boolean }>(
        sql`select paused from callback_listener where service_name = 'Fota'`,
      )
    ).paused;

  it('returns whether there is one, and can be repeated and undone', async () => {
    assert.equal(await pauseListener(world.ctx, tenant, 'Fota'), true);
    assert.equal(await pauseListener(world.ctx, tenant, 'Fota'), true);
    assert.equal(await isPaused(), true);
    assert.equal(await resumeListener(world.ctx, tenant, 'Fota'), true);
    assert.equal(await isPaused(), false);
    assert.equal(await pauseListener(world.ctx, tenant, 'StateService'), false);
  });
});
