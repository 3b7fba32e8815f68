import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, MANAGED, STRANGER, STRANGER_USER } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import { makeTriggerScene } from './scene.ts';

const { world, pass, call, child, create, made } = await makeTriggerScene();
const stranger = await asUser(world, STRANGER_USER);
const NOBODY = '00000000-0000-4000-8000-000000000000';
const LIST = `/subsc/v1/usage/accounts/${ACCOUNT}/triggers`;

const FULL = {
  triggerName: 'Ninety percent',
  serviceName: 'location',
  thresholdValue: '90',
  allowExcess: false,
  sendSmsNotification: true,
  smsPhoneNumbers: '5550100001, 5550100002',
  sendEmailNotification: true,
  emailAddresses: 'a@example.com,b@example.com',
};

// proves usage-triggers/creating
describe('POST /subsc/v1/usage/triggers', () => {
  describe('200', () => {
    // proves 2.1/triggerId 2.1/accountName 2.1/smsPhoneNumbers 2.1/createDate 2.1/updateDate
    // proves 4.10/create-usage-trigger
    it('returns the whole trigger with both dates', async () => {
      const { triggerId, ...rest } = await made(FULL);
      assert.match(triggerId, /^[0-9a-f-]{36}$/);
      assert.deepEqual(rest, {
        ...FULL,
        accountName: ACCOUNT,
        serviceName: 'Location',
        smsPhoneNumbers: '5550100001,5550100002',
        createDate: '2026-01-05',
        updateDate: '2026-01-05',
      });
    });

    // proves 2.1/emailAddresses
    it('gives a trigger a generated name and plain defaults by default', async () => {
      const [one, two] = [
        await made({ thresholdValue: 75 }),
        await made({ thresholdValue: '75', triggerName: null }),
      ];
      assert.notEqual(one.triggerName, two.triggerName);
      assert.deepEqual(
        [
          one.thresholdValue,
          one.allowExcess,
          one.sendSmsNotification,
          one.smsPhoneNumbers,
          one.emailAddresses,
        ],
        ['75', true, false, '', ''],
      );
    });

    // proves 2.1/serviceName usage-triggers/service
    it('accepts flags as text, and the service in any letter case', async () => {
      const trigger = await made({ serviceName: 'FOTA', allowExcess: 'false' });
      assert.deepEqual([trigger.serviceName, trigger.allowExcess], ['fota', false]);
    });

    // proves 2.1/thresholdValue usage-triggers/percentage
    for (const thresholdValue of ['1', '1000', 100])
      it(`takes ${thresholdValue} percent`, async () => {
        assert.equal((await made({ thresholdValue })).thresholdValue, String(thresholdValue));
      });
  });

  describe('400', () => {
    const refused: readonly (readonly [string, object, string])[] = [
      ['no percentage at all', { thresholdValue: '' }, 'Invalid thresholdValue'],
      ['0 percent', { thresholdValue: '0' }, 'Invalid thresholdValue'],
      ['1001 percent', { thresholdValue: '1001' }, 'Invalid thresholdValue'],
      ['half a percent', { thresholdValue: '90.5' }, 'Invalid thresholdValue'],
      ['a negative percentage', { thresholdValue: '-5' }, 'Invalid thresholdValue'],
      ['an unknown service', { serviceName: 'sms' }, 'Invalid Service Name'],
      ['a number with dashes', { smsPhoneNumbers: '555-010-0001' }, 'Invalid smsPhoneNumbers'],
      ['an address that is none', { emailAddresses: 'a@example.com,invalid' }, 'Invalid emailAddresses'],
      ['SMS without recipients', { sendSmsNotification: true }, 'sendSmsNotification needs'],
      ['mail without recipients', { sendEmailNotification: true }, 'sendEmailNotification needs'],
      ['a name that the account has', { triggerName: FULL.triggerName }, 'Trigger name is not unique'],
      ['a percentage that is an object', { thresholdValue: {} }, 'Input Binding Error'],
    ];
    for (const [what, body, message] of refused) {
      // proves 2.1/triggerName 2.1/serviceName 2.1/sendSmsNotification 2.1/smsPhoneNumbers
      // proves 2.1/sendEmailNotification 2.1/emailAddresses usage-triggers/no-recipients
      it(`refuses ${what}`, async () => {
        const before = (await call('GET', LIST)).json().length;
        const answer = await create(body);
        assert.deepEqual(
          [answer.statusCode, answer.json().errorCode],
          [400, 'INVALID_PARAMETER'],
          answer.body,
        );
        assert.ok(answer.json().errorMessage.startsWith(message), answer.body);
        assert.equal((await call('GET', LIST)).json().length, before);
      });
    }

    // proves 4.1/session usage-triggers/percentage usage-triggers/who-keeps-them
    it("refuses a session that was not made with the primary account's credentials", async () => {
      const answer = await create({ accountName: MANAGED }, child.call);
      assert.deepEqual(
        [answer.statusCode, answer.json().errorMessage],
        [400, 'UWS account validation failed (contact has no access to the account)'],
      );
      // Its home account is the primary, and it may use the managed account as well.
      assert.equal((await create({ accountName: MANAGED })).statusCode, 200);
    });

    it('refuses an account that does not exist', async () => {
      assert.equal(
        (await create({ accountName: '0000000000-00000' })).json().errorMessage,
        'Invalid account name',
      );
    });
  });

  describe('401', () => {
    it("refuses another customer's account", async () => {
      const answer = await create({ accountName: STRANGER });
      assert.deepEqual([answer.statusCode, answer.json().errorCode], [401, 'INVALID_ACCESS']);
    });
  });

  // proves usage-triggers/count
  it('400: refuses one more than the 1,000 that an account may have', async () => {
    await world.ctx.db.exec(sql`
      insert into usage_trigger (ecpd_id, account_name, trigger_id, trigger_name, service_name, threshold_percent,
        allow_excess, send_sms, sms_phone_numbers, send_email, email_addresses, version, created_at, updated_at)
      select ecpd_id, account_name, gen_random_uuid(), 'filler ' || n, 'fota', 50, true, false, '{}', false, '{}', 1,
        ${world.ctx.now()}, ${world.ctx.now()}
      from account, generate_series(1, 999 - (select count(*) from usage_trigger where account_name = ${ACCOUNT})) n
      where account_name = ${ACCOUNT}`);
    const [last, beyond] = [await create({}), await create({})];
    assert.equal(last.statusCode, 200, last.body);
    assert.deepEqual(
      [beyond.statusCode, beyond.json().errorMessage],
      [400, 'An account has at most 1000 usage triggers'],
    );
    await world.ctx.db.exec(sql`
      delete from usage_trigger where account_name = ${ACCOUNT} and trigger_name like 'filler %'`);
  });

  // proves 2.1/triggerName
  it('gives a name to only one of many concurrent callers', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => create({ triggerName: 'wanted' })));
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 400, 400, 400, 400, 400]);
  });
});

