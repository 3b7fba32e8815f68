import type { Case, Step } from './case.ts';
import { at, create, fed, fleetOf, named, over4Mb } from './case-parts.ts';
import { CHANGES } from './cases-of-changes.ts';
import { MOVES } from './cases-of-moves.ts';

const MB = 1_048_576;

/** The 26th and the 27th are a Thursday and a Friday. */
const onTwoDays = (first: number, second: number): Step => ({
  do: 'feed',
  at: at('2026-02-27T12:00:00Z'),
  records: [
    { id: 'r0', line: 0, at: at('2026-02-26T10:00:00Z'), bytes: first },
    { id: 'r1', line: 0, at: at('2026-02-27T10:00:00Z'), bytes: second },
  ],
});

/** Regressions: each of these differed from the model in some version of the service. */
export const CASES: readonly Case[] = [
  {
    name: 'two days of a month in one feed reach a threshold that a line is suspended at',
    ...fleetOf('P'),
    steps: [
      create({
        kind: 'line',
        ...over4Mb,
        cycle: 'Monthly',
        action: { type: 'suspend', from: [0], duration: '30', withBilling: false },
      }),
      onTwoDays(5 * MB, 5 * MB),
    ],
  },
  {
    name: 'two days of a week in one feed are beyond a threshold of their account',
    ...fleetOf('Q', { timeZone: 'Asia/Kolkata', billDay: 31 }),
    steps: [
      create({ kind: 'account', ...over4Mb, plan: 'C-Q', combined: false, cycle: 'Weekly' }),
      onTwoDays(5 * MB, 5 * MB),
    ],
  },
  {
    name: 'a record that crosses is told with the counter as it was before it, whatever the same feed brings after it',
    ...fleetOf('P', { billDay: 20 }),
    steps: [
      create({ kind: 'line', ...over4Mb, cycle: 'Monthly', action: { type: 'notify' } }),
      onTwoDays(5 * MB, MB),
    ],
  },
  {
    name: 'a line is throttled by two days of one feed while somebody listens',
    ...fleetOf('Q', { listens: ['SubscriptionNotificationService'] }),
    steps: [onTwoDays(9_000, 9_000)],
  },
  {
    name: 'nothing is done to a line that has left the plan whose percentage late records have reached',
    ...fleetOf('S'),
    steps: [
      create({
        kind: 'shareSuspend',
        of: [
          { plan: 'C-S', percent: 50 },
          { plan: 'C-L', percent: 50 },
        ],
        duration: '30',
        withBilling: false,
      }),
      { do: 'plan', at: at('2026-02-27T00:00:00Z'), line: 0, plan: 'L' },
      {
        do: 'feed',
        at: at('2026-02-27T12:00:00Z'),
        records: [{ id: 'r0', line: 0, at: at('2026-02-26T10:00:00Z'), bytes: 5_000 }],
      },
    ],
  },
  {
    name: 'usage that a change of plan brings into a pool reaches its percentages, and moves other lines only',
    ...fleetOf('P'),
    lines: [
      { account: 0, plan: 'P', planSince: at('2025-06-01T00:00:00Z') },
      { account: 0, plan: 'S', planSince: at('2025-06-01T00:00:00Z') },
    ],
    steps: [
      create({ kind: 'shareMove', of: [{ from: 'C-S', to: 'C-M', percent: 101 }], backDate: true }),
      named('t1', { kind: 'poolNotify', percents: [50, 75, 100] }),
      named('t2', {
        kind: 'poolMove',
        above: {
          moves: [
            { from: 'C-S', to: 'C-M' },
            { from: 'C-M', to: 'C-L' },
          ],
          buffer: 100,
          backDate: true,
        },
      }),
      fed('2026-02-26T12:00:00Z', [0, '2026-02-20T10:00:00Z', 14_100], [1, '2026-02-21T10:00:00Z', 900]),
      { do: 'plan', at: at('2026-02-27T00:00:00Z'), line: 0, plan: 'S' },
      fed('2026-02-27T12:00:00Z', [0, '2026-02-27T10:00:00Z', 5_100]),
      fed('2026-02-27T13:00:00Z', [0, '2026-02-03T10:00:00Z', 1_000], [1, '2026-02-04T10:00:00Z', 1_000]),
    ],
  },
  {
    name: 'moves of a pool that begin in the past are of each account’s own cycle, or of the one that begins',
    ...fleetOf('L'),
    accounts: [
      { timeZone: 'UTC', billDay: 1, byApn: false, listens: ['AlertService'] },
      { timeZone: 'Asia/Kolkata', billDay: 20, byApn: true, listens: [] },
    ],
    group: { accounts: [0, 1], plans: ['S', 'M', 'L'] },
    lines: [
      { account: 0, plan: 'L', planSince: at('2025-06-01T00:00:00Z') },
      { account: 1, plan: 'L', planSince: at('2025-06-01T00:00:00Z') },
      { account: 1, plan: 'S', planSince: at('2025-06-01T00:00:00Z') },
    ],
    steps: [
      create({
        kind: 'poolMove',
        above: { moves: [{ from: 'C-S', to: 'C-L' }], buffer: 0, backDate: true },
        below: { moves: [{ from: 'C-L', to: 'C-M' }], buffer: 0, backDate: true },
      }),
      named('t1', {
        kind: 'line',
        ...over4Mb,
        plan: 'C-L',
        than: { value: 1, unit: 'KB' },
        cycle: 'Weekly',
        action: { type: 'notify' },
      }),
      fed('2026-02-27T12:00:00Z', [1, '2026-02-25T10:00:00Z', 2_000], [2, '2026-02-25T10:00:00Z', 2_000]),
      { do: 'wait', at: at('2026-03-01T06:00:00Z') },
      fed('2026-03-01T07:00:00Z', [1, '2026-02-28T10:00:00Z', 3_000], [1, '2026-03-01T06:30:00Z', 5_000]),
      fed('2026-03-02T07:00:00Z', [2, '2026-02-22T10:00:00Z', 3_000], [2, '2026-03-01T06:30:00Z', 99_000]),
      { do: 'wait', at: at('2026-03-03T06:00:00Z') },
    ],
  },
  {
    name: 'days that had closed when usage was moved fire with the late records that follow, and not by the move',
    ...fleetOf('S'),
    steps: [
      create({ kind: 'shareMove', of: [{ from: 'C-S', to: 'C-M', percent: 100 }], backDate: true }),
      named('t1', {
        kind: 'line',
        ...over4Mb,
        plan: 'C-M',
        than: { value: 2, unit: 'KB' },
        cycle: 'Daily',
        action: { type: 'notify' },
      }),
      named('t2', {
        kind: 'account',
        ...over4Mb,
        plan: 'C-M',
        than: { value: 2, unit: 'KB' },
        cmp: 'eq',
        cycle: 'Daily',
        combined: false,
      }),
      named('t3', {
        kind: 'account',
        ...over4Mb,
        plan: 'C-M',
        than: { value: 1, unit: 'KB' },
        cycle: 'Weekly',
        combined: true,
      }),
      fed(
        '2026-02-27T12:00:00Z',
        [0, '2026-02-24T10:00:00Z', 3_000],
        [0, '2026-02-26T10:00:00Z', 3_000],
        [0, '2026-02-27T10:00:00Z', 3_000],
      ),
      fed('2026-02-27T13:00:00Z', [0, '2026-02-24T11:00:00Z', 1], [0, '2026-02-26T11:00:00Z', 1]),
    ],
  },
  ...MOVES,
  ...CHANGES,
];
