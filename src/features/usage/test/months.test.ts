import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '../../../platform/db/sql.ts';
import { purgeUsage } from '../jobs.ts';
import { ACCOUNT, makeFeedWorld, NOON, record } from './feed.ts';

const DAY_MS = 86_400_000;
const world = await makeFeedWorld();

const purge = (keptDays = 400) =>
  purgeUsage({ keptDays, byMonth: true }).run(world.ctx, {}, {
    signal: new AbortController().signal,
  } as never);

/** The tables with rows, without the suffix that a cluster appends, with the ids of their records. */
const listed = async () =>
  Object.fromEntries(
    (
      await world.ctx.db.many<{ table: string; ids: string }>(sql`
        select regexp_replace(tableoid::regclass::text, '_\\d{5,}$', '') as table, string_agg(record_id, ' ' order by record_id) as ids
        from usage_record group by 1 order by 1`)
    ).map(({ table, ids }) => [table, ids]),
  );

const months = async () =>
  (
    await world.ctx.db.many<{ month: string }>(sql`
      select substr(relname, 14) as month from pg_class
      where relkind = 'r' and relname ~ '^usage_record_[0-9]' order by 1`)
  ).map(({ month }) => month);

describe('the ledger by months', () => {
  it('has a table for this month and each of the next two, and one for all other days', async () => {
    await purge();
    assert.deepEqual(await months(), ['2026_01', '2026_02', '2026_03']);
    await world.feed([
      record({ id: 'january' }),
      record({ id: 'december', at: '2025-12-31T12:00:00Z', bytes: 7 }),
    ]);
    assert.deepEqual(await listed(), { usage_record_2026_01: 'january', usage_record_rest: 'december' });
    assert.deepEqual((await world.differences()).differences, []);
  });

  it('takes an id once, even if a repeat names another month', async () => {
    world.clock.holdAt(new Date('2026-02-10T12:00:00Z'));
    const repeats = [
      record({ id: 'january', at: '2026-02-05T12:00:00Z' }),
      record({ id: 'december', at: '2026-01-05T12:00:00Z' }),
      record({ id: 'january', at: '2025-12-30T12:00:00Z' }),
    ];
    const before = await world.deviceDays();
    for (const repeat of repeats) {
      const { accepted, duplicates } = await world.feed([repeat]);
      assert.deepEqual([accepted, duplicates], [0, 1]);
    }
    assert.deepEqual(await world.deviceDays(), before);
    world.clock.holdAt(NOON);
  });

  it('creates no table for a month that already has records', async () => {
    world.clock.holdAt(new Date('2026-05-10T12:00:00Z'));
    await world.feed([record({ id: 'may', at: '2026-05-05T12:00:00Z' })]);
    await purge();
    assert.deepEqual(await months(), ['2026_01', '2026_02', '2026_03', '2026_06', '2026_07']);
    world.clock.holdAt(new Date('2026-06-10T12:00:00Z'));
    await world.feed([record({ id: 'june', at: '2026-06-05T12:00:00Z' })]);
    assert.deepEqual(await listed(), {
      usage_record_2026_01: 'january',
      usage_record_2026_06: 'june',
      usage_record_rest: 'december may',
    });
  });

  it('drops a month once its last day is too old, and not before; sums stay', async () => {
    const sums = await world.deviceDays();
    world.clock.holdAt(new Date(Date.parse('2026-01-31T12:00:00Z') + 400 * DAY_MS));
    await purge();
    assert.deepEqual(await listed(), {
      usage_record_2026_01: 'january',
      usage_record_2026_06: 'june',
      usage_record_rest: 'may',
    });
    world.clock.holdAt(new Date(Date.parse('2026-02-03T12:00:00Z') + 400 * DAY_MS));
    await purge();
    assert.deepEqual(await listed(), { usage_record_2026_06: 'june', usage_record_rest: 'may' });
    assert.ok(!(await months()).includes('2026_01'));
    assert.deepEqual(await world.deviceDays(), sums);
    assert.deepEqual((await world.differences()).differences, []);
  });

  it('frees an id when its record is too old, and not before', async () => {
    const at = world.clock.now().toISOString();
    const { accepted, duplicates } = await world.feed([
      record({ id: 'january', at }),
      record({ id: 'june', at }),
      record({ id: 'may', at }),
    ]);
    assert.deepEqual([accepted, duplicates], [1, 2]);
  });

  it('deletes ids with their account', async () => {
    assert.equal((await world.operator('DELETE', `/accounts/${ACCOUNT}`)).statusCode, 200);
    assert.deepEqual(
      await world.ctx.db.one(sql`
        select (select count(*)::int from usage_record) as records, (select count(*)::int from usage_record_id) as ids`),
      { records: 0, ids: 0 },
    );
  });
});
