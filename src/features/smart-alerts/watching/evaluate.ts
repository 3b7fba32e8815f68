import { makeOrderedIds } from '../../../platform/db/ordered-ids.ts';
import type { Values } from '../../device-management/index.ts';
import { dueAtMs, observe, passTime, type Turn } from './watch.ts';
import { type AlertEvent, CLEARED, messageOf, type RuleState, type Watched } from './watched.ts';

export interface Seen {
  readonly atMs: number;
  readonly values: Values;
  readonly before: Values;
}

/** What a device said last, or since when its rule has been waiting for it to say something. */
const quietSince = ({ sinceMs }: Watched, lastAtMs: number | undefined): number =>
  Math.max(sinceMs, lastAtMs ?? sinceMs);

function toEvent(
  watched: Watched,
  turn: Turn,
  at: { readonly quietSinceMs: number; readonly reading: Values },
): AlertEvent {
  const { rule } = watched;
  const raised = turn.to === 'raised';
  // Ids sort by when alerts were raised, which is how they are listed.
  const alertId = raised ? makeOrderedIds(new Date(turn.atMs), 1)[0]! : watched.alertId!;
  watched.alertId = raised ? alertId : undefined;
  return {
    to: turn.to,
    alertId,
    ruleId: rule.ruleId,
    ruleName: rule.name,
    deviceId: rule.deviceId,
    accountName: rule.accountName,
    foreignId: rule.foreignId,
    cause: turn.cause,
    atMs: turn.atMs,
    message: raised ? messageOf(watched, turn.cause, at.quietSinceMs) : CLEARED[turn.cause],
    reading: at.reading,
  };
}

/** Shows a reading to a rule. Whatever was due before it is dated before it, and shows what was known then. */
export function showReading(
  watched: Watched,
  lastAtMs: number | undefined,
  seen: Seen,
): readonly AlertEvent[] {
  const quietSinceMs = quietSince(watched, lastAtMs);
  const { watch, turns } = observe(watched.read, watched.watch, quietSinceMs, seen);
  watched.watch = watch;
  return turns.map((turn) =>
    toEvent(watched, turn, {
      quietSinceMs,
      reading: turn.atMs < seen.atMs ? seen.before : seen.values,
    }),
  );
}

/** Lets a rule notice that time has passed. */
export function letTimePass(
  watched: Watched,
  { lastAtMs, known }: { readonly lastAtMs: number | undefined; readonly known: Values },
  toMs: number,
): readonly AlertEvent[] {
  const quietSinceMs = quietSince(watched, lastAtMs);
  const { watch, turn } = passTime(watched.read, watched.watch, quietSinceMs, toMs);
  watched.watch = watch;
  return turn === undefined ? [] : [toEvent(watched, turn, { quietSinceMs, reading: known })];
}

/**
 * The state to be written, if any. A due time that is stored and too early is left: whoever comes for it then puts it off,
 * and a device that tells something every second does not have its rules written every second.
 */
export function stateToWrite(
  watched: Watched,
  lastAtMs: number | undefined,
  { exactDue }: { readonly exactDue: boolean },
): RuleState | undefined {
  const { rule, read, stored, outdated, watch, alertId, sinceMs } = watched;
  const dueMs = dueAtMs(read, watch, quietSince(watched, lastAtMs));
  const same =
    stored === undefined
      ? watch.trueSinceMs === undefined && watch.restsUntilMs === undefined && dueMs === undefined
      : stored.watch.trueSinceMs === watch.trueSinceMs &&
        stored.watch.restsUntilMs === watch.restsUntilMs &&
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
    watch,
    alertId,
    dueMs,
  };
}
