import { type Ctx, inTx } from '../../../platform/context/context.ts';
import { type CountAlerts, recordEvents } from '../alerts/record-events.ts';
import { letTimePass, stateToWrite } from './evaluate.ts';
import { loadWatched } from './load-watched.ts';
import type { RuleShelf } from './rule-shelf.ts';
import { holdAccounts, holdFreeDevices } from './sql-reading.ts';
import { forgetDue, listDueDevices, type Share, upsertStates } from './sql-state.ts';
import type { AlertEvent, RuleState } from './watched.ts';

export interface WatchDeps {
  readonly shelf: RuleShelf;
  readonly count: CountAlerts;
}

const PAGE = 1_000;

/**
 * What has fallen due in a profile, a page of it: durations that have ended, absences that have lasted long enough, and due
 * times that readings have put off since. Devices that somebody else holds are left to the next look. Answers how many rules
 * were looked at.
 */
export const followDue = (
  outer: Ctx,
  ecpdId: string,
  { shelf, count }: WatchDeps,
  share?: Share,
): Promise<number> =>
  inTx(outer, async (ctx) => {
    const now = ctx.now();
    const due = await listDueDevices(ctx.db, ecpdId, { dueBy: now, limit: PAGE, share });
    if (due.length === 0) return 0;
    await holdAccounts(
      ctx.db,
      ecpdId,
      due.map(({ accountName }) => accountName),
    );
    const held = await holdFreeDevices(
      ctx.db,
      ecpdId,
      due.map(({ deviceId }) => deviceId),
    );
    if (held.length === 0) return 0;
    const { byDevice, events: closed } = await loadWatched(
      ctx,
      ecpdId,
      held.map(({ deviceId }) => deviceId),
      shelf,
    );
    const events: AlertEvent[] = [...closed];
    const states: RuleState[] = [];
    for (const { deviceId, at, known } of held) {
      const lastAtMs = at?.getTime();
      for (const watched of byDevice.get(deviceId) ?? []) {
        events.push(...letTimePass(watched, { lastAtMs, known }, now.getTime()));
        const state = stateToWrite(watched, lastAtMs, { exactDue: true });
        if (state !== undefined) states.push(state);
      }
    }
    const watched = [...byDevice.values()].flat().map(({ rule }) => rule.ruleId);
    await forgetDue(ctx.db, ecpdId, {
      deviceIds: held.map(({ deviceId }) => deviceId),
      except: watched,
      dueBy: now,
    });
    await upsertStates(ctx.db, ecpdId, states, ctx.clock.moveNr());
    await recordEvents(ctx, ecpdId, events, count);
    return held.length;
  });
