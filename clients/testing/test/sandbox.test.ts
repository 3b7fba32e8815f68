import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ACCOUNT, CLIENT, SMALL_FLEET, STRANGER_USER, USER } from '../../../test/support/fleet.ts';
import { createClient } from '../../sdk/index.ts';
import { type Sandbox, startSandbox } from '../index.ts';

const NOW = '2026-05-04T12:00:00.000Z';
const path = { accountName: ACCOUNT };
const devicesOf = (...imeis: string[]) => imeis.map((id) => ({ deviceIds: [{ id, kind: 'imei' }] }));

describe('a sandbox', () => {
  let sandbox: Sandbox;
  before(async () => {
    // Settings for the program under test must not affect the sandbox.
    Object.assign(process.env, { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x', LINEKEEPER_DEMO: 'on' });
    sandbox = await startSandbox({ fleet: SMALL_FLEET, now: NOW });
    const client = await sandbox.client();
    const url = await sandbox.callbacks.url('/carrier?of=test');
    await client.call('POST /m2m/v1/callbacks/{accountName}', {
      path,
      body: { name: 'CarrierService', url },
    });
  });
  after(() => sandbox.stop());

  const activate = async (imei: string) => {
    const body = { ...path, devices: devicesOf(imei), servicePlan: 'P-5MB', mdnZipCode: '76051' };
    return (await sandbox.client()).call('POST /m2m/v1/devices/actions/activate', { body });
  };
  const sendFota = () =>
    sandbox.operator.call('POST /operator/v1/events', {
      body: { ...path, serviceName: 'Fota', payload: { deviceResponse: { upgradeResponse: {} } } },
    });

  it('starts at its time with its fleet and nothing else, and no device lives', async () => {
    assert.equal((await sandbox.clock.now()).slice(0, 10), NOW.slice(0, 10));
    const accounts = await sandbox.operator.call('GET /operator/v1/accounts');
    assert.deepEqual(
      accounts.map(({ accountName }) => accountName),
      SMALL_FLEET.accounts.map(({ accountName }) => accountName),
    );
    const { running } = await sandbox.operator.call('GET /operator/v1/simulator');
    assert.equal(running, false);
  });

  it('hears a callback, knows its service and its signature, and finds it again', async () => {
    const { requestId } = await activate('990000000000037');
    const heard = await sandbox.callbacks.waitFor({ payload: { requestId } });
    assert.deepEqual(
      [heard.service, heard.path, heard.payload['status'], heard.signature],
      ['CarrierService', '/carrier?of=test', 'Success', 'valid'],
    );
    assert.equal(heard.id, heard.headers['webhook-id']);
    assert.deepEqual(JSON.parse(heard.rawBody), heard.payload);
    assert.equal(await sandbox.callbacks.waitFor(({ id }) => id === heard.id), heard);
    assert.deepEqual(await sandbox.callbacks.all({ payload: { requestId } }), [heard]);
  });

  it('tells the service of a failure by the log, since the message does not', async () => {
    const body = { ...path, devices: devicesOf('990000000000045') };
    const client = await sandbox.client();
    const { requestId } = await client.call('POST /m2m/v1/devices/actions/restore', { body });
    const heard = await sandbox.callbacks.waitFor({ payload: { requestId } });
    assert.deepEqual([heard.payload['status'], heard.service], ['Failed', 'CarrierService']);
  });

  it('leaves a signature unchecked whose secret it does not know, until it is told', async () => {
    // The program under test has its own client.
    const other = createClient({ baseUrl: sandbox.url, ...CLIENT, ...USER });
    const { headers } = await other.request('POST /m2m/v1/callbacks/{accountName}', {
      path,
      body: { name: 'Fota', url: await sandbox.callbacks.url('fota') },
    });
    const [first] = [await sandbox.callbacks.waitFor({ id: (await sendFota()).id })];
    assert.deepEqual([first.path, first.service, first.signature], ['/fota', 'Fota', 'not checked']);
    await sandbox.callbacks.addSecret('whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA');
    const second = await sandbox.callbacks.waitFor({ id: (await sendFota()).id });
    assert.equal(second.signature, 'invalid');
    await sandbox.callbacks.addSecret(headers.get('webhook-secret') ?? '');
    const third = await sandbox.callbacks.waitFor({ id: (await sendFota()).id });
    assert.equal(third.signature, 'valid');
  });

  it('has done all that falls due when a move of the clock ends, and answers the time', async () => {
    const before = await sandbox.clock.freeze();
    const { requestId } = await activate('990000000000052');
    const now = await sandbox.clock.advance('P30D');
    assert.equal(Date.parse(now) - Date.parse(before), 30 * 24 * 3_600_000);
    assert.equal((await sandbox.callbacks.all({ payload: { requestId } })).length, 1);
    assert.equal(await sandbox.clock.set('2026-07-01T00:00:00Z'), '2026-07-01T00:00:00.000Z');
    assert.equal(await sandbox.clock.now(), '2026-07-01T00:00:00.000Z');
    await sandbox.clock.unfreeze();
    await assert.rejects(sandbox.clock.set('2026-06-30'), { status: 400 });
  });

  it('says what a duration and a time look like', async () => {
    for (const wrong of ['30 days', 'P', 'PT', '', 30] as string[])
      await assert.rejects(
        sandbox.clock.advance(wrong),
        /is not an ISO 8601 duration\. Thirty days are P30D/,
      );
    await assert.rejects(sandbox.clock.set('soon'), /"soon" is not a time such as 2026-12-01T08:00:00Z/);
  });

  it('says what was heard, and what could not be delivered, to who waits in vain', async () => {
    await sandbox.operator.call('POST /operator/v1/events', {
      body: { ...path, serviceName: 'StateService', payload: { deviceResponse: { goToStateResponse: {} } } },
    });
    const waiting = sandbox.callbacks.waitFor({ service: 'StateService' }, { withinMs: 50 });
    await assert.rejects(waiting, ({ message }: Error) => {
      assert.match(message, /within 50 ms that is \{"service":"StateService"\}\. Heard instead \(\d+\):/);
      assert.match(message, /\n {2}Fota at \/fota: \{"requestId":/);
      assert.match(message, /Not delivered by the service .*\n {2}StateService of 0000123456-00001: failed/);
      return true;
    });
    await sandbox.callbacks.clear();
    await assert.rejects(
      sandbox.callbacks.waitFor(() => false, { withinMs: 1 }),
      /that is \(\) => false\. None has come at all\./,
    );
    const thrown = new Error('of the test');
    const failing = sandbox.callbacks.waitFor(() => {
      throw thrown;
    });
    await Promise.all([assert.rejects(failing, thrown), sendFota()]);
  });

  it('has the mail and SMS of triggers', async () => {
    const { triggerId } = await (await sandbox.client()).call('POST /subsc/v1/usage/triggers', {
      body: {
        ...path,
        serviceName: 'fota',
        thresholdValue: '100',
        sendEmailNotification: true,
        emailAddresses: 'ada@example.com,ben@example.com',
        sendSmsNotification: true,
        smsPhoneNumbers: '5550100099',
      },
    });
    assert.deepEqual(await sandbox.mail({ triggerId }), []);
    const subscriptions = [
      {
        ...path,
        serviceName: 'fota',
        skuName: 'SVC-FOTA',
        allowance: 1,
        since: '2026-01-01',
      },
    ];
    await sandbox.operator.call('POST /operator/v1/import', { raw: JSON.stringify({ subscriptions }) });
    const at = await sandbox.clock.now();
    const record = {
      id: 'mail-1',
      kind: 'imei',
      device: '990000000000011',
      at,
      bytes: 1,
      serviceName: 'fota',
    };
    await sandbox.operator.call('POST /operator/v1/usage', { raw: JSON.stringify([record]) });
    const [mail, ...others] = await sandbox.mail({ triggerId, to: ['ben@example.com'] });
    assert.deepEqual([mail?.accountName, others], [ACCOUNT, []]);
    assert.equal((await sandbox.sms({ to: ['5550100099'], text: /./ })).length, 1);
    assert.deepEqual(await sandbox.sms(({ to }) => to.length > 1), []);
  });

  it('calls as the first application and user of the fleet, or as whoever it is told', async () => {
    assert.equal(await sandbox.client(), await sandbox.client());
    const stranger = await sandbox.client(STRANGER_USER);
    await assert.rejects(stranger.call('GET /m2m/v1/plans/{accountName}', { path }), { status: 401 });
    const wrong = await sandbox.client({ password: 'wrong' });
    await assert.rejects(wrong.logIn(), { status: 400 });
  });

  it('goes on with the real time, date and fetch where a test replaces them', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 0 });
    t.mock.method(globalThis, 'fetch', () => assert.fail('fetch is the one of the test'));
    const { id } = await sendFota();
    const heard = await sandbox.callbacks.waitFor({ id });
    assert.deepEqual([heard.signature, heard.at > NOW], ['valid', true]);
    await assert.rejects(
      sandbox.callbacks.waitFor(() => false, { withinMs: 1 }),
      /No callback/,
    );
  });

  it('lets calls fail on purpose until it goes back, and knows them and what they caused', async () => {
    const client = await sandbox.client();
    const plans = () => client.call('GET /m2m/v1/plans/{accountName}', { path });
    const wasOnPurpose = (count: number) =>
      sandbox.requests({ injected: { status: 503 } }).then(({ length }) => assert.equal(length, count));
    const { name } = await sandbox.snapshot();
    await sandbox.faults.set([{ match: { operation: 'listPlans' }, then: { status: 503 } }]);
    await assert.rejects(plans());
    // The call waits while everything behind the port is closed and reopened. The rules survive this.
    await sandbox.snapshot();
    await assert.rejects(plans());
    await wasOnPurpose(2);
    await sandbox.restore(name);
    await plans();
    await wasOnPurpose(0);
    const { requestId } = await activate('990000000000052');
    await sandbox.callbacks.waitFor({ payload: { requestId } });
    const [order] = await sandbox.requests({ answer: { requestId } });
    assert.equal(order?.caused.callbacks[0]?.requestId, requestId);
    await sandbox.faults.clear();
  });

  it('goes back to a snapshot and to its start, and forgets what it heard', async () => {
    const names = async () =>
      (await sandbox.operator.call('GET /operator/v1/accounts')).map(({ accountName }) => accountName);
    const before = await names();
    const { name } = await sandbox.snapshot();
    const profiles = [{ ecpdId: '9000033' }];
    const accounts = [{ accountName: '0000333333-00001', ecpdId: '9000033' }];
    await sandbox.operator.call('POST /operator/v1/import', { raw: JSON.stringify({ profiles, accounts }) });
    assert.equal((await names()).length, before.length + 1);
    await sandbox.restore(name);
    assert.deepEqual([await names(), await sandbox.callbacks.all()], [before, []]);
    assert.deepEqual(await sandbox.snapshot('named'), { name: 'named' });
    await sandbox.reset();
    assert.deepEqual(await names(), before);
    const client = await sandbox.client();
    assert.deepEqual(await client.call('GET /m2m/v1/callbacks/{accountName}', { path }), []);
  });
});
