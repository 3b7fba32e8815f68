import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accountDaysOf, billDaysOf, groupAlike } from '../alike-records.ts';
import type { LedgerRecord } from '../ledger.ts';

const record = (fields: Partial<LedgerRecord> = {}): LedgerRecord => ({
  line: 1,
  id: 'r',
  accountName: 'A',
  deviceId: 'd',
  atMs: 0,
  day: '2026-01-15',
  bytes: 1,
  apn: undefined,
  ratingGroup: undefined,
  countryCode: undefined,
  chargeAmount: undefined,
  serviceName: undefined,
  planCode: 'P',
  delayed: false,
  ...fields,
});

const chargeOf = (...amounts: readonly (string | undefined)[]) =>
  billDaysOf(groupAlike(amounts.map((chargeAmount) => record({ chargeAmount }))))[0]!.chargeAmount;

describe('records of a batch that a bill does not distinguish', () => {
  it('are charged their exact sum, with as many decimals as the finest amount', () => {
    assert.equal(chargeOf('0.1', '0.2', undefined, '0.1'), '0.4');
    assert.equal(chargeOf('0.10', '2'), '2.10');
    assert.equal(chargeOf('7', '5'), '12');
    assert.equal(chargeOf(undefined), '0');
    assert.equal(chargeOf('9999999999999.999999999999', '0.000000000001'), '10000000000000.000000000000');
    assert.equal(chargeOf('0.000000000001', '0.000000000001'), '0.000000000002');
  });

  it('are one group by all fields of a bill, the ledger or a counter', () => {
    const different = [
      {},
      { accountName: 'B' },
      { day: '2026-01-16' },
      { planCode: undefined },
      { delayed: true },
    ];
    const more = [
      { serviceName: 'fota' as const },
      { countryCode: 'USA' },
      { ratingGroup: 'g' },
      { apn: 'g' },
    ];
    const all = [...different, ...more].map((fields) => record(fields));
    const { groups, groupOf } = groupAlike([...all, ...all]);
    assert.deepEqual(
      groupOf,
      [...all.keys(), ...all.keys()].map((n) => n + 1),
    );
    assert.deepEqual(
      groups.map(({ records }) => records.length),
      all.map(() => 2),
    );
    assert.equal(billDaysOf(groupAlike(all)).length, all.length - 1);
  });

  it('add up exactly beyond the range of a number, for bills and accounts', () => {
    const many = Array.from({ length: 9 }, (_, n) =>
      record({ bytes: 2 ** 50 + 1, apn: `${n % 2}`, ...(n > 4 && { chargeAmount: '1' }) }),
    );
    const billDays = billDaysOf(groupAlike(many));
    assert.deepEqual(
      billDays.map(({ bytes, chargedBytes }) => [bytes, chargedBytes]),
      [
        [String(5n * (2n ** 50n + 1n)), String(2n * (2n ** 50n + 1n))],
        [String(4n * (2n ** 50n + 1n)), String(2n * (2n ** 50n + 1n))],
      ],
    );
    assert.deepEqual(accountDaysOf(billDays), [
      { accountName: 'A', day: '2026-01-15', planCode: 'P', bytes: String(9n * (2n ** 50n + 1n)) },
    ]);
  });
});
