import { type Ctx, inTx } from '../../../platform/context/context.ts';
import { listRuleSwitches } from '../../device-management/index.ts';
import { recordEvents } from '../alerts/record-events.ts';
import { listOpenAlerts } from '../alerts/sql-alert.ts';
import { stateToWrite } from './evaluate.ts';
import type { WatchDeps } from './follow-due.ts';
import { loadWatched } from './load-watched.ts';
import { takeChanges } from './sql-change.ts';
import { holdAccounts, holdDevices } from './sql-reading.ts';
import { deleteStates, upsertStates } from './sql-state.ts';
import { CLEARED, type Watched } from './watched.ts';

const PAGE = 1_000;

interface Present {
  readonly devices: ReadonlySet<string>;
  /** Of the rules that exist, whether they are disabled. */
  readonly switches: ReadonlyMap<string, boolean>;
  readonly watched: ReadonlyMap<string, Watched>;
}

/** Why a rule no longer stands behind the alert that it has open; undefined where it does. */
function whyCleared(ruleId: string, deviceId: string, present: Present): string | undefined {
  const watched = present.watched.get(ruleId);
  if (watched !== undefined) return watched.stored === undefined ? CLEARED.changed : undefined;
  const disabled = present.switches.get(ruleId);
  if (disabled !== undefined) return disabled ? CLEARED.disabled : CLEARED.inert;
  return present.devices.has(deviceId) ? CLEARED.ruleDeleted : CLEARED.deviceDeleted;
}

/**
 * What follows from changes of rules, a page of it: alerts that the rule as it was has left open are cleared, and the rule
 * as it is begins anew. Answers how many changes were followed.
 */
export const followChanges = (outer: Ctx, ecpdId: string, { shelf, count }: WatchDeps): Promise<number> =>
  inTx(outer, async (ctx) => {
    const { db } = ctx;
    const changes = await takeChanges(db, ecpdId, PAGE);
    if (changes.length === 0) return 0;
    await holdAccounts(
      db,
      ecpdId,
      changes.map(({ accountName }) => accountName),
    );
    const ruleIds = [...new Set(changes.map(({ ruleId }) => ruleId))];
    const held = await holdDevices(db, ecpdId, [...new Set(changes.map(({ deviceId }) => deviceId))]);
    const { byDevice } = await loadWatched(
      ctx,
      ecpdId,
      held.map(({ deviceId }) => deviceId),
      shelf,
    );
    const changed = new Set(ruleIds);
    const watched = [...byDevice.values()].flat().filter(({ rule }) => changed.has(rule.ruleId));
    const present: Present = {
      devices: new Set(held.map(({ deviceId }) => deviceId)),
      switches: new Map(
        (await listRuleSwitches(db, ecpdId, ruleIds)).map(({ ruleId, disabled }) => [ruleId, disabled]),
      ),
      watched: new Map(watched.map((one) => [one.rule.ruleId, one])),
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
      ruleIds.filter((ruleId) => present.watched.get(ruleId)?.stored === undefined),
    );
    const lastAt = new Map(held.map(({ deviceId, at }) => [deviceId, at?.getTime()]));
    await upsertStates(
      db,
      ecpdId,
      watched.flatMap((one) => stateToWrite(one, lastAt.get(one.rule.deviceId), { exactDue: true }) ?? []),
      ctx.clock.moveNr(),
    );
    await recordEvents(ctx, ecpdId, events, count);
    return changes.length;
  });
