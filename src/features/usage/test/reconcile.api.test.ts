import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { sql } from '../../../platform/db/sql.ts';
import { purgeUsage } from '../jobs.ts';
import { ACCOUNT, BARE_IMEI, IMEI, MANAGED, makeFeedWorld, NOON, record, STRANGERS_IMEI } from './feed.ts';

const world = await makeFeedWorld();
const { db } = world.ctx;
const DAY_MS = 86_400_000;

beforeEach(async () => {
  await db.exec(
    sql`truncate usage_record, usage_device_month, usage_account_day, usage_bill_day, usage_ledger_start,
      service_transaction, service_day, service_billed_day, service_month, service_month_line`,
  );
});

/** Records over half a year, always the same. */
const halfYear = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    record({
      id: `h${n}`,
      bytes: (n * 7_919) % 100_000,
      device: [IMEI, BARE_IMEI, STRANGERS_IMEI][n % 3],
      at: new Date(NOON.getTime() - ((n * 7_777_777) % (180 * DAY_MS))).toISOString(),
    }),
  );

describe('200', () => {
  it('finds no difference after concurrent feeds that overlap and repeat', async () => {
    const records = halfYear(20_000);
    const [first, second, third] = [records.slice(0, 13_000), records.slice(6_000), [...records].reverse()];
    const fed = await Promise.all([first, second, third, first].map((part) => world.feed(part)));
    const accepted = fed.reduce((sum, one) => sum + one.accepted, 0);
    const duplicates = fed.reduce((sum, one) => sum + one.duplicates, 0);
    assert.deepEqual([accepted, duplicates], [20_000, first.length * 2 + second.length]);
    const [ours, managed] = [await world.differences(ACCOUNT), await world.differences(MANAGED)];
    assert.deepEqual([ours.differences, managed.differences], [[], []]);
    // Each day of half a year, for the account and its only device; the plan changed on two days.
    assert.ok(ours.checked > 2 * 180 && managed.checked > 2 * 180);
    const [sum] = await db.many<{ bytes: string }>(
      sql`select sum(bytes)::text as bytes from usage_account_day`,
    );
    assert.equal(sum?.bytes, String(records.reduce((total, { bytes }) => total + bytes, 0)));
  });

  it('names each counter that differs from the sum of the ledger', async () => {
    await world.feed([record({ bytes: 5 }), record({ bytes: 6, at: '2026-01-12T12:00:00Z' })]);
    for (const set of [sql`day_bytes[15] = 4`, sql`day_bytes[20] = 9`])
      await db.exec(sql`update usage_device_month set ${set}`);
    await db.exec(sql`delete from usage_account_day where day = '2026-01-12'`);
    const { differences } = await world.differences();
    const [{ deviceId }] = (await world.operator('GET', `/accounts/${ACCOUNT}/devices`))
      .json()
      .map((device: { record: { id: string } }) => ({ deviceId: device.record.id }));
    assert.deepEqual(differences, [
      { deviceId: null, planCode: 'P-5MB', day: '2026-01-12', countedBytes: '0', ledgerBytes: '6' },
      { deviceId, planCode: 'P-5MB', day: '2026-01-15', countedBytes: '4', ledgerBytes: '5' },
      { deviceId, planCode: 'P-5MB', day: '2026-01-20', countedBytes: '9', ledgerBytes: '0' },
    ]);
  });

  it('names what would be wrong in a bill: bytes, charged bytes or amounts', async () => {
    const charged = { apn: 'a', ratingGroup: '100', countryCode: 'USA', chargeAmount: 0.1 };
    await world.feed([record({ bytes: 5, ...charged }), record({ bytes: 6, ...charged, chargeAmount: 0.2 })]);
    await world.feed([record({ bytes: 7 })]);
    assert.deepEqual((await world.differences()).differences, []);
    await db.exec(sql`update usage_bill_day set charge_amount = 0.31 where apn = 'a'`);
    await db.exec(sql`delete from usage_bill_day where apn = ''`);
    const counter = { deviceId: null, planCode: 'P-5MB', day: '2026-01-15' };
    assert.deepEqual((await world.differences()).differences, [
      {
        ...counter,
        countedBytes: '0',
        ledgerBytes: '7',
        bill: {
          apn: '',
          ratingGroup: '',
          countryCode: '',
          delayed: false,
          countedChargedBytes: '0',
          ledgerChargedBytes: '0',
          countedAmount: '0',
          ledgerAmount: '0',
        },
      },
      {
        ...counter,
        countedBytes: '11',
        ledgerBytes: '11',
        bill: {
          apn: 'a',
          ratingGroup: '100',
          countryCode: 'USA',
          delayed: false,
          countedChargedBytes: '11',
          ledgerChargedBytes: '11',
          countedAmount: '0.31',
          ledgerAmount: '0.3',
        },
      },
    ]);
  });

  it('names counters of services that differ from their uses: days, months and lines of statements', async () => {
    await world.feed([record({ id: 'u1', serviceName: 'fota' }), record({ id: 'u2', serviceName: 'fota' })]);
    const { checked, differences } = await world.differences();
    assert.deepEqual([checked, differences], [5, []]);
    for (const table of ['service_day', 'service_billed_day', 'service_month', 'service_month_line'])
      await db.exec({ text: `update ${table} set transactions = 3`, values: [] });
    await db.exec(sql`update service_month set own_transactions = 3`);
    assert.deepEqual(
      (await world.differences()).differences.map(({ day, service }) => [day, service]),
      (
        [
          ['billedDay', '2026-01-15', ACCOUNT],
          ['day', '2026-01-15', ''],
          ['line', '2026-01-01', ACCOUNT],
          ['month', '2026-01-01', ''],
          ['own', '2026-01-01', ''],
        ] as const
      ).map(([counter, day, usedBy]) => [
        day,
        { serviceName: 'fota', counter, usedBy, counted: '3', recorded: '2' },
      ]),
    );
  });

  it('finds a missing counter, and checks more devices than fit on a page', async () => {
    const imeis = Array.from({ length: 250 }, (_, n) => `9911000000${String(n).padStart(5, '0')}`);
    await world.import({ devices: imeis.map((imei) => ({ accountName: MANAGED, imei })) });
    await world.feed(imeis.map((device) => record({ device })));
    assert.deepEqual(await world.differences(MANAGED), { checked: 252, differences: [] });
    await db.exec(sql`
      delete from usage_device_month where device_id in (
        select device_id from usage_device_month order by device_id desc limit 2)`);
    assert.equal((await world.differences(MANAGED)).differences.length, 2);
  });

  it('returns nothing for an account without usage', async () =>
    assert.deepEqual(await world.differences(), { checked: 0, differences: [] }));
});

