import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { sql } from '../../../platform/db/sql.ts';
import { ACCOUNT, BARE_IMEI, IMEI, MANAGED, makeFeedWorld, ndjson, record, STRANGERS_IMEI } from './feed.ts';

const world = await makeFeedWorld();
const { db } = world.ctx;
const usage = (body: string, headers: Record<string, string> = {}) =>
  world.operator('POST', '/usage', body, headers);

beforeEach(async () => {
  await db.exec(
    sql`truncate usage_record, usage_device_month, usage_account_day, usage_bill_day, usage_ledger_start,
      service_transaction`,
  );
});

describe('200', () => {
  // proves usage/day-and-cycle
  it('counts each record for its device and account on the local day on which it occurred', async () => {
    const fed = await world.feed([
      record({ at: '2026-01-15T05:59:59.999Z', bytes: 1 }),
      record({ at: '2026-01-15T06:00:00Z', bytes: 10 }),
      record({ at: '2026-01-15T00:30:00-06:00', bytes: 100 }),
      record({ at: '2025-12-31T12:00:00Z', bytes: 1_000 }),
    ]);
    assert.deepEqual(fed, { accepted: 4, duplicates: 0, rejected: [], rejectedTotal: 0 });
    const days = [
      { day: '2025-12-31', plan: 'P-5MB', bytes: 1_000n },
      { day: '2026-01-14', plan: 'P-5MB', bytes: 1n },
      { day: '2026-01-15', plan: 'P-5MB', bytes: 110n },
    ];
    assert.deepEqual(await world.deviceDays(), days);
    assert.deepEqual(
      await world.accountDays(),
      days.map((day) => ({ account: ACCOUNT, ...day })),
    );
  });

  // proves usage/repeated-records
  it('changes nothing when a file is fed again, and counts an id once within one file', async () => {
    const records = [record(), record(), record({ device: BARE_IMEI })];
    await world.feed(records);
    const before = [await world.deviceDays(), await world.accountDays()];
    const again = await world.feed([
      ...records,
      records[0],
      record({ bytes: 0 }),
      { ...records[1], bytes: 5 },
    ]);
    assert.deepEqual([again.accepted, again.duplicates], [1, 5]);
    assert.deepEqual(
      [await world.deviceDays(), (await world.accountDays()).filter((d) => d.bytes !== 0n)],
      before,
    );
  });

  // proves usage/repeated-records
  it('accepts the same id from two profiles: ids are unique in a profile', async () => {
    const one = record();
    const fed = await world.feed([one, { ...one, device: STRANGERS_IMEI }]);
    assert.deepEqual([fed.accepted, fed.duplicates], [2, 0]);
  });

  it('rejects bad lines with a reason, and takes the rest', async () => {
    const body = [
      JSON.stringify(record()),
      JSON.stringify(record({ device: '990000000009999' })),
      JSON.stringify(record({ at: '2026-01-15T12:05:00.001Z' })),
      JSON.stringify(record({ bytes: -1 })),
      '',
      '{"id": ',
      JSON.stringify(record({ bytes: 1.5 })),
      JSON.stringify(record({ kind: 'plate' })),
      JSON.stringify(record({ device: '12' })),
      JSON.stringify(record({ at: 'yesterday' })),
      JSON.stringify(record({ id: undefined })),
      '[1]',
      JSON.stringify(record({ id: 'a\u0000b' })),
      JSON.stringify(record({ at: '2024-01-01T00:00:00Z' })),
      JSON.stringify(record({ filler: 'x'.repeat(70_000) })),
      JSON.stringify(record({ serviceName: 'Location' })),
      JSON.stringify(record({ at: '2026-01-15T08:00:00' })),
      JSON.stringify(record({ at: '2026-02-30T08:00:00Z' })),
      JSON.stringify(record({ bytes: 1_125_899_906_842_624, device: BARE_IMEI })),
    ].join('\n');
    const answer = (await usage(body)).json();
    assert.deepEqual(
      answer.rejected.map(({ line, reason }: { line: number; reason: string }) => [line, reason]),
      [
        [2, 'device is not known'],
        [3, 'at lies more than 300 seconds in the future'],
        [4, 'bytes must be >= 0'],
        [6, 'is not valid JSON'],
        [7, 'bytes must be integer'],
        [8, 'kind is not a kind of identifier'],
        [9, 'device is not a valid imei: 14 to 16 digits'],
        [10, 'at is not a date-time'],
        [11, 'id is missing'],
        [12, 'must be object'],
        [13, 'text with U+0000 or half a surrogate pair cannot be stored'],
        [14, 'at is before the ledger begins: records are kept for 400 days'],
        [15, 'is longer than 65536 characters'],
        [16, 'serviceName must be equal to one of the allowed values'],
        [17, 'at is not a date-time'],
        [18, 'at is not a date-time'],
      ],
    );
    assert.deepEqual([answer.accepted, answer.rejectedTotal], [2, 16]);
    assert.deepEqual(
      (await world.deviceDays()).map((day) => day.bytes),
      [1_125_899_906_842_624n, 1_000n],
    );
  });

  // proves usage/blank-fields
  it('treats null and empty text as absent', async () => {
    const { accepted } = await world.feed([
      record({ id: 'without', apn: null, ratingGroup: null, countryCode: null }),
      record({ id: 'without-text', apn: '', ratingGroup: '', countryCode: '' }),
      record({ id: 'with', apn: 'iot.apn' }),
    ]);
    assert.equal(accepted, 3);
    const kept = await world.ctx.db.many(sql`
      select apn, rating_group as "ratingGroup", country_code as "countryCode" from usage_record
      where record_id in ('without', 'without-text', 'with') order by record_id desc`);
    const absent = { ratingGroup: null, countryCode: null };
    assert.deepEqual(kept, [
      { apn: null, ...absent },
      { apn: null, ...absent },
      { apn: 'iot.apn', ...absent },
    ]);
  });

  // proves usage/rejected-lines
  it('lists the first thousand rejected records and counts all', async () => {
    const fed = await world.feed(Array.from({ length: 1_200 }, () => record({ bytes: -1 })));
    assert.deepEqual(
      [fed.rejected.length, fed.rejected.at(-1)?.line, fed.rejectedTotal],
      [1_000, 1_000, 1_200],
    );
  });

  it('accepts NDJSON, a JSON array and CloudEvents, each also as gzip', async () => {
    const events = [record(), record()].map((data) => ({
      specversion: '1.0',
      type: 'usage',
      source: '/network',
      id: data.id,
      time: data.at,
      data: { ...data, id: undefined, at: undefined },
    }));
    const bodies = [
      ndjson([record(), record()]),
      JSON.stringify([record(), record()], null, 2),
      JSON.stringify(events),
    ];
    for (const body of bodies) assert.deepEqual((await usage(body)).json().accepted, 2);
    for (const [n, body] of bodies.entries()) {
      const answer = await world.api.inject({
        method: 'POST',
        url: '/api/operator/v1/usage',
        headers: {
          authorization: 'Bearer operator-key-for-tests',
          'content-type': 'application/x-ndjson',
          ...(n === 1 && { 'content-encoding': 'gzip' }),
        },
        payload: gzipSync(body),
      });
      assert.deepEqual([answer.statusCode, answer.json().duplicates], [200, 2]);
    }
  });

  it('finds devices by any identifier, in any spelling', async () => {
    const fed = await world.feed([
      record({ kind: 'MDN', device: '5550100001' }),
      record({ kind: 'mac', device: '00-11-22-33-44-55' }),
    ]);
    assert.equal(fed.accepted, 2);
  });

  // proves billing/amounts usage/charges
  it('stores amounts exactly as they were written', async () => {
    const line = JSON.stringify(record()).replace('}', ', "chargeAmount": 0.123456789012}');
    const long = JSON.stringify(record()).replace('}', ', "chargeAmount": 123456789012.000000000001}');
    const tooLong = JSON.stringify(record()).replace('}', ', "chargeAmount": 0.1234567890123}');
    const small = JSON.stringify(record({ chargeAmount: 0.0000005 }));
    const answer = (await usage([line, long, tooLong, small].join('\n'))).json();
    assert.deepEqual(answer.rejected, [{ line: 3, reason: 'chargeAmount has more digits than can be kept' }]);
    const rows = await db.many<{ amount: string }>(
      sql`select charge_amount as amount from usage_record order by charge_amount`,
    );
    assert.deepEqual(
      rows.map((row) => row.amount),
      ['0.0000005', '0.123456789012', '123456789012.000000000001'],
    );
  });

  // proves usage/fota-records
  it('counts a fota record once against its allowance and not as data', async () => {
    const one = record({ serviceName: 'FOTA', bytes: 7 });
    await world.feed([one, one]);
    await world.feed([one]);
    assert.deepEqual([await world.deviceDays(), await world.accountDays()], [[], []]);
    const counted = await db.many(sql`select service_name, request_ref from service_transaction`);
    assert.deepEqual(counted, [{ service_name: 'fota', request_ref: one.id }]);
    // Its day and month, as own use and as billed use, and the line of its statement.
    assert.deepEqual(await world.differences(), { checked: 5, differences: [] });
  });

  // proves plans/usage-and-plan-changes usage/before-the-plan
  it('counts for the plan that the device had, and for none if that is not known', async () => {
    await world.feed([record({ at: '2025-12-19T00:00:00Z', bytes: 1 }), record({ bytes: 2 })]);
    assert.deepEqual(await world.deviceDays(), [
      { day: '2025-12-18', plan: '', bytes: 1n },
      { day: '2026-01-15', plan: 'P-5MB', bytes: 2n },
    ]);
  });

  // proves price-plan-triggers/late-usage usage/delayed-usage
  it('marks usage of a closed billing month as delayed, and counts it in that month', async () => {
    // The cycle of ACCOUNT runs from the 10th to the 10th.
    await world.feed([
      record({ id: 'closed', at: '2026-01-10T05:59:59Z' }),
      record({ id: 'open', at: '2026-01-10T06:00:00Z' }),
    ]);
    const rows = await db.many(
      sql`select record_id as id, delayed, day from usage_record order by record_id`,
    );
    assert.deepEqual(rows, [
      { id: 'closed', delayed: true, day: '2026-01-09' },
      { id: 'open', delayed: false, day: '2026-01-10' },
    ]);
  });

  it('takes an empty body as no records', async () => {
    for (const body of ['', '\n\n', '[]', ' [ ] ']) assert.equal((await usage(body)).json().accepted, 0);
  });

  it('takes more records than one batch holds', async () => {
    const records = Array.from({ length: 12_001 }, (_, n) =>
      record({ bytes: n, device: n % 2 ? IMEI : BARE_IMEI }),
    );
    assert.equal((await world.feed(records)).accepted, 12_001);
    const total = (await world.accountDays()).reduce((sum, { bytes }) => sum + bytes, 0n);
    assert.equal(total, (12_000n * 12_001n) / 2n);
    assert.deepEqual((await world.differences(MANAGED)).differences, []);
  });
});

