import type { Case, Step } from './case.ts';
import { at, create, fed, fleetOf, named, over4Mb } from './case-parts.ts';

/** Two accounts, and a line of the first. */
const twoAccounts = (plan: string, listens: readonly string[] = []): Omit<Case, 'name' | 'steps'> => {
  const fleet = fleetOf(plan, { listens });
  const [first] = fleet.accounts;
  return {
    ...fleet,
    accounts: [first!, { ...first!, timeZone: 'Asia/Kolkata', billDay: 20 }],
    group: { accounts: [0, 1], plans: ['S', 'M', 'L'] },
  };
};

const moved = (time: string, account: number): Step => ({ do: 'move', at: at(time), line: 0, account });

const over2Kb = { kind: 'line', ...over4Mb, than: { value: 2, unit: 'KB' }, cycle: 'Monthly' } as const;

/** Lines that change their account or are deleted. */
export const MOVES: readonly Case[] = [
  {
    name: 'records of both accounts of a line in one feed are counted apart',
    ...twoAccounts('P'),
    steps: [
      create({ ...over2Kb, action: { type: 'notify' } }),
      named('t1', { ...over2Kb, accounts: [1], action: { type: 'notify' } }),
      moved('2026-02-27T00:00:00Z', 1),
      fed('2026-02-27T12:00:00Z', [0, '2026-02-27T10:00:00Z', 1_500], [0, '2026-02-26T10:00:00Z', 3_000]),
      fed('2026-02-27T13:00:00Z', [0, '2026-02-26T11:00:00Z', 1_000], [0, '2026-02-27T11:00:00Z', 900]),
    ],
  },
  {
    name: 'nothing is done to a line that has left its account, and that it is throttled is not told there',
    ...twoAccounts('Q', ['SubscriptionNotificationService']),
    steps: [
      create({
        ...over2Kb,
        plan: 'C-Q',
        action: { type: 'suspend', from: [0], duration: '30', withBilling: false },
      }),
      moved('2026-02-27T00:00:00Z', 1),
      fed('2026-02-27T12:00:00Z', [0, '2026-02-26T10:00:00Z', 12_000]),
      fed('2026-02-27T13:00:00Z', [0, '2026-02-27T12:30:00Z', 11_000]),
    ],
  },
  {
    name: 'late records of a line that was deleted tell who had it, and later ones are of nobody',
    ...fleetOf('P'),
    steps: [
      create({ ...over2Kb, action: { type: 'notify' } }),
      { do: 'remove', at: at('2026-02-27T00:00:00Z'), line: 0, by: 'owner' },
      fed('2026-02-27T12:00:00Z', [0, '2026-02-26T23:59:59.999Z', 3_000], [0, '2026-02-27T00:00:00Z', 1]),
    ],
  },
  {
    name: 'a plan that begins in the past begins with the stay in the account, and a suspension outlives a move',
    ...twoAccounts('S'),
    steps: [
      create({ kind: 'shareMove', of: [{ from: 'C-S', to: 'C-M', percent: 50 }], backDate: true }),
      fed('2026-02-26T12:00:00Z', [0, '2026-02-26T10:00:00Z', 1_000]),
      moved('2026-02-27T00:00:00Z', 1),
      fed('2026-02-27T12:00:00Z', [0, '2026-02-27T10:00:00Z', 3_000]),
      fed('2026-02-27T13:00:00Z', [0, '2026-02-27T09:00:00Z', 10], [0, '2026-02-26T09:00:00Z', 10]),
      { do: 'suspend', at: at('2026-02-28T00:00:00Z'), line: 0 },
      moved('2026-03-02T00:00:00Z', 0),
      { do: 'wait', at: at('2026-06-02T00:00:00Z') },
    ],
  },
  {
    name: 'a line that is deactivated in one account and activated in another is new there',
    ...twoAccounts('P'),
    steps: [
      create({ ...over2Kb, accounts: [1], plan: 'C-Q', action: { type: 'move', to: 'C-S' } }),
      { do: 'deactivate', at: at('2026-02-27T00:00:00Z'), line: 0 },
      { do: 'activate', at: at('2026-02-28T00:00:00Z'), line: 0, account: 1, plan: 'Q' },
      fed('2026-02-28T12:00:00Z', [0, '2026-02-27T10:00:00Z', 3_000], [0, '2026-02-28T10:00:00Z', 3_000]),
      { do: 'activate', at: at('2026-02-28T13:00:00Z'), line: 0, account: 0, plan: 'Q' },
    ],
  },
  {
    name: 'a level that two counters of a line reach with one feed fires by the first record',
    ...fleetOf('P'),
    steps: [
      fed('2026-02-26T12:00:00Z', [0, '2026-02-26T10:00:00Z', 3_000]),
      { do: 'plan', at: at('2026-02-26T13:00:00Z'), line: 0, plan: 'P2' },
      {
        do: 'create',
        at: at('2026-02-26T14:00:00Z'),
        name: 't0',
        rule: { ...over2Kb, action: { type: 'notify' } },
        callback: true,
      },
      fed('2026-02-26T15:00:00Z', [0, '2026-02-26T11:00:00Z', 1], [0, '2026-02-26T14:30:00Z', 3_000]),
    ],
  },
];
