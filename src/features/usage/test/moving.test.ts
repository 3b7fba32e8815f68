import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { untilWaiting } from '../../../../test/support/lock-waits.ts';
import { nobodyEvaluates } from '../../../../test/support/nobody-evaluates.ts';
import { inTx, type Tenant } from '../../../platform/context/context.ts';
import { sql } from '../../../platform/db/sql.ts';
import { setPlans } from '../../devices/index.ts';
import { purgeUsage } from '../jobs.ts';
import type { LedgerAccount, LedgerRecord } from '../ledger.ts';
import { countMovable, moveUsage, prepareMove } from '../moving/move-usage.ts';
import type { UsageEvaluator } from '../usage-evaluator.ts';
import { writeRecords } from '../write-records.ts';
import { ACCOUNT, ECPD, IMEI, makeFeedWorld, NOON, record } from './feed.ts';

const world = await makeFeedWorld();
const { db } = world.ctx;
const PLANS = ['P-A', 'P-B', 'P-C', 'P-D'];
await world.import({ plans: PLANS.map((code) => ({ code })) });
const TENANT = { ecpdId: ECPD, accountName: ACCOUNT } as Tenant;
const { deviceId } = await db.one<{ deviceId: string }>(
  sql`select device_id as "deviceId" from device where imei = ${IMEI}`,
);
/** The bill cycle began on the 10th, where the account is. */
const since = new Date('2026-01-10T06:00:00Z');

/** As a backdated change does: no usage of the account is counted between the change and the move. */
const move = (planCode: string, watcher: Partial<UsageEvaluator> = {}) =>
  inTx(world.ctx, async (tx) => {
    await prepareMove(tx, TENANT.ecpdId, [TENANT.accountName]);
    await setPlans(tx, TENANT, [{ deviceId, planCode, since }], { cause: 'change', changedBy: 'trigger 7' });
    const moved = { requestId: 'r', planCode, lines: [{ deviceId, since }] };
    await moveUsage(tx, TENANT, moved, { ...nobodyEvaluates, ...watcher });
  });

const accounts = new Map<string, LedgerAccount>([
  [
    ACCOUNT,
    {
      ecpdId: ECPD,
      accountName: ACCOUNT,
      timeZone: 'America/Chicago',
      billCycleDay: 10,
      startsOn: null,
      boundaries: null,
      lastMove: 0n,
    },
  ],
]);
/** A record as a feed looked it up. */
const lookedUp = (id: string, at: string, planCode: string): LedgerRecord => ({
  line: 1,
  id,
  accountName: ACCOUNT,
  deviceId,
  atMs: Date.parse(at),
  day: at.slice(0, 10),
  bytes: 1_000,
  apn: undefined,
  ratingGroup: undefined,
  countryCode: undefined,
  chargeAmount: undefined,
  serviceName: undefined,
  planCode,
  delayed: false,
});
const planOf = async (id: string) =>
  (await db.one<{ plan: string }>(sql`select plan_code as plan from usage_record where record_id = ${id}`))
    .plan;