describe('422', () => {
  // proves usage/broken-feeds
  it('keeps the records before the point where the body becomes unreadable, and says so', async () => {
    const cut = JSON.stringify([record(), record()]).slice(0, -1);
    const answer = await usage(cut);
    assert.equal(answer.statusCode, 422);
    assert.equal(answer.json().code, 'feed_broken');
    assert.match(answer.json().detail, /the body ends before its array does/);
    assert.equal(answer.json().accepted, 1);
    const packed = gzipSync(ndjson([record(), record()])).subarray(0, -12);
    const broken = await world.api.inject({
      method: 'POST',
      url: '/api/operator/v1/usage',
      headers: { authorization: 'Bearer operator-key-for-tests' },
      payload: packed,
    });
    assert.deepEqual([broken.statusCode, broken.json().detail], [422, 'the body is not valid gzip']);
  });
});

describe('metrics', () => {
  it('count records by outcome and time batches', async () => {
    await world.feed([record(), record({ bytes: -1 })]);
    const { body } = await world.api.inject('/metrics');
    for (const outcome of ['accepted', 'duplicate', 'rejected'])
      assert.match(body, new RegExp(`^linekeeper_usage_records_total\\{outcome="${outcome}"\\} \\d+$`, 'm'));
    assert.match(body, /^linekeeper_usage_batch_seconds_count \d+$/m);
  });
});
