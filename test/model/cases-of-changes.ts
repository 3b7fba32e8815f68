import type { Case, Rule, Step } from './case.ts';
import { at, create, fed, fleetOf, named, over4Mb } from './case-parts.ts';

const over2Kb = { ...over4Mb, than: { value: 2, unit: 'KB' }, cycle: 'Monthly' } as const;

const settings = (time: string, timeZone: string, billDay: number, account = 0): Step => ({
  do: 'settings',
  at: at(time),
  account,
  timeZone,
  billDay,
});

const together = (
  accounts: readonly number[],
  more: Partial<Extract<Rule, { kind: 'account' }>> = {},
): Rule => ({ kind: 'account', ...over2Kb, accounts, combined: true, ...more });

const suspendsAll: Rule = {
  kind: 'account',
  ...over2Kb,
  combined: false,
  suspend: { than: { value: 2, unit: 'KB' }, from: [0], duration: '30', withBilling: false },
};

/** Three lines, more than an action may change without approval. */
const threeLines = (): Omit<Case, 'name' | 'steps'> => {
  const fleet = fleetOf('P');
  return { ...fleet, lines: [fleet.lines[0]!, fleet.lines[0]!, fleet.lines[0]!] };
};

/** Changes of accounts, and of triggers whose actions wait. */
export const CHANGES: readonly Case[] = [
  {
    name: 'after a change of the bill day or the zone, each of the cycles that follow closely fires',
    ...fleetOf('P'),
    steps: [
      create({ kind: 'line', ...over2Kb, action: { type: 'notify' } }),
      named('t1', { kind: 'line', ...over2Kb, cycle: 'Daily', action: { type: 'notify' } }),
      fed('2026-02-26T12:00:00Z', [0, '2026-02-26T10:00:00Z', 3_000]),
      settings('2026-02-27T12:00:00Z', 'UTC', 15),
      fed('2026-03-03T12:00:00Z', [0, '2026-03-03T10:00:00Z', 3_000]),
      fed('2026-03-16T12:00:00Z', [0, '2026-03-16T10:00:00Z', 3_000], [0, '2026-03-14T10:00:00Z', 3_000]),
      settings('2026-03-16T13:00:00Z', 'America/Chicago', 15),
      fed('2026-03-17T12:00:00Z', [0, '2026-03-17T03:00:00Z', 3_000], [0, '2026-03-17T11:00:00Z', 3_000]),
    ],
  },
  {
    name: 'another first account of a list is followed when the open cycle has ended',
    ...fleetOf('P'),
    accounts: [
      { timeZone: 'UTC', billDay: 1, byApn: false, listens: ['AlertService'] },
      { timeZone: 'UTC', billDay: 20, byApn: false, listens: [] },
    ],
    steps: [
      create(together([0, 1])),
      fed('2026-02-26T12:00:00Z', [0, '2026-02-26T10:00:00Z', 3_000]),
      { do: 'edit', at: at('2026-02-27T12:00:00Z'), name: 't0', rule: together([1, 0]) },
      fed('2026-02-28T12:00:00Z', [0, '2026-02-28T10:00:00Z', 3_000]),
      fed('2026-03-03T12:00:00Z', [0, '2026-03-03T10:00:00Z', 3_000]),
      fed('2026-03-21T12:00:00Z', [0, '2026-03-21T10:00:00Z', 3_000]),
    ],
  },
  {
    name: 'a back-test counts what an account used on a date that its change of zone cut, on this date of the leader',
    ...fleetOf('P'),
    accounts: [
      { timeZone: 'UTC', billDay: 1, byApn: false, listens: [] },
      { timeZone: 'America/Chicago', billDay: 10, byApn: false, listens: [] },
    ],
    lines: [{ account: 1, plan: 'P', planSince: at('2025-06-01T00:00:00Z') }],
    steps: [
      create(together([0, 1], { cycle: 'Daily' })),
      named('t1', together([0, 1], { cycle: 'Daily', cmp: 'lt' })),
      settings('2026-03-07T17:00:00Z', 'Asia/Kolkata', 1, 1),
      fed('2026-03-10T15:00:00Z', [0, '2026-03-10T11:00:00Z', 3_000]),
      { do: 'wait', at: at('2026-03-11T12:00:00Z') },
    ],
  },
  {
    name: 'what waits for approval is dropped when its trigger is switched off, and cannot be approved',
    ...threeLines(),
    steps: [
      create(suspendsAll),
      named('t1', suspendsAll),
      fed('2026-02-26T12:00:00Z', [0, '2026-02-26T10:00:00Z', 3_000]),
      { do: 'switch', at: at('2026-02-26T13:00:00Z'), name: 't0', active: false },
      { do: 'decide', at: at('2026-02-26T14:00:00Z'), name: 't0', approves: true },
      { do: 'decide', at: at('2026-02-26T15:00:00Z'), name: 't1', approves: true },
    ],
  },
];
