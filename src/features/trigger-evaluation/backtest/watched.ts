import type { Cycle } from '../../../kernel/bill-cycle.ts';
import type { LevelKind } from '../../firings/index.ts';
import type { AccountPlan, Closing, TriggerLevels } from '../levels/level.ts';
import { POOL_FULL_PERCENT } from '../levels/levels-of.ts';

/** A level that a counter is compared with; without bytes it is a percentage of the shared allowance. */
interface WatchedLevel {
  readonly levelKind: LevelKind;
  readonly level: number;
  readonly thresholdBytes: number | undefined;
  /** Fires if the counter is still below it when its cycle ends. */
  readonly below: boolean;
}

/** A counter of a rule: the usage of each line on a plan, or of one or more accounts together. */
export interface Watched {
  readonly scope: 'device' | 'account' | 'sum';
  /** Undefined for counters of lines. */
  readonly subject: string | undefined;
  /** The account whose cycles it has. */
  readonly accountName: string;
  readonly cycle: Cycle;
  readonly members: readonly AccountPlan[];
  readonly levels: readonly WatchedLevel[];
}

const below = (levelKind: LevelKind, level: number, thresholdBytes: number | undefined): WatchedLevel => ({
  levelKind,
  level,
  thresholdBytes,
  below: true,
});

/** Age is counted in months, so no usage is compared. */
function closingOf({ accountName, cycle, check }: Closing): readonly Watched[] {
  if (check.kind === 'age') return [];
  if (check.kind === 'lines') {
    const levels = [below('bytes', check.belowBytes, check.belowBytes)];
    return check.planCodes.map((planCode) => {
      const members = [{ accountName, planCode }];
      return { scope: 'device', subject: undefined, accountName, cycle, members, levels };
    });
  }
  const { subject, members } = check;
  if (check.kind === 'total') {
    const levels = [below('bytes', check.belowBytes, check.belowBytes)];
    return [{ scope: check.scope, subject, accountName, cycle, members, levels }];
  }
  const levels = check.below ? [below('poolBelow', POOL_FULL_PERCENT, undefined)] : [];
  return [{ scope: 'sum', subject, accountName, cycle, members, levels }];
}

const keyOf = ({ scope, subject, members: [first] }: Watched): string =>
  `${scope} ${subject ?? `${first?.accountName} ${first?.planCode}`}`;

/** Each counter of a rule once, with all its levels. */
export function watchedBy({ counters, sums, closings }: TriggerLevels): readonly Watched[] {
  const all: Watched[] = [
    ...counters.map(({ scope, accountName, planCode, cycle, levelKind, level, thresholdBytes }) => ({
      scope,
      subject: scope === 'account' ? accountName : undefined,
      accountName,
      cycle,
      members: [{ accountName, planCode }],
      levels: [{ levelKind, level, thresholdBytes, below: false }],
    })),
    ...sums.map(({ subject, cycle, cycleAccount, members, levels }) => ({
      scope: 'sum' as const,
      subject,
      accountName: cycleAccount,
      cycle,
      members,
      levels: levels.map(({ levelKind, level, beyondBytes }) => {
        const thresholdBytes = beyondBytes === undefined ? undefined : level;
        return { levelKind, level, thresholdBytes, below: false };
      }),
    })),
    ...closings.flatMap(closingOf),
  ];
  return [...Map.groupBy(all, keyOf).values()].map((same) => ({
    ...same[0]!,
    levels: same.flatMap(({ levels }) => levels),
  }));
}
