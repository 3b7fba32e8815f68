import type { Compared, EvaluableRule, Facts, Values, WatchedRule } from '../device-management/index.ts';

export type Cause = 'condition' | 'absence';

/** How far a rule has come on its device. Moments are domain time in milliseconds. */
export interface Progress {
  /** Since when the condition has held. */
  readonly trueSinceMs: number | undefined;
  /** Before then no alert is raised. */
  readonly restsUntilMs: number | undefined;
  /** Why the alert that is open was raised. */
  readonly open: Cause | undefined;
}

export interface Transition {
  readonly to: 'raised' | 'cleared';
  readonly cause: Cause;
  readonly atMs: number;
}

export const UNTOUCHED: Progress = { trueSinceMs: undefined, restsUntilMs: undefined, open: undefined };

/** What would be raised next if the device told nothing more; `quietSinceMs` is when it last told something. */
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

/** When something is raised without another reading. */
export const dueAtMs = (rule: EvaluableRule, progress: Progress, quietSinceMs: number): number | undefined =>
  nextRaise(rule, progress, quietSinceMs)?.atMs;

/** Lets time pass without a reading: at most one alert is raised, because it stays open. */
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

/** Takes one reading, which is not older than the one before it. What fell due up to its moment comes first. */
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
    // While it was open the condition may have come to hold long enough: that is raised now, and not in the past.
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

/** What is kept of a rule between readings. */
export interface RuleState {
  readonly ruleId: string;
  readonly deviceId: string;
  readonly versionId: string;
  /** Since when this version is looked at. */
  readonly sinceMs: number;
  readonly progress: Progress;
  readonly alertId: string | undefined;
  /** Not after what is really due: readings that only put off an absence do not write it. */
  readonly dueMs: number | undefined;
}

/** A rule with its state, while its device is held. */
export interface ActiveRule {
  readonly rule: WatchedRule;
  readonly read: EvaluableRule;
  /** As it is stored, of this version. */
  readonly stored: RuleState | undefined;
  /** What is stored belongs to an earlier version, and is to be written over. */
  readonly outdated: boolean;
  readonly sinceMs: number;
  progress: Progress;
  alertId: string | undefined;
}

/** Something that listeners hear and the record of the alert shows. */
export interface AlertEvent extends Transition, ReturnType<typeof ofRule> {
  readonly alertId: string;
  /** Of a raised alert its message, of a cleared one why it was cleared. */
  readonly message: string;
  readonly reading: Values;
  /** What the condition compared when it raised the alert. */
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