describe('usage that is moved to another plan', () => {
  it('covers all usage since a time, on any plan; counters, bills and records change together', async () => {
    await world.feed([
      record({ id: 'before', at: '2026-01-10T05:59:59Z', bytes: 1 }),
      record({ id: 'first', at: '2026-01-10T06:00:00Z', bytes: 2, apn: 'a', chargeAmount: 3 }),
      record({ id: 'service', at: '2026-01-11T06:00:00Z', serviceName: 'fota' }),
      record({ id: 'last', at: '2026-01-15T12:00:00Z', bytes: 4 }),
    ]);
    await move('P-A');
    assert.deepEqual(await world.deviceDays(), [
      { day: '2026-01-09', plan: 'P-5MB', bytes: 1n },
      { day: '2026-01-10', plan: 'P-A', bytes: 2n },
      { day: '2026-01-15', plan: 'P-A', bytes: 4n },
    ]);
    const days = (await world.accountDays()).filter(({ bytes }) => bytes !== 0n);
    assert.deepEqual(
      days.map(({ day, plan }) => `${day} ${plan}`),
      ['2026-01-09 P-5MB', '2026-01-10 P-A', '2026-01-15 P-A'],
    );
    assert.deepEqual((await world.differences()).differences, []);
  });

  it('waits for running batches, and moves their records too', async () => {
    let moving: Promise<void> | undefined;
    await writeRecords(
      world.ctx,
      {
        ecpdId: ECPD,
        records: [lookedUp('under way', '2026-01-12T12:00:00Z', 'P-A')],
        accounts: await now(),
      },
      {
        ...nobodyEvaluates,
        cyclesOf: async () => ['Monthly'],
        evaluate: async () => {
          moving = move('P-B');
          await untilWaiting(db, { unless: moving });
        },
      },
    );
    await moving;
    assert.equal(await planOf('under way'), 'P-B');
    assert.deepEqual((await world.differences()).differences, []);
  });

  it('blocks batches that have looked up their plans, which then count for the new one', async () => {
    const seen = await now();
    let writing: Promise<unknown> | undefined;
    await move('P-C', {
      cyclesOf: async () => ['Monthly'],
      evaluateMove: async () => {
        const records = [
          lookedUp('looked up', '2026-01-13T12:00:00Z', 'P-B'),
          lookedUp('of before', '2026-01-09T12:00:00Z', 'P-5MB'),
        ];
        writing = writeRecords(world.ctx, { ecpdId: ECPD, records, accounts: seen }, nobodyEvaluates);
        await untilWaiting(db, { unless: writing });
      },
    });
    await writing;
    assert.deepEqual([await planOf('looked up'), await planOf('of before')], ['P-C', 'P-5MB']);
    assert.deepEqual((await world.differences()).differences, []);
  });

  // proves price-plan-triggers/backdate
  it('ends up on one plan with any overlap of feeds and moves', async () => {
    const fed = (round: number, nth: number) =>
      Array.from({ length: 20 }, (_, n) =>
        record({ id: `race-${round}-${nth}-${n}`, at: `2026-01-${10 + (n % 5)}T12:00:00Z`, bytes: 1 + n }),
      );
    for (let round = 0; round < 12; round++) {
      const planCode = PLANS[round % PLANS.length]!;
      await Promise.all([
        ...[0, 1, 2].map((nth) => world.feed(fed(round, nth))),
        move(planCode),
        ...[3, 4].map((nth) => world.feed(fed(round, nth))),
      ]);
      const plans = await db.many<{ plan: string }>(sql`
        select distinct plan_code as plan from usage_record
        where device_id = ${deviceId} and service_name is null and at >= ${since}`);
      assert.deepEqual(plans, [{ plan: planCode }]);
      assert.deepEqual((await world.differences()).differences, []);
    }
  });

  it('is limited in each transaction to what feeds can wait for, but is at least one line', async () => {
    const lines = Array.from({ length: 101 }, (_, n) => ({
      deviceId: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
      since,
    }));
    const count = () => countMovable(world.ctx, TENANT, { planCode: 'P-A', lines });
    assert.equal(await count(), 100);
    const fill = (n: number, records: number) =>
      db.exec(sql`
        insert into usage_record (ecpd_id, record_id, account_name, device_id, at, day, bytes, delayed, taken_at,
          batch_no, nth)
        select ${ECPD}, ${`many ${n} `} || k, ${ACCOUNT}, ${lines[n]!.deviceId}::uuid, ${since}, '2026-01-10', 1, false, ${since}, k, 0
        from generate_series(1, ${records}::int) as k`);
    await fill(3, 30_000);
    await fill(7, 20_001);
    assert.equal(await count(), 7);
    await fill(0, 50_001);
    assert.equal(await count(), 1);
    await db.exec(sql`delete from usage_record where record_id like 'many %'`);
  });

  it('leaves nothing behind when its records or their account are deleted', async () => {
    const left = async () =>
      (
        await db.one<{ n: number }>(sql`
          select (select count(*) from usage_move)::int + (select count(*) from usage_moved_record)::int as n`)
      ).n;
    assert.ok((await left()) > 0);
    const { clock } = world;
    clock.holdAt(new Date(NOON.getTime() + 405 * 86_400_000));
    await purgeUsage({ keptDays: 400, byMonth: false }).run(world.ctx, {}, {
      signal: new AbortController().signal,
    } as never);
    assert.equal(await left(), 0);
    clock.holdAt(NOON);
    await db.exec(sql`delete from usage_ledger_start`);
    await world.feed([record({ id: 'once more' })]);
    await move('P-D');
    assert.ok((await left()) > 0);
    assert.equal((await world.operator('DELETE', `/accounts/${ACCOUNT}`)).statusCode, 200);
    assert.equal(await left(), 0);
  });
});

/** The account as a feed would now find it. */
async function now(): Promise<ReadonlyMap<string, LedgerAccount>> {
  const { last } = await db.one<{ last: bigint }>(
    sql`select coalesce(max(batch_no), 0) as last from usage_move where account_name = ${ACCOUNT}`,
  );
  return new Map([[ACCOUNT, { ...accounts.get(ACCOUNT)!, lastMove: last }]]);
}
