import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nobodyEvaluates } from '../../../../test/support/nobody-evaluates.ts';
import type { Cycle } from '../../../kernel/bill-cycle.ts';
import type { Db } from '../../../platform/db/db.ts';
import { sql, trusted } from '../../../platform/db/sql.ts';
import type { LedgerRecord } from '../ledger.ts';
import { waitForUnwatched } from '../sql-feed.ts';
import { writeRecords } from '../write-records.ts';
import { writeWithin } from '../write-within.ts';
import { ACCOUNT, ECPD, MANAGED, makeFeedWorld } from './feed.ts';

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

/** How many of the two locks are held that a start of evaluation would wait for. */
const countHeld = () =>
  world.ctx.db.tx(async (tx) => {
    await tx.exec(sql`set local lock_timeout = '50ms'`);
    const free = await tx.many(sql`
      select from account where ecpd_id = ${ECPD} and account_name = ${ACCOUNT} for no key update skip locked`);
    const waits = await waitForUnwatched(tx, ECPD).then(
      () => 0,
      () => 1,
    );
    return 1 - free.length + waits;
  });

const bytesOfAccount = async () => (await world.accountDays()).reduce((sum, { bytes }) => sum + bytes, 0n);

const write = (records: readonly LedgerRecord[]) =>
  writeRecords(world.ctx, { ecpdId: ECPD, records, accounts: new Map() }, nobodyEvaluates);

describe('the part of a batch that belongs to a profile', () => {
  it('leaves out records of an account that was deleted after it was looked up', async () => {
    const [ours, lost] = [ledgerRecord('kept', ACCOUNT), ledgerRecord('lost', '0000123456-00077')];
    assert.deepEqual(await write([lost]), { accepted: 0, duplicates: 0, orphans: [lost] });
    assert.deepEqual(await write([ours, lost]), { accepted: 1, duplicates: 0, orphans: [lost] });
    assert.deepEqual(
      (await world.accountDays()).map(({ account }) => account),
      [ACCOUNT],
    );
  });

  it('takes the new records if one of the others was taken before, at any position', async () => {
    const before = await bytesOfAccount();
    const many = Array.from({ length: 200 }, (_, n) => ledgerRecord(`once-${n}`, ACCOUNT));
    for (const [taken, place] of [1, 101, 198].entries()) {
      const some = many.map((record) => ({ ...record, id: `${record.id}-${place}` }));
      assert.equal((await write([some[place]!])).accepted, 1);
      assert.deepEqual(await write(some), { accepted: 199, duplicates: 1, orphans: [] });
      assert.deepEqual(await write(some), { accepted: 0, duplicates: 200, orphans: [] });
      assert.equal(await bytesOfAccount(), before + 1_000n * BigInt(taken + 1));
    }
    assert.deepEqual((await world.differences()).differences, []);
  });

  it('asks a transaction around it for all that it asks for one of its own', async () => {
    const asked: unknown[] = [];
    await world.ctx.db.tx((db) => {
      const tx: Db['tx'] = (work, options) => {
        asked.push(options);
        return db.tx(work, options);
      };
      const part = { ecpdId: ECPD, records: [ledgerRecord('within', ACCOUNT)], accounts: new Map() };
      return writeWithin({ ...world.ctx, db: { ...db, tx } }, part, nobodyEvaluates);
    });
    assert.deepEqual(asked, [{ ecpdId: ECPD }]);
  });

  it('waits for another with the same records or devices in the opposite order, without a deadlock', async () => {
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

  it('starts over when an evaluation begins at the same time, so that its usage is compared', async () => {
    const accounts = new Map([
      [
        ACCOUNT,
        {
          ecpdId: ECPD,
          accountName: ACCOUNT,
          timeZone: 'UTC',
          billCycleDay: 1,
          startsOn: null,
          boundaries: null,
          lastMove: 0n,
        },
      ],
    ]);
    for (const [before, since] of [
      [[], ['Daily']],
      [['Daily'], ['Daily', 'Monthly']],
    ] as const) {
      const answers: (readonly Cycle[])[] = [before, since];
      const compared: string[] = [];
      let held = 0;
      const written = await writeRecords(
        world.ctx,
        { ecpdId: ECPD, records: [ledgerRecord(`watched since ${since.length}`, ACCOUNT)], accounts },
        {
          ...nobodyEvaluates,
          async cyclesOf() {
            if (answers.length === 1) held += await countHeld();
            return answers.shift() ?? since;
          },
          async evaluate(_ctx, _ecpdId, counted) {
            compared.push(...counted.changesOfLines(() => () => true).map(({ span }) => span.cycle));
          },
        },
      );
      assert.deepEqual([written.accepted, compared, held], [1, since, 1]);
    }
  });

  it('is placed after the batches that it was compared with, whichever began first', async () => {
    const place = {
      ecpdId: ECPD,
      timeZone: 'UTC',
      billCycleDay: 1,
      startsOn: null,
      boundaries: null,
      lastMove: 0n,
    };
    const accounts = new Map(
      [ACCOUNT, MANAGED].map((accountName) => [accountName, { ...place, accountName }]),
    );
    const watched = (id: string, accountName: string, evaluate: () => Promise<void>) =>
      writeRecords(
        world.ctx,
        { ecpdId: ECPD, records: [ledgerRecord(id, accountName)], accounts },
        { ...nobodyEvaluates, cyclesOf: async () => ['Daily'], evaluate },
      );
    // As if both added to one pool: the first waits for the usage of the second.
    await watched('begun first', ACCOUNT, async () => {
      await watched('counted first', MANAGED, async () => {});
    });
    const order = async (column: string) =>
      (
        await world.ctx.db.many<{ id: string }>(sql`
          select r.record_id as id from usage_record r join usage_batch b using (ecpd_id, batch_no)
          where r.record_id like '% first' order by ${trusted(column)}`)
      ).map(({ id }) => id);
    assert.deepEqual(await order('b.batch_no'), ['begun first', 'counted first']);
    assert.deepEqual(await order('b.place'), ['counted first', 'begun first']);
  });

  it('adds usage to each day and month of a line, and exact charges', async () => {
    const days = ['2025-12-31', '2026-01-01', '2026-01-15', '2025-12-31', '2026-01-15'];
    const charges = ['0.1', '0.000000000001', undefined, '9999999999999.999999999999', '3'];
    const lines = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'];
    const records = lines.flatMap((deviceId) =>
      days.map((day, n) => ({
        ...ledgerRecord(`spread-${deviceId}-${n}`, ACCOUNT),
        ...{ deviceId, day, atMs: Date.parse(`${day}T18:00:00Z`), bytes: 10 ** n, chargeAmount: charges[n] },
        planCode: n === 1 ? 'other' : undefined,
      })),
    );
    assert.equal((await write(records)).accepted, 10);
    assert.deepEqual((await world.differences()).differences, []);
    const counted = await world.ctx.db.many(sql`
      select month, plan_code as plan, array(select b from unnest(day_bytes) b where b > 0)::int[] as bytes
      from usage_device_month where device_id = ${lines[1]} order by month, plan_code`);
    assert.deepEqual(counted, [
      { month: '2025-12-01', plan: '', bytes: [1_001] },
      { month: '2026-01-01', plan: '', bytes: [10_100] },
      { month: '2026-01-01', plan: 'other', bytes: [10] },
    ]);
  });
});
