import type { Compared, EvaluableRule, Facts, Values, WatchedRule } from '../device-management/index.ts';

export type Cause = 'condition' | 'absence';

/** The progress of a rule on its device. Times are domain time in milliseconds. */
export interface Progress {
  /** When the condition began to hold. */
  readonly trueSinceMs: number | undefined;
  /** No alert is raised before this time. */
  readonly restsUntilMs: number | undefined;
  /** Why the open alert was raised. */
  readonly open: Cause | undefined;
}

export interface Transition {
  readonly to: 'raised' | 'cleared';
  readonly cause: Cause;
  readonly atMs: number;
}

export const UNTOUCHED: Progress = { trueSinceMs: undefined, restsUntilMs: undefined, open: undefined };

/** The next alert if no more readings arrive; `quietSinceMs` is the time of the last reading. */
function nextRaise(
  rule: EvaluableRule,
  { trueSinceMs, restsUntilMs = Number.NEGATIVE_INFINITY, open }: Progress,
  quietSinceMs: number,
): Transition | undefined {
  if (open !== undefined) return undefined;
  const heldMs = trueSinceMs === undefined ? undefined : Math.max(trueSinceMs + rule.forMs, restsUntilMs);
  const absentMs =
    rule.absentMs === undefined ? undefined : Math.max(quietSinceMs + rule.absentMs, restsUntilMs);
  if (heldMs !== undefined && (absentMs === undefined || heldMs <= absentMs))
    return { to: 'raised', cause: 'condition', atMs: heldMs };
  return absentMs === undefined ? undefined : { to: 'raised', cause: 'absence', atMs: absentMs };
}

/** When an alert is raised without another reading. */
export const dueAtMs = (rule: EvaluableRule, progress: Progress, quietSinceMs: number): number | undefined =>
  nextRaise(rule, progress, quietSinceMs)?.atMs;

/** Applies time without a reading: raises at most one alert, because it stays open. */
export function passTime(
  rule: EvaluableRule,
  progress: Progress,
  quietSinceMs: number,
  toMs: number,
): { readonly progress: Progress; readonly transition?: Transition } {
  const transition = nextRaise(rule, progress, quietSinceMs);
  if (transition === undefined || transition.atMs > toMs) return { progress };
  return {
    progress: { ...progress, open: transition.cause, restsUntilMs: transition.atMs + rule.coolDownMs },
    transition,
  };
}

/** Applies a reading that is not older than the previous one, after raising what became due up to its time. */
export function applyReading(
  rule: EvaluableRule,
  before: Progress,
  quietSinceMs: number,
  reading: Facts & { readonly atMs: number },
): { readonly progress: Progress; readonly transitions: readonly Transition[] } {
  const { atMs } = reading;
  const passed = passTime(rule, before, quietSinceMs, atMs);
  const transitions = passed.transition === undefined ? [] : [passed.transition];
  let { progress } = passed;
  if (progress.open === 'condition') {
    if (rule.clears?.(reading) !== true) return { progress, transitions };
    transitions.push({ to: 'cleared', cause: 'condition', atMs });
    return { progress: { ...progress, open: undefined, trueSinceMs: undefined }, transitions };
  }
  if (progress.open === 'absence') {
    transitions.push({ to: 'cleared', cause: 'absence', atMs });
    // The condition may have held long enough while the alert was open: that alert is raised now, not in the past.
    progress = { ...progress, open: undefined, restsUntilMs: Math.max(progress.restsUntilMs ?? atMs, atMs) };
  }
  const holds = rule.when?.(reading);
  if (holds === true && progress.trueSinceMs === undefined) progress = { ...progress, trueSinceMs: atMs };
  if (holds === false && progress.trueSinceMs !== undefined)
    progress = { ...progress, trueSinceMs: undefined };
  const raised = passTime(rule, progress, Math.max(quietSinceMs, atMs), atMs);
  if (raised.transition !== undefined) transitions.push(raised.transition);
  return { progress: raised.progress, transitions };
}

/** The state of a rule between readings. */
export interface RuleState {
  readonly ruleId: string;
  readonly deviceId: string;
  readonly versionId: string;
  /** When the evaluation of this version began. */
  readonly sinceMs: number;
  readonly progress: Progress;
  readonly alertId: string | undefined;
  /** At or before the true due time: readings that only postpone an absence do not write it. */
  readonly dueMs: number | undefined;
}

/** A rule with its state, while its device is locked. */
export interface ActiveRule {
  readonly rule: WatchedRule;
  readonly read: EvaluableRule;
  /** The stored state of this rule version. */
  readonly stored: RuleState | undefined;
  /** The stored state belongs to an earlier version and must be overwritten. */
  readonly outdated: boolean;
  readonly sinceMs: number;
  progress: Progress;
  alertId: string | undefined;
}

/** An event sent to listeners and stored with the alert. */
export interface AlertEvent extends Transition, ReturnType<typeof ofRule> {
  readonly alertId: string;
  /** The message of a raised alert, or the reason for clearing it. */
  readonly message: string;
  readonly reading: Values;
  /** The comparisons of the condition when it raised the alert. */
  readonly compared?: readonly Compared[];
}

export const ofRule = ({ ruleId, name, deviceId, accountName, foreignId }: WatchedRule) => ({
  ruleId,
  ruleName: name,
  deviceId,
  accountName,
  foreignId,
});

export const CLEARED = {
  condition: 'the condition holds no longer',
  absence: 'the device has sent a reading',
  changed: 'the rule was changed',
  disabled: 'the rule was disabled',
  inert: 'the rule is no longer evaluated',
  ruleDeleted: 'the rule was deleted',
  deviceDeleted: 'the device was deleted',
  deviceMoved: 'the device has left the account',
} as const;

export const messageOf = ({ rule, read }: ActiveRule, cause: Cause, quietSinceMs: number): string =>
  read.message ??
  (cause === 'condition'
    ? `${rule.name}: the condition is met`
    : `${rule.name}: no reading since ${new Date(quietSinceMs).toISOString()}`);
