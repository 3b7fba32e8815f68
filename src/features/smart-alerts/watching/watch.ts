import type { EvaluableRule, Facts } from '../../device-management/index.ts';

export type Cause = 'condition' | 'absence';

/** How far a rule has come on its device. Moments are domain time in milliseconds. */
export interface Watch {
  /** Since when the condition has held. */
  readonly trueSinceMs: number | undefined;
  /** Before then no alert is raised. */
  readonly restsUntilMs: number | undefined;
  /** Why the alert that is open was raised. */
  readonly open: Cause | undefined;
}

export interface Turn {
  readonly to: 'raised' | 'cleared';
  readonly cause: Cause;
  readonly atMs: number;
}

export const UNTOUCHED: Watch = { trueSinceMs: undefined, restsUntilMs: undefined, open: undefined };

/** What would be raised next if the device told nothing more; `quietSinceMs` is when it last told something. */
function nextRaise(
  rule: EvaluableRule,
  { trueSinceMs, restsUntilMs = Number.NEGATIVE_INFINITY, open }: Watch,
  quietSinceMs: number,
): Turn | undefined {
  if (open !== undefined) return undefined;
  const heldMs = trueSinceMs === undefined ? undefined : Math.max(trueSinceMs + rule.forMs, restsUntilMs);
  const absentMs =
    rule.absentMs === undefined ? undefined : Math.max(quietSinceMs + rule.absentMs, restsUntilMs);
  if (heldMs !== undefined && (absentMs === undefined || heldMs <= absentMs))
    return { to: 'raised', cause: 'condition', atMs: heldMs };
  return absentMs === undefined ? undefined : { to: 'raised', cause: 'absence', atMs: absentMs };
}

/** When something is raised without another reading. */
export const dueAtMs = (rule: EvaluableRule, watch: Watch, quietSinceMs: number): number | undefined =>
  nextRaise(rule, watch, quietSinceMs)?.atMs;

/** Lets time pass without a reading: at most one alert is raised, because it stays open. */
export function passTime(
  rule: EvaluableRule,
  watch: Watch,
  quietSinceMs: number,
  toMs: number,
): { readonly watch: Watch; readonly turn?: Turn } {
  const turn = nextRaise(rule, watch, quietSinceMs);
  if (turn === undefined || turn.atMs > toMs) return { watch };
  return {
    watch: { ...watch, open: turn.cause, restsUntilMs: turn.atMs + rule.coolDownMs },
    turn,
  };
}

/** Takes one reading, which is not older than the one before it. What fell due up to its moment comes first. */
export function observe(
  rule: EvaluableRule,
  before: Watch,
  quietSinceMs: number,
  reading: Facts & { readonly atMs: number },
): { readonly watch: Watch; readonly turns: readonly Turn[] } {
  const { atMs } = reading;
  const passed = passTime(rule, before, quietSinceMs, atMs);
  const turns = passed.turn === undefined ? [] : [passed.turn];
  let { watch } = passed;
  if (watch.open === 'condition') {
    if (rule.clears?.(reading) !== true) return { watch, turns };
    turns.push({ to: 'cleared', cause: 'condition', atMs });
    return { watch: { ...watch, open: undefined, trueSinceMs: undefined }, turns };
  }
  if (watch.open === 'absence') {
    turns.push({ to: 'cleared', cause: 'absence', atMs });
    // While it was open the condition may have come to hold long enough: that is raised now, and not in the past.
    watch = { ...watch, open: undefined, restsUntilMs: Math.max(watch.restsUntilMs ?? atMs, atMs) };
  }
  const holds = rule.when?.(reading);
  if (holds === true && watch.trueSinceMs === undefined) watch = { ...watch, trueSinceMs: atMs };
  if (holds === false && watch.trueSinceMs !== undefined) watch = { ...watch, trueSinceMs: undefined };
  const raised = passTime(rule, watch, Math.max(quietSinceMs, atMs), atMs);
  if (raised.turn !== undefined) turns.push(raised.turn);
  return { watch: raised.watch, turns };
}
