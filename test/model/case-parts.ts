import type { Account, Case, Rule, Step } from './case.ts';

export const at = (text: string) => Date.parse(text);

/** One account, and one line that has been on its plan for a long time. */
export const fleetOf = (plan: string, account: Partial<Account> = {}): Omit<Case, 'name' | 'steps'> => ({
  start: at('2026-02-26T00:00:00Z'),
  accounts: [{ timeZone: 'UTC', billDay: 1, byApn: false, listens: [], ...account }],
  group: { accounts: [0], plans: ['S', 'M', 'L'] },
  lines: [{ account: 0, plan, planSince: at('2025-06-01T00:00:00Z') }],
});

export const create = (rule: Rule): Step => ({
  do: 'create',
  at: at('2026-02-26T00:00:01Z'),
  name: 't0',
  rule,
  callback: true,
});

/** A second later than the previous one. */
export const named = (name: string, rule: Rule): Step => ({
  do: 'create',
  at: at('2026-02-26T00:00:01Z') + 1_000 * Number(name.slice(1)),
  name,
  rule,
  callback: true,
});

export const fed = (
  time: string,
  ...used: readonly (readonly [line: number, at: string, bytes: number])[]
): Step => ({
  do: 'feed',
  at: at(time),
  records: used.map(([line, occurred, bytes]) => ({
    id: `${time} ${line} ${occurred}`,
    line,
    at: at(occurred),
    bytes,
  })),
});

export const over4Mb = {
  plan: 'C-P',
  accounts: [0],
  cmp: 'gt',
  than: { value: 4, unit: 'MB' },
} as const;
