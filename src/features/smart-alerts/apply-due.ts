import { type Ctx, inTx } from '../../platform/context/context.ts';
import { listRuleSwitches, takeRuleChanges } from '../device-management/index.ts';
import { holdRules } from './active-rules.ts';
import { letTimePass, stateToWrite } from './evaluate.ts';
import { type ActiveRule, type AlertEvent, CLEARED, type RuleState } from './progress.ts';
import { type CountAlerts, recordEvents } from './record-events.ts';
import type { RuleCache } from './rule-cache.ts';
import { listOpenAlerts } from './sql-alert.ts';
import { deleteStates, forgetDue, listDueDevices, type Share, upsertStates } from './sql-state.ts';

export interface RuleDeps {
  readonly cache: RuleCache;
  readonly count: CountAlerts;
}

const PAGE = 1_000;

/**
 * Processes one page of a profile's due rules: durations that have ended, absences that have lasted long enough, and
 * due times that later readings have postponed. Devices locked by another worker are left for the next query. Returns
 * the number of devices processed.
 */
export const applyDue = (
  outer: Ctx,
  ecpdId: string,
  { cache, count }: RuleDeps,
  share?: Share,
): Promise<number> =>
  inTx(outer, async (ctx) => {
    const now = ctx.now();
    const due = await listDueDevices(ctx.db, ecpdId, { dueBy: now, limit: PAGE, share });
    if (due.length === 0) return 0;
    const holding = { cache, onlyFree: true };
    const { held, byDevice, events: closed } = await holdRules(ctx, ecpdId, due, holding);
    if (held.length === 0) return 0;
    const events: AlertEvent[] = [...closed];
    const states: RuleState[] = [];
    for (const { deviceId, atMs, known } of held) {
      const lastAtMs = atMs ?? undefined;
      for (const active of byDevice.get(deviceId) ?? []) {
        events.push(...letTimePass(active, { chance: ctx.chance, lastAtMs, known }, now.getTime()));
        const state = stateToWrite(active, lastAtMs, { exactDue: true });
        if (state !== undefined) states.push(state);
      }
    }
    const active = [...byDevice.values()].flat().map(({ rule }) => rule.ruleId);
    await forgetDue(ctx.db, ecpdId, {
      deviceIds: held.map(({ deviceId }) => deviceId),
      except: active,
      dueBy: now,
    });
    await upsertStates(ctx.db, ecpdId, states, ctx.clock.moveNr());
    await recordEvents(ctx, ecpdId, events, count);
    return held.length;
  });

interface Present {
  readonly devices: ReadonlySet<string>;
  /** Existing rules, and whether each is disabled. */
  readonly switches: ReadonlyMap<string, boolean>;
  readonly active: ReadonlyMap<string, ActiveRule>;
}

/** Why a rule no longer supports its open alert; undefined if it still does. */
function whyCleared(ruleId: string, deviceId: string, present: Present): string | undefined {
  const active = present.active.get(ruleId);
  if (active !== undefined) return active.stored === undefined ? CLEARED.changed : undefined;
  const disabled = present.switches.get(ruleId);
  if (disabled !== undefined) return disabled ? CLEARED.disabled : CLEARED.inert;
  return present.devices.has(deviceId) ? CLEARED.ruleDeleted : CLEARED.deviceDeleted;
}

/**
 * Applies one page of rule changes: clears alerts that the previous version of a rule left open, and starts the
 * present version from scratch. Returns the number of changes applied.
 */
export const applyChanges = (outer: Ctx, ecpdId: string, { cache, count }: RuleDeps): Promise<number> =>
  inTx(outer, async (ctx) => {
    const { db } = ctx;
    const changes = await takeRuleChanges(db, ecpdId, PAGE);
    if (changes.length === 0) return 0;
    const ruleIds = [...new Set(changes.map(({ ruleId }) => ruleId))];
    const { held, byDevice } = await holdRules(ctx, ecpdId, changes, { cache });
    const changed = new Set(ruleIds);
    const active = [...byDevice.values()].flat().filter(({ rule }) => changed.has(rule.ruleId));
    const present: Present = {
      devices: new Set(held.map(({ deviceId }) => deviceId)),
      switches: new Map(
        (await listRuleSwitches(db, ecpdId, ruleIds)).map(({ ruleId, disabled }) => [ruleId, disabled]),
      ),
      active: new Map(active.map((one) => [one.rule.ruleId, one])),
    };
    const events = (await listOpenAlerts(db, ecpdId, ruleIds)).flatMap((alert) => {
      const message = whyCleared(alert.ruleId, alert.deviceId, present);
      return message === undefined
        ? []
        : [{ ...alert, to: 'cleared' as const, atMs: ctx.now().getTime(), message, reading: {} }];
    });
    await deleteStates(
      db,
      ecpdId,
      ruleIds.filter((ruleId) => present.active.get(ruleId)?.stored === undefined),
    );
    const lastAt = new Map(held.map(({ deviceId, atMs }) => [deviceId, atMs ?? undefined]));
    await upsertStates(
      db,
      ecpdId,
      active.flatMap((one) => stateToWrite(one, lastAt.get(one.rule.deviceId), { exactDue: true }) ?? []),
      ctx.clock.moveNr(),
    );
    await recordEvents(ctx, ecpdId, events, count);
    return changes.length;
  });
