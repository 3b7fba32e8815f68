import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { freePort } from '../../../test/support/free-port.ts';
import { startEmptyWorld } from './start-world.ts';

const ACCOUNT = '0000123456-00001';
// The search for outages runs on its own schedule.
const service = await startEmptyWorld({ runs: true });
before(async () => {
  await service.import({
    profiles: [{ ecpdId: '9000001' }],
    accounts: [{ accountName: ACCOUNT, ecpdId: '9000001', contactEmail: 'ops@acme.example' }],
    plans: [{ code: 'P', name: 'P', kind: 'payAsYouGo' }],
    devices: [{ accountName: ACCOUNT, imei: '990000000000011', servicePlan: 'P' }],
    subscriptions: [{ accountName: ACCOUNT, serviceName: 'fota', skuName: 'fota', allowance: 4 }],
    usageTriggers: [{ accountName: ACCOUNT, triggerName: 'half', serviceName: 'fota', thresholdValue: '50' }],
    // No listener runs at this address, so a notification is sent.
    listeners: [
      { accountName: ACCOUNT, serviceName: 'AlertService', url: `http://127.0.0.1:${await freePort()}/hook` },
    ],
  });
  const event = { accountName: ACCOUNT, serviceName: 'AlertService', payload: {} };
  assert.equal((await service.operator('POST', '/events', event)).statusCode, 200);
  assert.equal((await service.run(['clock', 'advance', 'PT2H'])).code, 0);
});

describe('mail and sms', () => {
  it('list what was sent or captured, for people and for programs', async () => {
    const [table, json, sms] = await Promise.all([
      service.run(['mail']),
      service.run(['mail', '--account', ACCOUNT, '--json']),
      service.run(['sms', '--json']),
    ]);
    const [titles, row, ...more] = table.out.trimEnd().split('\n');
    assert.match(titles!, /^AT +ACCOUNT +TO +STATE +SUBJECT +TRIGGER +REASON$/);
    assert.match(row!, /^\S+Z +0000123456-00001 +ops@acme\.example +captured +Callbacks of AlertService/);
    assert.deepEqual(more, []);
    const [mail] = JSON.parse(json.out);
    assert.deepEqual([mail.to, mail.recipients[0].state], [['ops@acme.example'], 'captured']);
    assert.deepEqual(JSON.parse(sms.out), []);
  });

  it('find nothing of another account or trigger', async () => {
    const [account, trigger] = await Promise.all([
      service.run(['mail', '--account', '0000000000-00001', '--json']),
      service.run(['mail', '--trigger', 'none', '--json']),
    ]);
    assert.deepEqual([JSON.parse(account.out), JSON.parse(trigger.out)], [[], []]);
  });
});

describe('firings', () => {
  it('list why triggers fired, for people and for programs', async () => {
    const records = [1, 2, 3].map((n) =>
      JSON.stringify({
        id: `update-${n}`,
        kind: 'imei',
        device: '990000000000011',
        at: service.clock.now().toISOString(),
        bytes: 0,
        serviceName: 'fota',
      }),
    );
    assert.equal((await service.run(['usage', '-'], { input: records.join('\n') })).code, 0);
    const [table, json, none] = await Promise.all([
      service.run(['firings', '--account', ACCOUNT]),
      service.run(['firings', '--json']),
      service.run(['firings', '--trigger', 'none', '--json']),
    ]);
    const [titles, row, ...more] = table.out.trimEnd().split('\n');
    assert.match(
      titles!,
      /^AT +ACCOUNT +TRIGGER +SUBJECT +LEVEL +COUNTER +THRESHOLD +LATE +RECORD +ACTIONS +ID$/,
    );
    assert.match(row!, / 50 percent +1 to 2 +2 +\S+ +update-2 /);
    assert.deepEqual(more, []);
    assert.equal(JSON.parse(json.out)[0].usageRecordId, 'update-2');
    assert.deepEqual(JSON.parse(none.out), []);
  });

  it('are not approved where nothing waits', async () => {
    const [{ firingId }] = JSON.parse((await service.run(['firings', '--json'])).out);
    for (const verb of ['approve', 'reject']) {
      const { code, err } = await service.run(['firings', verb, firingId]);
      assert.notEqual(code, 0);
      assert.match(err, /No firing has this id, or it has no action/);
    }
  });
});
