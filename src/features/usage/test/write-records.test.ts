import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nobodyEvaluates } from '../../../../test/support/nobody-evaluates.ts';
import type { LedgerRecord } from '../ledger.ts';
import { writeRecords } from '../write-records.ts';
import { ACCOUNT, ECPD, makeFeedWorld } from './feed.ts';

const world = await makeFeedWorld();

const ledgerRecord = (id: string, accountName: string): LedgerRecord => ({
  line: 1,
  id,
  accountName,
  deviceId: '00000000-0000-4000-8000-000000000001',
  atMs: Date.parse('2026-01-15T10:00:00Z'),
  day: '2026-01-15',
  bytes: 5,
  apn: undefined,
  ratingGroup: undefined,
  countryCode: undefined,
  chargeAmount: undefined,
  serviceName: undefined,
  planCode: undefined,
  delayed: false,
});

const write = (records: readonly LedgerRecord[]) =>
  writeRecords(world.ctx, { ecpdId: ECPD, records, accounts: new Map() }, nobodyEvaluates);

describe('the part of a batch that belongs to a profile', () => {
  it('leaves out what belongs to an account that was deleted since it was looked up', async () => {
    const [ours, lost] = [ledgerRecord('kept', ACCOUNT), ledgerRecord('lost', '0000123456-00077')];
    assert.deepEqual(await write([lost]), { accepted: 0, duplicates: 0, orphans: [lost] });
    assert.deepEqual(await write([ours, lost]), { accepted: 1, duplicates: 0, orphans: [lost] });
    assert.deepEqual(
      (await world.accountDays()).map(({ account }) => account),
      [ACCOUNT],
    );
  });

  it('waits for another with the same records or devices in the opposite order, and never in a circle', async () => {
    const some = (round: string, prefix: string) =>
      Array.from({ length: 1_000 }, (_, n) => ({
        ...ledgerRecord(`${prefix}${round}-${n}`, ACCOUNT),
        deviceId: `00000000-0000-4000-8000-${String((n * 7_919) % 1_000).padStart(12, '0')}`,
      }));
    for (let round = 0; round < 10; round++) {
      const same = some(String(round), 'same');
      const [one, other] = await Promise.all([write(same), write([...same].reverse())]);
      assert.deepEqual([one.accepted + other.accepted, one.duplicates + other.duplicates], [1_000, 1_000]);
      const [first, second] = [some(String(round), 'a'), some(String(round), 'b').reverse()];
      await Promise.all([write(first), write(second)]);
    }
    assert.equal((await world.deviceDays()).length, 1_000);
    assert.deepEqual((await world.differences()).differences, []);
  });
});