describe('GET /subsc/v1/usage/accounts/{a}/triggers', () => {
  // proves 2.1/triggerId 2.1/createDate 2.1/updateDate 4.1/list 4.1/get
  it('200: lists all triggers of the account without dates, and reads each', async () => {
    const listed = (await call('GET', LIST)).json();
    const first = listed.find(({ triggerName }: { triggerName: string }) => triggerName === FULL.triggerName);
    assert.deepEqual(Object.keys(first), [
      'triggerId',
      'triggerName',
      'accountName',
      'serviceName',
      'thresholdValue',
      'allowExcess',
      'sendSmsNotification',
      'smsPhoneNumbers',
      'sendEmailNotification',
      'emailAddresses',
    ]);
    assert.deepEqual((await call('GET', `${LIST}/${first.triggerId}`)).json(), first);
  });

  it('200: lists them with both dates if asked to', async () => {
    const [without, dated] = [await call('GET', LIST), await call('GET', `${LIST}?dates=true`)];
    const dates = { createDate: '2026-01-05', updateDate: '2026-01-05' };
    assert.deepEqual(
      dated.json(),
      without.json().map((one: object) => ({ ...one, ...dates })),
    );
    assert.equal((await call('GET', `${LIST}?dates=false`)).body, without.body);
  });

  // proves 4.1/list
  it('200: is an empty list for an account without one', async () => {
    assert.equal((await stranger.call('GET', `/subsc/v1/usage/accounts/${STRANGER}/triggers`)).body, '[]');
  });

  // proves 4.1/get
  it("400: an unknown or invalid id, or another customer's", async () => {
    const { triggerId } = await made({});
    const own = `/subsc/v1/usage/accounts/${STRANGER}/triggers`;
    for (const answer of [
      await call('GET', `${LIST}/${NOBODY}`),
      await call('GET', `${LIST}/nonsense`),
      await stranger.call('GET', `${own}/${triggerId}`),
      await stranger.call('GET', `${own}/${triggerId}/firings`),
      await stranger.call('DELETE', `${own}/${triggerId}`),
      await stranger.call('POST', `/subsc/v1/usage/triggers/${triggerId}`, { accountName: STRANGER }),
    ])
      assert.deepEqual(
        [answer.statusCode, answer.json().errorMessage],
        [400, 'Trigger not found'],
        answer.body,
      );
  });

  it("401: another customer's account", async () => {
    assert.equal((await stranger.call('GET', LIST)).statusCode, 401);
  });
});

