import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nobodyEvaluates } from '../../../../test/support/nobody-evaluates.ts';
import { CYCLES, type Cycle } from '../../../kernel/bill-cycle.ts';
import type { Ctx } from '../../../platform/context/context.ts';
import { concurrencyLimit } from '../../../platform/flow-control/limits.ts';
import type { CountedUsage, CounterChange } from '../counted-usage.ts';
import { RepeatingFeeds } from '../sql-insert-records.ts';
import { takeUsage } from '../take-usage.ts';
import { ACCOUNT, makeFeedWorld, ndjson, record, STRANGERS_IMEI } from './feed.ts';

const world = await makeFeedWorld();

interface Seen {
  readonly subject: string;
  readonly plan: string;
  readonly cycle: Cycle;
  readonly days: string;
  readonly timeliness: string;
  readonly before: number;
  readonly after: number;
}

/** Records what a trigger would evaluate. */
function spy(cycles: readonly Cycle[], fail = false) {
  const changes: Seen[] = [];
  const records: string[] = [];
  const profiles: string[] = [];
  const seen = ({
    accountName,
    deviceId,
    planCode: plan,
    span,
    beforeBytes,
    afterBytes,
  }: CounterChange): Seen => ({
    subject: deviceId === undefined ? accountName : 'device',
    plan,
    cycle: span.cycle,
    days: `${span.from} ${span.to}`,
    timeliness: span.timeliness,
    before: beforeBytes,
    after: afterBytes,
  });
  const evaluate = async ({ db }: Ctx, ecpdId: string, counted: CountedUsage) => {
    profiles.push(ecpdId);
    const all = [
      ...counted.changesOfLines(() => () => true),
      ...(await counted.changesOfAccounts(db, () => () => true)),
    ];
    const inOrder = (a: Seen, b: Seen) => (`${a.cycle} ${a.days}` < `${b.cycle} ${b.days}` ? -1 : 1);
    changes.push(...all.map(seen).sort(inOrder));
    records.push(...counted.records.flatMap(({ id }) => id ?? []));
    if (fail) throw new Error('fails on request');
  };
  const evaluator = { ...nobodyEvaluates, cyclesOf: async () => cycles, evaluate };
  const feed = (fed: readonly unknown[]) =>
    takeUsage(
      world.ctx,
      (async function* () {
        yield Buffer.from(ndjson(fed));
      })(),
      {
        keptDays: 400,
        evaluator,
        share: { limit: concurrencyLimit(2), aheadMs: 0, countGivenUp() {} },
        repeating: new RepeatingFeeds(),
        watch: { records: () => {}, batchSeconds: () => {} },
      },
    );
  return { changes, records, profiles, feed };
}

describe('the evaluator of usage', () => {
  it('gets every counter that a batch changed, by cycle, before and after, and the new records in feed order', async () => {
    await world.feed([record({ bytes: 1, at: '2026-01-11T12:00:00Z' })]);
    const { changes, records, feed } = spy(CYCLES);
    const twice = record({ id: 'z', bytes: 10 });
    await feed([twice, record({ id: 'a', bytes: 100 }), twice]);
    const device = { subject: 'device', plan: 'P-5MB', timeliness: 'open' };
    assert.deepEqual(
      changes.filter(({ subject }) => subject === 'device'),
      [
        { ...device, cycle: 'Daily', days: '2026-01-15 2026-01-16', before: 0, after: 110 },
        { ...device, cycle: 'Monthly', days: '2026-01-10 2026-02-10', before: 1, after: 111 },
        { ...device, cycle: 'Weekly', days: '2026-01-12 2026-01-19', before: 0, after: 110 },
      ],
    );
    const months = changes.filter(({ subject, cycle }) => subject === ACCOUNT && cycle === 'Monthly');
    assert.deepEqual(
      months.map(({ plan, before, after }) => [plan, before, after]),
      [['P-5MB', 1, 111]],
    );
    assert.deepEqual(records, ['z', 'a']);
  });

  it('gets a month that spans two calendar months as one', async () => {
    await world.feed([record({ bytes: 2, at: '2025-12-25T12:00:00Z' })]);
    const { changes, feed } = spy(['Monthly']);
    await feed([record({ bytes: 3, at: '2026-01-05T12:00:00Z' })]);
    const [seen] = changes.filter(({ subject }) => subject === 'device');
    assert.deepEqual([seen?.days, seen?.before, seen?.after], ['2025-12-10 2026-01-10', 2, 5]);
  });

  // proves usage/delayed-usage
  it('is informed which usage is late for its cycle, and which is too late to act on', async () => {
    const { changes, feed } = spy(['Daily']);
    await feed([
      record({ at: '2026-01-15T06:00:00Z' }),
      record({ at: '2026-01-15T05:59:00Z' }),
      // Its day closed 72 hours and 6 hours ago.
      record({ at: '2026-01-12T05:59:00Z' }),
    ]);
    const seen = changes.filter(({ subject }) => subject === 'device');
    assert.deepEqual(
      seen.map(({ days, timeliness }) => [days.slice(0, 10), timeliness]),
      [
        ['2026-01-11', 'over'],
        ['2026-01-14', 'late'],
        ['2026-01-15', 'open'],
      ],
    );
  });

  it('is called once for each profile, and not for known records or records that are not data', async () => {
    const { profiles, feed } = spy(['Daily']);
    const old = record();
    await world.feed([old]);
    await feed([old, record({ serviceName: 'fota' })]);
    assert.deepEqual(profiles, []);
    await feed([record(), record({ device: STRANGERS_IMEI })]);
    assert.deepEqual(profiles.sort(), ['9000001', '9000009']);
  });

  it('commits with the batch: when it fails, nothing of the batch is kept', async () => {
    const { feed } = spy(['Daily'], true);
    const one = record();
    await assert.rejects(feed([one]), { cause: new Error('fails on request') });
    assert.equal((await world.feed([one])).accepted, 1);
  });
});
