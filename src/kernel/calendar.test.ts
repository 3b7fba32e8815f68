import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { CYCLES, type Cycle } from './bill-cycle.ts';
import {
  type Boundaries,
  billMonthStart,
  type CycleSpan,
  calendarOf,
  changeBoundaries,
  dateOf,
} from './calendar.ts';
import { followedCycles } from './followed-cycles.ts';

const HOUR_MS = 3_600_000;
const ZONES = [
  'UTC',
  'America/Chicago',
  'Asia/Tokyo',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Europe/Berlin',
];
const [START, END] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 4, 1)];
const settings = fc.record({
  timeZone: fc.constantFrom(...ZONES),
  billCycleDay: fc.constantFrom(1, 10, 15, 28, 31),
});
const changes = fc.array(fc.tuple(fc.integer({ min: 0, max: 90 * 24 * 60 }), settings), { maxLength: 5 });

const inOrder = (given: readonly (readonly [number, { timeZone: string; billCycleDay: number }])[]) =>
  given.map(([minutes, rule]) => ({ atMs: START + minutes * 60_000, rule })).sort((a, b) => a.atMs - b.atMs);

/** The account after each of the changes, as an import stores it. */
function accountAfter(first: Omit<Boundaries, 'boundaries'>, given: ReturnType<typeof inOrder>): Boundaries {
  let account: Boundaries = { ...first, boundaries: null };
  for (const { atMs, rule } of given)
    account = { ...rule, boundaries: changeBoundaries(account, rule, atMs) };
  return account;
}

const formats = new Map(
  ZONES.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' }),
  ]),
);
const known = new Map<string, Date>();
function localTime(timeZone: string, atMs: number): Date {
  const key = `${timeZone} ${atMs}`;
  const found = known.get(key) ?? new Date(`${formats.get(timeZone)!.format(atMs).replace(' ', 'T')}Z`);
  known.set(key, found);
  return found;
}

/** Whether a cycle begins in the zone at a full hour. */
function isBoundary(cycle: Cycle, { timeZone, billCycleDay }: Omit<Boundaries, 'boundaries'>, atMs: number) {
  const at = localTime(timeZone, atMs);
  if (at.getUTCHours() !== 0) return false;
  if (cycle === 'Daily') return true;
  if (cycle === 'Weekly') return at.getUTCDay() === 1;
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  return at.getUTCDate() === Math.min(billCycleDay, last);
}

/** Hour by hour: the rule changes only where a cycle begins. */
function slowCycles(cycle: Cycle, first: Omit<Boundaries, 'boundaries'>, given: ReturnType<typeof inOrder>) {
  let rule = first;
  const boundaries: number[] = [];
  for (let atMs = START - 40 * 24 * HOUR_MS; atMs < END; atMs += HOUR_MS) {
    if (!isBoundary(cycle, rule, atMs)) continue;
    boundaries.push(atMs);
    // A change at exactly this time finds the new cycle open.
    rule = given.findLast((change) => change.atMs < atMs)?.rule ?? first;
  }
  return boundaries;
}

