import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { sql } from '../../../platform/db/sql.ts';
import { LINES_PER_STEP } from '../summary-request.ts';
import { ACCOUNT, EID, ICCID, IMEIS, LABEL, makeBillingScene, record } from './scene.ts';

const scene = await makeBillingScene();
const { db } = scene.ctx;
const { callbacksFor, summaries } = scene;

beforeEach(() => scene.emptyLedger());

describe('200', () => {
  // proves 4.7/lineLevel billing/lines-of-an-account
  it('sends one callback for each line with usage in a line-level request, including a deleted device', async () => {
    await scene.import({ devices: [{ accountName: ACCOUNT, imei: '990000000000078' }] });
    await scene.feed([
      record({ bytes: 5 }),
      record({ bytes: 6, device: IMEIS[2] }),
      record({ bytes: 7, device: '990000000000078' }),
      record({ bytes: 8, device: IMEIS[1], at: '2026-03-05T12:00:00Z' }),
    ]);
    await scene.operator('DELETE', '/devices/imei/990000000000078');
    assert.deepEqual(
      new Map(
        (await summaries({ lineLevel: true })).map(({ deviceIdentifier, totalUsage }) => [
          `${deviceIdentifier.kind} ${deviceIdentifier.id}`,
          totalUsage,
        ]),
      ),
      new Map([
        [`imei ${IMEIS[0]}`, 5],
        [`imei ${IMEIS[2]}`, 6],
        ['imei 990000000000078', 7],
      ]),
    );
  });

  it('processes more lines than fit in one step, each once', async () => {
    const imeis = Array.from(
      { length: LINES_PER_STEP + 1 },
      (_, n) => `9912000000${String(n).padStart(5, '0')}`,
    );
    await scene.import({ devices: imeis.map((imei) => ({ accountName: ACCOUNT, imei })) });
    await scene.feed(imeis.map((device, n) => record({ device, bytes: n })));
    // The server does this automatically a minute later; without statistics on a table, it picks any index.
    await db.exec(sql`analyze usage_record`);
    const lines = await summaries({ lineLevel: true });
    assert.deepEqual(
      lines.map(({ deviceIdentifier, totalUsage }) => `${deviceIdentifier.id} ${totalUsage}`).sort(),
      imeis.map((imei, n) => `${imei} ${n}`),
    );
    const named = await summaries({ lineLevel: true, deviceIds: imeis.map((id) => ({ id, kind: 'imei' })) });
    assert.deepEqual(named.map(({ deviceIdentifier }) => deviceIdentifier.id).sort(), imeis);
  });

  // proves billing/lines-of-an-account
  it('reports zero for a line-level request on an account without usage', async () => {
    const [summary, ...others] = await summaries({ lineLevel: true });
    assert.deepEqual([summary.totalUsage, summary.deviceIdentifier, others], [0, undefined, []]);
  });

  // proves 2.11/deviceIdentifier 4.7/deviceId billing/line-level
  for (const [kind, id] of [
    ['EID', EID],
    ['ICCID', ICCID],
    ['iccid', ICCID],
  ])
    it(`accepts one device by ${kind}, without lineLevel, and names it in the summary`, async () => {
      await scene.feed([record({ bytes: 9 }), record({ bytes: 10, device: IMEIS[1] })]);
      const [summary, ...others] = await summaries({ lineLevel: undefined, deviceId: { kind, id } });
      assert.deepEqual([summary.deviceIdentifier, summary.totalUsage, others], [{ id, kind }, 9, []]);
    });

  // proves 4.7/deviceIds billing/named-devices
  it('accepts many devices by IMEI, and answers each once with its own usage, including zero', async () => {
    await scene.feed([record({ bytes: 9 })]);
    const deviceIds = [IMEIS[0], IMEIS[1], IMEIS[0]].map((id) => ({ id, kind: 'IMEI' }));
    const lines = await summaries({ lineLevel: true, deviceIds });
    assert.deepEqual(
      lines.map(({ deviceIdentifier, totalUsage }) => [deviceIdentifier.id, totalUsage]),
      [
        [IMEIS[0], 9],
        [IMEIS[1], 0],
      ],
    );
  });

  // proves 2.11/deviceIdentifier 4.7/label billing/labels
  it("accepts a label, for all of the account's devices with it, together or line by line", async () => {
    await scene.feed([
      record({ bytes: 3 }),
      record({ bytes: 4, device: IMEIS[1] }),
      record({ bytes: 5, device: IMEIS[2] }),
    ]);
    const site = { name: 'Site', value: 'A' };
    const [vin] = await summaries({ label: LABEL });
    assert.deepEqual([vin.label, vin.totalUsage], [LABEL, 3]);
    const [together] = await summaries({ label: site });
    assert.deepEqual([together.label, together.totalUsage], [site, 7]);
    const lines = await summaries({ label: site, lineLevel: true });
    assert.deepEqual(lines.map(({ totalUsage }) => totalUsage).sort(), [3, 4]);
    assert.ok(lines.every(({ label, deviceIdentifier }) => label.value === 'A' && deviceIdentifier));
  });

  // proves billing/unknown-lines
  it("fails by callback, with the same text, for an unknown device and another customer's, and answers the others", async () => {
    const deviceIds = ['990000000000029', '990000000099999', IMEIS[0]].map((id) => ({ id, kind: 'imei' }));
    const messages = await callbacksFor({ lineLevel: true, deviceIds });
    const failures = messages.filter(({ status }) => status === 'Failed');
    assert.deepEqual(
      failures.map(({ deviceIds: [device] = [], faultResponse }) => [device?.id, faultResponse]),
      deviceIds.slice(0, 2).map(({ id }) => [
        id,
        {
          faultcode: 'DeviceService.REQUEST_FAILED.DeviceNotFound',
          faultstring: 'The device was not found in the account',
        },
      ]),
    );
    assert.deepEqual(
      messages
        .filter(({ status }) => status === 'Success')
        .map((one) => one.deviceResponse.billingUsageSummary.deviceIdentifier.id),
      [IMEIS[0]],
    );
  });

  // proves billing/unknown-lines
  it('fails by callback for a label that no device of the account has', async () => {
    for (const lineLevel of [true, false]) {
      const [message, ...others] = await callbacksFor({ label: { name: 'VIN', value: 'none' }, lineLevel });
      assert.deepEqual([message?.status, others], ['Failed', []]);
      assert.match(message?.faultResponse?.faultcode ?? '', /DeviceNotFound$/);
    }
  });

  // proves billing/old-months
  it('fails by callback for the lines of a month whose records are partly deleted, while the account still has its sums', async () => {
    await scene.feed([record({ bytes: 5 })]);
    await db.exec(sql`insert into usage_ledger_start (ecpd_id, starts_on) values ('9000001', '2026-03-11')`);
    const [line] = await callbacksFor({ lineLevel: true });
    assert.match(line?.faultResponse?.faultcode ?? '', /RecordsNotKept$/);
    await db.exec(sql`truncate usage_record`);
    const [summary] = await summaries({});
    assert.equal(summary.totalUsage, 5);
  });
});
