import type { Chance } from '../../platform/chance/chance.ts';
import { makeOrderedIds } from '../../platform/db/ordered-ids.ts';
import { compareWith, type Values } from '../device-management/index.ts';
import {
  type ActiveRule,
  type AlertEvent,
  applyReading,
  CLEARED,
  dueAtMs,
  messageOf,
  ofRule,
  passTime,
  type RuleState,
  type Transition,
} from './progress.ts';

interface Seen {
  readonly chance: Chance;
  readonly atMs: number;
  readonly values: Values;
  readonly before: Values;
}

/** The last reading of a device, or the time since when its rule has been waiting for one. */
const quietSince = ({ sinceMs }: ActiveRule, lastAtMs: number | undefined): number =>
  Math.max(sinceMs, lastAtMs ?? sinceMs);

function toEvent(
  active: ActiveRule,
  transition: Transition,
  at: { readonly chance: Chance; readonly quietSinceMs: number; readonly reading: Values },
): AlertEvent {
  const raised = transition.to === 'raised';
  // Ids sort by the time of raising, which is the order of lists.
  const alertId = raised ? makeOrderedIds(at.chance, new Date(transition.atMs), 1)[0]! : active.alertId!;
  active.alertId = raised ? alertId : undefined;
  return {
    ...ofRule(active.rule),
    ...transition,
    alertId,
    message: raised ? messageOf(active, transition.cause, at.quietSinceMs) : CLEARED[transition.cause],
    reading: at.reading,
    ...(raised &&
      transition.cause === 'condition' && { compared: compareWith(active.read.comparisons, at.reading) }),
  };
}

/** Applies a reading to a rule. Alerts that were due before it get their own time and the values known then. */
export function showReading(
  active: ActiveRule,
  lastAtMs: number | undefined,
  seen: Seen,
): readonly AlertEvent[] {
  const quietSinceMs = quietSince(active, lastAtMs);
  const { progress, transitions } = applyReading(active.read, active.progress, quietSinceMs, seen);
  active.progress = progress;
  return transitions.map((transition) =>
    toEvent(active, transition, {
      chance: seen.chance,
      quietSinceMs,
      reading: transition.atMs < seen.atMs ? seen.before : seen.values,
    }),
  );
}

/** Applies the passing of time to a rule. */
export function letTimePass(
  active: ActiveRule,
  {
    chance,
    lastAtMs,
    known,
  }: { readonly chance: Chance; readonly lastAtMs: number | undefined; readonly known: Values },
  toMs: number,
): readonly AlertEvent[] {
  const quietSinceMs = quietSince(active, lastAtMs);
  const { progress, transition } = passTime(active.read, active.progress, quietSinceMs, toMs);
  active.progress = progress;
  return transition === undefined
    ? []
    : [toEvent(active, transition, { chance, quietSinceMs, reading: known })];
}

/**
 * The state to write, if any. A stored due time that is too early is kept: the scheduler postpones it when it comes
 * up. So a device with a reading every second does not cause a write for its rules every second.
 */
export function stateToWrite(
  active: ActiveRule,
  lastAtMs: number | undefined,
  { exactDue }: { readonly exactDue: boolean },
): RuleState | undefined {
  const { rule, read, stored, outdated, progress, alertId, sinceMs } = active;
  const dueMs = dueAtMs(read, progress, quietSince(active, lastAtMs));
  const same =
    stored === undefined
      ? progress.trueSinceMs === undefined && progress.restsUntilMs === undefined && dueMs === undefined
      : stored.progress.trueSinceMs === progress.trueSinceMs &&
        stored.progress.restsUntilMs === progress.restsUntilMs &&
        stored.alertId === alertId;
  const onTime = exactDue
    ? stored?.dueMs === dueMs
    : dueMs === undefined || (stored?.dueMs !== undefined && stored.dueMs <= dueMs);
  if (!outdated && same && (stored === undefined || onTime)) return undefined;
  return {
    ruleId: rule.ruleId,
    deviceId: rule.deviceId,
    versionId: rule.versionId,
    sinceMs,
    progress,
    alertId,
    dueMs,
  };
}