describe('the calendar of an account', () => {
  it('lets each open cycle end as it would have, and then follows the last change', () => {
    fc.assert(
      fc.property(settings, changes, (first, some) => {
        const given = inOrder(some);
        const { cycleAt } = calendarOf(accountAfter(first, given));
        for (const cycle of CYCLES) {
          const expected = slowCycles(cycle, first, given).filter((atMs) => atMs >= START);
          const found: number[] = [];
          for (let atMs = expected[0]!; atMs < END; atMs = cycleAt(cycle, atMs).toMs) found.push(atMs);
          assert.deepEqual(
            found.map((ms) => new Date(ms).toISOString()),
            expected.map((ms) => new Date(ms).toISOString()),
            cycle,
          );
          for (const atMs of found) assert.equal(cycleAt(cycle, atMs).fromMs, atMs);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('counts every instant on one day, and every day in one cycle of each kind', () => {
    fc.assert(
      fc.property(settings, changes, fc.constantFrom(...CYCLES), (first, some, cycle) => {
        const { cycleAt, dayAt, startOf, daysOf } = calendarOf(accountAfter(first, inOrder(some)));
        const cycleOfDay = new Map<string, number>();
        for (let atMs = START; atMs < END; atMs += HOUR_MS) {
          const day = dayAt(atMs);
          const { fromMs, toMs } = cycleAt(cycle, atMs);
          assert.equal(cycleOfDay.get(day) ?? fromMs, fromMs, `${day} is in two cycles`);
          cycleOfDay.set(day, fromMs);
          assert.equal(cycleAt(cycle, startOf(day)).fromMs, fromMs);
          const { from, to, pieces } = daysOf({ fromMs, toMs });
          assert.ok((day >= from && day < to) || pieces.includes(day), `${day} is in no days of its cycle`);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('has the dates of the zone', () => {
    fc.assert(
      fc.property(settings, changes, (first, some) => {
        const account = accountAfter(first, inOrder(some));
        const { dayAt } = calendarOf(account);
        const last = Date.UTC(2026, 3, 20);
        assert.equal(dayAt(last), localTime(account.timeZone, last).toISOString().slice(0, 10));
      }),
    );
  });

  it('bills every cycle in one month', () => {
    fc.assert(
      fc.property(settings, changes, (first, some) => {
        const account = accountAfter(first, inOrder(some));
        const starts = Array.from({ length: 7 }, (_, n) => billMonthStart(account, 2025, 11 + n));
        for (const [n, atMs] of starts.entries()) {
          assert.ok(n === 0 || atMs >= starts[n - 1]!);
          assert.equal(calendarOf(account).cycleAt('Monthly', atMs).fromMs, atMs);
        }
      }),
    );
  });

  it('cuts a date into pieces that keep their date', () => {
    const account = accountAfter({ timeZone: 'UTC', billCycleDay: 1 }, [
      { atMs: Date.parse('2026-01-14T12:00:00Z'), rule: { timeZone: 'America/Chicago', billCycleDay: 1 } },
    ]);
    const { cycleAt, dayAt } = calendarOf(account);
    const span = (at: string): CycleSpan => cycleAt('Daily', Date.parse(at));
    assert.equal(dayAt(Date.parse('2026-01-14T23:00:00Z')), '2026-01-14');
    const cut = dayAt(Date.parse('2026-01-15T02:00:00Z'));
    assert.equal(dateOf(cut), '2026-01-14');
    assert.notEqual(cut, '2026-01-14');
    assert.deepEqual(span('2026-01-15T02:00:00Z'), {
      fromMs: Date.parse('2026-01-15T00:00:00Z'),
      toMs: Date.parse('2026-01-15T06:00:00Z'),
      shortened: true,
    });
    assert.equal(span('2026-01-15T07:00:00Z').shortened, false);
  });
});

describe('cycles of several accounts together', () => {
  it('follow another account from the end of the open cycle', () => {
    const [a, b] = [
      { timeZone: 'UTC', billCycleDay: 1, boundaries: null },
      { timeZone: 'America/Chicago', billCycleDay: 15, boundaries: null },
    ];
    const turnsMs = Date.parse('2026-02-01T00:00:00Z');
    const { cycleAt, daysOf, startOf } = followedCycles([
      { fromMs: Number.NEGATIVE_INFINITY, account: a },
      { fromMs: turnsMs, account: b },
    ]);
    const first = cycleAt('Monthly', turnsMs);
    assert.equal(first.shortened, true);
    assert.equal(new Date(first.toMs).toISOString(), '2026-02-15T06:00:00.000Z');
    const before = daysOf(cycleAt('Monthly', turnsMs - 1));
    assert.equal(before.to, daysOf(first).from);
    for (let n = 1; n < 59; n++) {
      const day = new Date(Date.UTC(2026, 0, n)).toISOString().slice(0, 10);
      const { from, to } = daysOf(cycleAt('Monthly', startOf(day)));
      assert.ok(day >= from && day < to, `${day} is not in ${from} to ${to}`);
    }
  });
});
