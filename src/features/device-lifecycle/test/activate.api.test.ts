import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import { mdnOf } from '../lines/line-number.ts';
import { byImei, iccid, imei, makeLifecycleScene, PLACE } from './scene.ts';

const { db, ask, done, stateOf, world, call } = await makeLifecycleScene();
const PATH = 'actions/activate';
const body = (devices: object[], more: object = {}) => ({
  accountName: ACCOUNT,
  servicePlan: 'P-5MB',
  mdnZipCode: '76051',
  devices,
  ...more,
});
const idsOf = (list: unknown) =>
  Object.fromEntries((list as { kind: string; id: string }[]).map(({ kind, id }) => [kind, id]));

describe('POST /m2m/v1/devices/actions/activate', () => {
  describe('200', () => {
    // proves 6.3/activate lines/new-numbers
    it('makes a known line active on the plan, with its own numbers, address and credential', async () => {
      const [result] = await done(PATH, body(byImei(10)));
      assert.deepEqual(
        [result?.service, result?.status, await stateOf(10)],
        ['CarrierService', 'Success', 'active'],
      );
      assert.deepEqual(result?.deviceIds, [{ id: imei(10), kind: 'imei' }]);
      const { activateResponse: line = {} } = result?.deviceResponse ?? {};
      const { mdn = '', ...others } = idsOf(line['deviceIds']);
      assert.match(mdn, /^52[1-9][2-9]\d{6}$/);
      assert.deepEqual(others, { imsi: `99999${mdn}`, msisdn: `1${mdn}`, min: mdn });
      assert.match(String(line['ipAddress']), /^10\.\d+\.\d+\.\d+$/);
      assert.deepEqual([line['state'], line['servicePlan']], ['Active', 'P-5MB']);
      const { username, password } = line['deviceCredential'] as { username: string; password: string };
      assert.equal(username, mdn);
      assert.ok(password.length >= 20);
      const { n } = await db.one<{ n: number }>(
        sql`select count(*)::int as n from device_identifier where value = ${mdn}`,
      );
      assert.equal(n, 2, 'mdn and min are in the directory');
    });

    // proves lines/new-numbers
    it('keeps address, credential and numbers when the line is activated again', async () => {
      const before = (await done(PATH, body(byImei(11))))[0]?.deviceResponse['activateResponse'];
      await done('actions/deactivate', { devices: byImei(11), reasonCode: 'FF' });
      const after = (await done(PATH, body(byImei(11))))[0]?.deviceResponse['activateResponse'];
      assert.deepEqual(after, before);
    });

    // proves lines/activation
    it('adds unknown devices, with all of their identifiers', async () => {
      const deviceIds = [
        { id: imei(500), kind: 'IMEI' },
        { id: iccid(500), kind: 'ICCID' },
      ];
      const [result] = await done(PATH, body([{ deviceIds }], { servicePlan: '50MB' }));
      assert.equal(result?.status, 'Success');
      assert.equal(await stateOf(500), 'active');
      const found = await db.one(sql`
        select account_name as account, iccid, service_plan as plan, plan_since as since from device where imei = ${imei(500)}`);
      assert.deepEqual(found, {
        account: ACCOUNT,
        iccid: iccid(500),
        plan: 'P-50MB',
        since: world.ctx.now(),
      });
      const { n } = await db.one<{ n: number }>(
        sql`select count(*)::int as n from device_identifier where value = any(${[imei(500), iccid(500)]}::text[])`,
      );
      assert.equal(n, 2);
    });

    it('records the plan in the history of the device', async () => {
      const rows = await db.many(sql`
        select p.plan_code as plan, p.cause, p.changed_by as by from device_plan p join device d using (ecpd_id, device_id)
        where d.imei = ${imei(500)}`);
      assert.deepEqual(rows, [{ plan: 'P-50MB', cause: 'activation', by: 'ws-user' }]);
    });

    it('skips numbers that an import has used', async () => {
      const { n } = await db.one<{ n: number }>(
        sql`select nextval(pg_get_serial_sequence('device_line', 'line_number'))::int as n`,
      );
      // Two of the next numbers, one under another kind, which is why all kinds are checked.
      await world.import({
        devices: [
          { accountName: ACCOUNT, imei: imei(600), mdn: mdnOf(n + 1) },
          { accountName: ACCOUNT, imei: imei(601), msisdn: `1${mdnOf(n + 2)}` },
        ],
      });
      const results = await done(PATH, body(byImei(602, 603)));
      assert.deepEqual(
        results.map(({ status }) => status),
        ['Success', 'Success'],
      );
      const mdns = results.map(
        ({ deviceResponse }) => idsOf(deviceResponse['activateResponse']?.['deviceIds'])['mdn'],
      );
      assert.deepEqual(mdns.sort(), [mdnOf(n + 3), mdnOf(n + 4)]);
    });

    // proves lines/activation lines/states
    it('reports why a device cannot be activated, and activates the others', async () => {
      await done('actions/suspend', { devices: byImei(1) });
      const devices = [
        ...byImei(0, 1, 12, 30, 40),
        {
          deviceIds: [
            { id: imei(2), kind: 'imei' },
            { id: imei(3), kind: 'imei' },
          ],
        },
      ];
      const results = await done(PATH, body(devices));
      assert.deepEqual(
        Object.fromEntries(results.map((each) => [each.deviceIds[0]?.id, each.faultResponse?.faultcode])),
        {
          [imei(0)]: 'DeviceService.REQUEST_FAILED.DeviceAlreadyActive',
          [imei(1)]: 'DeviceService.INPUT_INVALID.DeviceState.Invalid',
          [imei(12)]: undefined,
          [imei(30)]: 'DeviceService.REQUEST_FAILED.DeviceNotFound',
          [imei(40)]: 'DeviceService.REQUEST_FAILED.DeviceNotFound',
          [imei(2)]: 'DeviceService.INPUT_INVALID.Device.Identifier.Invalid',
        },
      );
      assert.equal(await stateOf(40), 'active', "another customer's device is as it was");
    });

    it('does not activate a device that the plan does not support', async () => {
      const results = await done(PATH, body(byImei(13, 20), { servicePlan: 'P-ROUTER' }));
      assert.deepEqual(results.map(({ faultResponse }) => faultResponse?.faultcode).sort(), [
        'DeviceService.REQUEST_FAILED.DeviceNotSupported',
        undefined,
      ]);
      assert.deepEqual([await stateOf(13), await stateOf(20)], ['pre-active', 'active']);
    });

    it("uses the session's only account if none is named, and ignores unknown members", async () => {
      const { accountName: _, ...rest } = body(byImei(14), { leadId: 'x', carrierName: null });
      assert.equal((await done(PATH, rest))[0]?.status, 'Success');
    });

    // proves lines/activation
    it('accepts two requests for the same unknown device: one adds and activates it, the other finds it active', async () => {
      const answers = await Promise.all([ask(PATH, body(byImei(700))), ask(PATH, body(byImei(700)))]);
      await world.engine.settle();
      world.pass(5_000);
      await world.engine.settle();
      const status = await Promise.all(
        answers.map(async (answer) => {
          const id = answer.json().requestId;
          return (await call('GET', `/m2m/v1/accounts/${ACCOUNT}/requests/${id}/status`)).json().status;
        }),
      );
      assert.deepEqual(status.sort(), ['Failure', 'Success']);
    });
  });

  describe('400', () => {
    const rows: [string, object, string][] = [
      ['an unknown plan', { servicePlan: 'NONE' }, 'DeviceService.REQUEST_FAILED._servicePlan_.NotFound'],
      ['no plan', { servicePlan: undefined }, 'UnifiedWebService.INPUT_INVALID.RequestUndefined'],
      ['no ZIP code', { mdnZipCode: undefined }, 'UnifiedWebService.INPUT_INVALID.RequestUndefined'],
      ...['x', '', '7', '76051-1234', 100_000, -7].map((mdnZipCode): [string, object, string] => [
        `the ZIP code ${JSON.stringify(mdnZipCode)}`,
        { mdnZipCode },
        'DeviceService.INPUT_INVALID.MdnZipCode.Invalid',
      ]),
      ['a SKU that is not a string', { skuNumber: 5 }, 'UnifiedWebService.INPUT_INVALID.RequestUndefined'],
      ...['10.0.0', '10.0.0.256', '127.0.0.1', '224.0.0.1', 'fd00::1', 'dynamic'].map(
        (ipAddress): [string, object, string] => [
          `the address ${ipAddress}`,
          { devices: [{ ...byImei(800)[0], ipAddress }] },
          'DeviceService.INPUT_INVALID.IpAddress.Invalid',
        ],
      ),
      [
        'a place of use at a P.O. box',
        { primaryPlaceOfUse: { ...PLACE, address: { ...PLACE.address, addressLine1: 'PO Box 1' } } },
        'DeviceService.INPUT_INVALID.Address.Invalid',
      ],
      [
        'a place of use without a name',
        { primaryPlaceOfUse: { address: PLACE.address } },
        'DeviceService.INPUT_INVALID.CustomerName.Invalid',
      ],
      ['no devices', { devices: undefined }, 'DeviceService.INPUT_INVALID.DeviceNotProvided'],
      [
        '10,001 devices',
        { devices: byImei(...Array.from({ length: 10_001 }, (_, n) => n)) },
        'DeviceService.INPUT_INVALID.MaxRequestsExceeded',
      ],
    ];
    for (const [what, more, code] of rows)
      it(`refuses ${what}`, async () => {
        const answer = await ask(PATH, body(byImei(800), more));
        assert.deepEqual([answer.statusCode, answer.json().errorCode], [400, code]);
        assert.equal(await stateOf(800), undefined);
      });
  });
});
