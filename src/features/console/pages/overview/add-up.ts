import type { CountedLines, PlanFacts } from './sql-usage.ts';

export interface PlanUsage {
  readonly planCode: string;
  readonly planName: string | null;
  readonly lines: number;
  readonly usedBytes: number;
  readonly allowanceBytes: number | null;
}

const sumOf = <T>(rows: readonly T[], value: (row: T) => number): number =>
  rows.reduce((sum, row) => sum + value(row), 0);

/** Sensors are part of the device that they belong to. */
export const addUpStates = (counted: readonly CountedLines[]) =>
  [
    ...Map.groupBy(
      counted.filter(({ isSensor }) => !isSensor),
      ({ state }) => state,
    ),
  ].map(([state, rows]) => ({ state, devices: sumOf(rows, ({ devices }) => devices) }));

/** Plans that lines are on or that something was used on, the most used first. */
export function addUpPlans(
  counted: readonly CountedLines[],
  used: readonly { readonly planCode: string; readonly bytes: number }[],
  facts: readonly PlanFacts[],
): PlanUsage[] {
  const active = counted.filter(({ state, planCode }) => state === 'active' && planCode !== null);
  const held = Map.groupBy(active, ({ planCode }) => planCode!);
  const bytes = new Map(used.map((one) => [one.planCode, one.bytes]));
  const known = new Map(facts.map((one) => [one.planCode, one]));
  return [...new Set([...held.keys(), ...bytes.keys()])]
    .map((planCode) => {
      const rows = held.get(planCode);
      const lines = sumOf(rows ?? [], ({ devices }) => devices);
      const { name: planName = null, allowanceBytes = null } = known.get(planCode) ?? {};
      return {
        planCode,
        planName,
        lines,
        usedBytes: bytes.get(planCode) ?? 0,
        allowanceBytes: rows === undefined || allowanceBytes === null ? null : lines * allowanceBytes,
      };
    })
    .sort((a, b) => b.usedBytes - a.usedBytes || (a.planCode < b.planCode ? -1 : 1));
}

/** What all lines may use together; null where no plan of theirs has an allowance. */
export const addUpAllowance = (plans: readonly PlanUsage[]): number | null =>
  plans.reduce<number | null>(
    (sum, { allowanceBytes }) => (allowanceBytes === null ? sum : (sum ?? 0) + allowanceBytes),
    null,
  );