describe('refusals', () => {
  it('400 for a page of another list, 404 for an unknown account', async () => {
    const page = Buffer.from('0000123456-00001').toString('base64url');
    const [wrong, unknown] = await Promise.all([
      world.operator('GET', `/usage/differences?accountName=${ACCOUNT}&page=${page}`),
      world.operator('GET', '/usage/differences?accountName=1-1'),
    ]);
    assert.deepEqual([wrong.statusCode, unknown.statusCode], [400, 404]);
  });
});

describe('retention', () => {
  // proves usage/old-records
  it('deletes old records and keeps their sums; those days are no longer accepted or compared', async () => {
    const old = record({ id: 'old', at: '2025-01-05T12:00:00Z', bytes: 3 });
    const recent = record({ id: 'recent', bytes: 4 });
    await world.feed([old, recent]);
    world.clock.holdAt(new Date(NOON.getTime() + 30 * DAY_MS));
    await purgeUsage({ keptDays: 400, byMonth: false }).run(world.ctx, {}, {
      signal: new AbortController().signal,
    } as never);
    assert.deepEqual(await db.many(sql`select record_id from usage_record`), [{ record_id: 'recent' }]);
    assert.deepEqual(
      (await world.deviceDays()).map(({ bytes }) => bytes),
      [3n, 4n],
    );
    assert.deepEqual(await world.differences(), { checked: 3, differences: [] });
    // As if records were now kept for longer: deleted ones must not be counted twice.
    world.clock.holdAt(new Date(NOON.getTime() - 5 * DAY_MS));
    const again = await world.feed([old]);
    assert.deepEqual([again.accepted, again.rejectedTotal], [0, 1]);
    world.clock.holdAt(NOON);
  });

  it('deletes exactly the order of batches and the changes of lines that no record needs any more', async () => {
    const kept = () =>
      db.one(
        sql`select (select count(*)::int from usage_batch) as batches, (select count(*)::int from line_change) as lines`,
      );
    const purge = () =>
      purgeUsage({ keptDays: 400, byMonth: false }).run(world.ctx, {}, {
        signal: new AbortController().signal,
      } as never);
    await world.feed([record({ id: 'ordered' })]);
    const before = await kept();
    world.clock.holdAt(new Date(NOON.getTime() + 400 * DAY_MS));
    await purge();
    assert.deepEqual(await kept(), before);
    world.clock.holdAt(new Date(NOON.getTime() + 404 * DAY_MS));
    await world.feed([record({ id: 'later', at: world.clock.now().toISOString() })]);
    await purge();
    assert.deepEqual(await kept(), { batches: 1, lines: 0 });
    world.clock.holdAt(NOON);
  });
});
