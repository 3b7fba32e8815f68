import type { Account, Case, Rule, Step } from './case.ts';

const MB = 1_048_576;
const at = (text: string) => Date.parse(text);

/** One account, and one line that has been on its plan for long. */
const fleetOf = (plan: string, account: Partial<Account> = {}): Omit<Case, 'name' | 'steps'> => ({
  start: at('2026-02-26T00:00:00Z'),
  accounts: [{ timeZone: 'UTC', billDay: 1, byApn: false, listens: [], ...account }],
  group: { accounts: [0], plans: ['S', 'M', 'L'] },
  lines: [{ account: 0, plan, planSince: at('2025-06-01T00:00:00Z') }],
});

const create = (rule: Rule): Step => ({
  do: 'create',
  at: at('2026-02-26T00:00:01Z'),
  name: 't0',
  rule,
  callback: true,
});

const over4Mb = {
  plan: 'C-P',
  accounts: [0],
  cmp: 'gt',
  than: { value: 4, unit: 'MB' },
} as const;

/** The 26th and the 27th are a Thursday and a Friday. */
const onTwoDays = (first: number, second: number): Step => ({
  do: 'feed',
  at: at('2026-02-27T12:00:00Z'),
  records: [
    { id: 'r0', line: 0, at: at('2026-02-26T10:00:00Z'), bytes: first },
    { id: 'r1', line: 0, at: at('2026-02-27T10:00:00Z'), bytes: second },
  ],
});

/** What was found once must stay found: each of these differed from the model on the code of its time. */
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
];
