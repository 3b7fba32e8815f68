import { type Rule, UNIT_BYTES } from '../case.ts';
import { planOf } from '../catalogue.ts';
import { iso, nameOf, orderRows, type Row } from '../outcome.ts';
import { cyclesLedBy } from './cycles.ts';
import type { Firing } from './fire.ts';
import { accountOf, type State } from './state.ts';

/** The accounts that get an alert: all with a listener that count together, or the firing's account if none has one. */
export function toldAccounts(state: State, { rule, account }: Firing): readonly number[] {
  const members =
    rule.kind === 'account' && rule.combined
      ? rule.accounts
      : rule.kind === 'poolNotify' || rule.kind === 'poolMove'
        ? state.group.accounts
        : undefined;
  if (members === undefined) return [account];
  const listening = members.filter((one) => accountOf(state, one).listens.includes('AlertService'));
  return listening.length === 0 ? [account] : listening;
}

function unitOf(rule: Rule, { kind }: Firing) {
  if (rule.kind !== 'line' && rule.kind !== 'account') return undefined;
  return kind === 'suspendBytes' && rule.kind === 'account' ? rule.suspend!.than.unit : rule.than.unit;
}

function countedValue(firing: Firing, unitBytes: number): number {
  const { kind, after, level, threshold } = firing;
  if (kind === 'billCycles') return after;
  if (kind === 'percent') return Math.floor((after * level) / threshold);
  const value = after / unitBytes;
  return after < threshold ? Math.floor(value) : Math.ceil(value);
}

function payAsYouGo(rule: Rule & { plan: string }, firing: Firing): object {
  const unit = unitOf(rule, firing);
  const cycle = 'cycle' in rule ? rule.cycle : rule.kind === 'allowance' ? 'Monthly' : undefined;
  const unitBytes = unit === undefined ? 1 : UNIT_BYTES[unit];
  return {
    plan: rule.plan,
    value: countedValue(firing, unitBytes),
    threshold: firing.level / unitBytes,
    unit: unit ?? null,
    cycle: cycle?.toUpperCase() ?? null,
    lines: firing.line === undefined ? [] : [nameOf.line(firing.line)],
  };
}

/** The move of a line, and the result of the action that moves it. */
export interface Moved {
  readonly from: string;
  readonly to: string;
  readonly by: { readonly noted?: { readonly state: string } };
}

const UNDONE = ['awaitingApproval', 'skipped', 'dropped'];

/** A reminder knows what has become of the actions. */
const isMade = ({ by }: Moved) => !UNDONE.includes(by.noted?.state ?? 'waiting');

function groupShare(firing: Firing, moved: readonly Moved[], since: number): object {
  const { rule } = firing;
  const together = new Map<string, number>();
  for (const { from, to } of moved) together.set(`${from} ${to}`, (together.get(`${from} ${to}`) ?? 0) + 1);
  const isOfLine = firing.line !== undefined;
  const change = moved.map(({ from, to }) => (planOf(to)?.allowance ?? 0) - (planOf(from)?.allowance ?? 0));
  return {
    allowance: Math.floor((firing.threshold * 100) / firing.level),
    lines: isOfLine ? [nameOf.line(firing.line!)] : null,
    moved:
      rule.kind === 'poolMove' && moved.length > 0
        ? {
            way: firing.after < firing.threshold ? 'less' : 'more',
            bytes: Math.abs(change.reduce((sum, one) => sum + one, 0)),
            since: iso(since),
            plans: [...together].map(([pair, count]) => `${pair} ${count}`).sort(),
          }
        : null,
  };
}

/** The time from which a pool's moves count, in the calendar of its first account. */
function movesSince(state: State, { trigger: { leaders }, rule, after, threshold, at }: Firing): number {
  const moves = rule.kind !== 'poolMove' ? undefined : after >= threshold ? rule.above : rule.below;
  return moves?.backDate ? cyclesLedBy(state, leaders, 'Monthly').at(at).opens : at;
}

/** `occasion` says why it is told again. */
export function tell(state: State, firing: Firing, occasion: string | null): void {
  const { trigger, rule, late, at, cause, moved } = firing;
  if (!trigger.callback) return;
  for (const account of toldAccounts(state, firing)) {
    const listens = accountOf(state, account).listens.includes('AlertService');
    if (listens && occasion === null) state.told.push({ account, firing });
    state.outcome.alerts.push({
      account: nameOf.account(account),
      heard: listens ? iso(state.now) : null,
      trigger: trigger.name,
      at: iso(at),
      occasion,
      late,
      cause,
      ...('plan' in rule
        ? payAsYouGo(rule, firing)
        : groupShare(firing, moved.filter(isMade), movesSince(state, firing))),
    });
  }
}

/** Of the levels that a subject passes at once, the lowest is told first. */
export const listOrder = ({ told, case: { steps } }: State): Row[] =>
  orderRows(
    steps,
    told
      .map(({ account, firing: { trigger, subject, cycle, cause, at, level } }) => ({
        ...{ account: nameOf.account(account), trigger: trigger.name, subject },
        ...{ from: iso(cycle.opens), cause, at: iso(at), level },
      }))
      .toSorted((a, b) => a.level - b.level),
  );
