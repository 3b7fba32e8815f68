import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '../../../platform/db/sql.ts';
import { EID, FEBRUARY, ICCID, IMEIS, LABEL, MARCH, makeBillingScene, RATED, STRANGER } from './scene.ts';

const scene = await makeBillingScene();
const { db } = scene.ctx;
const { ask } = scene;

describe('400', () => {
  const device = { id: IMEIS[0], kind: 'imei' };
  const digits = (n: number) => '1'.repeat(n);
  const month = (from: object, to: object = MARCH) => ({ billingCycle: { from, to } });
  const code = (detail: string) => `DeviceService.INPUT_INVALID.${detail}`;
  const SHAPE = 'UnifiedWebService.INPUT_INVALID.RequestUndefined';
  const cases: [string, object, string][] = [
    ['an accountName that is a number', { accountName: 123456 }, SHAPE],
    ['no lineLevel', { lineLevel: undefined }, code('LineLevel.NotDefined')],
    ['a lineLevel that is text', { lineLevel: 'true' }, SHAPE],
    ['no billingCycle', { billingCycle: undefined }, SHAPE],
    ['no from', { billingCycle: { to: MARCH } }, SHAPE],
    ['no to', { billingCycle: { from: MARCH } }, SHAPE],
    ['a year of two digits', month({ year: 26, month: 1 }), SHAPE],
    ['a year of five digits', month({ year: 20_260, month: 1 }), SHAPE],
    ['a year that is text', month({ year: '2026', month: 1 }), SHAPE],
    ['month 0', month({ year: 2026, month: 0 }), SHAPE],
    ['month 13', month({ year: 2026, month: 13 }), SHAPE],
    ['no month', month({ year: 2026 }), SHAPE],
    ['a cycle that ends before it begins', month(MARCH, FEBRUARY), code('BillingCycle.Invalid')],
    ['more than twelve months', month({ year: 2025, month: 3 }), code('BillingCycle.Invalid')],
    ['a device of another kind', { deviceId: device }, code('Device.Kind.Invalid')],
    ['an unknown kind', { deviceId: { id: digits(20), kind: 'simcard' } }, code('Device.Kind.Invalid')],
    ['an EID of 31 digits', { deviceId: { id: digits(31), kind: 'EID' } }, code('Device.Identifier.Invalid')],
    [
      'an ICCID of 17 digits',
      { deviceId: { id: digits(17), kind: 'ICCID' } },
      code('Device.Identifier.Invalid'),
    ],
    [
      'an ICCID of 23 digits',
      { deviceId: { id: digits(23), kind: 'ICCID' } },
      code('Device.Identifier.Invalid'),
    ],
    ['a device without id', { deviceId: { kind: 'EID' } }, SHAPE],
    [
      'both deviceId and deviceIds',
      { lineLevel: true, deviceId: { id: EID, kind: 'EID' }, deviceIds: [device] },
      code('Device.Conflict'),
    ],
    [
      'deviceIds and a label',
      { lineLevel: true, deviceIds: [device], label: LABEL },
      code('Device.Conflict'),
    ],
    [
      'deviceIds without lineLevel',
      { lineLevel: undefined, deviceIds: [device] },
      code('LineLevel.NotDefined'),
    ],
    ['deviceIds with lineLevel false', { lineLevel: false, deviceIds: [device] }, code('LineLevel.Invalid')],
    ['an empty list of devices', { lineLevel: true, deviceIds: [] }, code('DeviceNotProvided')],
    [
      'deviceIds by ICCID',
      { lineLevel: true, deviceIds: [{ id: ICCID, kind: 'iccid' }] },
      code('Device.Kind.Invalid'),
    ],
    [
      'an IMEI of 14 digits',
      { lineLevel: true, deviceIds: [{ id: digits(14), kind: 'imei' }] },
      code('Device.Identifier.Invalid'),
    ],
    [
      'an IMEI of 16 digits',
      { lineLevel: true, deviceIds: [{ id: digits(16), kind: 'imei' }] },
      code('Device.Identifier.Invalid'),
    ],
    [
      '10,001 devices',
      { lineLevel: true, deviceIds: Array.from({ length: 10_001 }, () => device) },
      code('MaxRequestsExceeded'),
    ],
    ['a label without value', { label: { name: 'VIN' } }, SHAPE],
    [
      'an account that does not exist',
      { accountName: '1-1' },
      'UnifiedWebService.REQUEST_FAILED.AccountNotFound',
    ],
  ];
  // proves 4.7/accountName 4.7/lineLevel 4.7/billingCycle 4.7/deviceId 4.7/deviceIds billing/format
  for (const [what, body, errorCode] of cases)
    it(`refuses ${what}, and creates no request`, async () => {
      const before = await db.one(sql`select count(*) from billing_request`);
      const answer = await ask(body);
      assert.deepEqual([answer.statusCode, answer.json().errorCode], [400, errorCode], answer.body);
      assert.ok(answer.json().errorMessage.length > 0);
      assert.deepEqual(await db.one(sql`select count(*) from billing_request`), before);
    });

  it('refuses a missing account name if the session has several accounts', async () => {
    const answer = await ask({ accountName: undefined }, scene.both);
    assert.deepEqual(
      [answer.statusCode, answer.json().errorCode],
      [400, 'UnifiedWebService.REQUEST_FAILED.MultipleAccounts'],
    );
  });

  // proves 4.7/label billing/labels
  it('refuses a label for an account with real-time rating, because APN usage has no labels', async () => {
    const answer = await ask({ accountName: RATED, label: LABEL }, scene.rated);
    assert.deepEqual([answer.statusCode, answer.json().errorCode], [400, code('Label.Invalid')]);
  });
});

describe('401', () => {
  it('refuses an account of another customer', async () => {
    const answer = await ask({ accountName: STRANGER });
    assert.deepEqual(
      [answer.statusCode, answer.json().errorCode],
      [401, 'UnifiedWebService.REQUEST_FAILED.AccountName'],
    );
  });
});

describe('429', () => {
  // proves billing/line-level billing/period billing/named-devices billing/summaries-at-a-time
  it('refuses another request of an account with a hundred under way, until they are answered', async () => {
    await scene.engine.settle();
    const { requestId } = (await ask({})).json();
    // Many copies of it, without jobs.
    await db.exec(sql`
      insert into billing_request (ecpd_id, account_name, request_id, asked, created_at)
      select ecpd_id, account_name, gen_random_uuid(), asked, created_at
      from billing_request, generate_series(1, 98) where request_id = ${requestId}`);
    assert.equal((await ask({})).statusCode, 200);
    const refused = await ask({});
    assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [429, '30']);
    await scene.engine.settle();
    assert.equal((await ask({})).statusCode, 200);
  });
});