describe('POST /subsc/v1/usage/triggers/{id}', () => {
  const change = (triggerId: string, body: object) =>
    call('POST', `/subsc/v1/usage/triggers/${triggerId}`, { accountName: ACCOUNT, ...body });

  // proves 4.1/update
  it('200: changes what is sent and keeps the rest', async () => {
    const trigger = await made({ ...FULL, triggerName: 'changing' });
    await pass(86_400_000);
    const answer = await change(trigger.triggerId.toUpperCase(), {
      thresholdValue: '95',
      smsPhoneNumbers: '5550100009',
      emailAddresses: null,
    });
    assert.deepEqual(answer.json(), {
      ...trigger,
      thresholdValue: '95',
      smsPhoneNumbers: '5550100009',
      updateDate: '2026-01-06',
    });
  });

  // proves 2.1/accountName
  it('400: does not move a trigger to another account of the user', async () => {
    const [accountName, username] = ['0000123456-00007', 'of-both'];
    await world.import({
      accounts: [{ accountName, ecpdId: '9000001', locationRegistered: true }],
      users: [{ username, password: 'of-both-password', accounts: [accountName, ACCOUNT] }],
    });
    const trigger = await made({ ...FULL, triggerName: 'stays' });
    const both = await asUser(world, { username, password: 'of-both-password' });
    const answer = await both.call('POST', `/subsc/v1/usage/triggers/${trigger.triggerId}`, {
      accountName,
      thresholdValue: '50',
    });
    assert.deepEqual([answer.statusCode, answer.json().errorMessage], [400, 'Trigger not found']);
    const { accountName: owner, thresholdValue } = (await call('GET', `${LIST}/${trigger.triggerId}`)).json();
    assert.deepEqual([owner, thresholdValue], [ACCOUNT, '90']);
  });

  // proves 4.1/update usage-triggers/changing
  it('400: the name of another trigger, another service, and lists that would become empty', async () => {
    const [one, two] = [await made({ ...FULL, triggerName: 'one' }), await made({ triggerName: 'two' })];
    for (const [body, message] of [
      [{ triggerName: two.triggerName }, 'Trigger name is not unique'],
      [{ serviceName: 'fota' }, 'A trigger cannot watch another service'],
      [{ smsPhoneNumbers: '' }, 'sendSmsNotification needs smsPhoneNumbers'],
      [{ thresholdValue: 'all' }, 'Invalid thresholdValue'],
    ] as const) {
      const answer = await change(one.triggerId, body);
      assert.equal(answer.statusCode, 400);
      assert.ok(answer.json().errorMessage.startsWith(message), answer.body);
    }
    assert.equal(
      (await change(one.triggerId, { triggerName: 'one', serviceName: 'Location' })).statusCode,
      200,
    );
  });
});

describe('DELETE /subsc/v1/usage/accounts/{a}/triggers/{id}', () => {
  // proves usage-triggers/creating
  it('200: removes it once', async () => {
    const { triggerId } = await made({});
    assert.deepEqual((await call('DELETE', `${LIST}/${triggerId}`)).json(), { success: true });
    assert.equal((await call('DELETE', `${LIST}/${triggerId}`)).statusCode, 400);
  });
});
