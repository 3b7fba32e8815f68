import { type Ctx, inTx } from '../../../platform/context/context.ts';
import { recordEvents } from '../alerts/record-events.ts';
import type { WatchDeps } from '../watching/follow-due.ts';
import { loadWatched } from '../watching/load-watched.ts';
import { holdAccounts, holdDevices, updateReadings } from '../watching/sql-reading.ts';
import { upsertStates } from '../watching/sql-state.ts';
import { type Batch, type FoundReading, makeBreath, showDevice, type Written } from './show-device.ts';

/** The part of a batch that belongs to one profile: what the devices told and what follows from it commit together. */
export const writeReadings = (
  outer: Ctx,
  ecpdId: string,
  readings: readonly FoundReading[],
  { shelf, count }: WatchDeps,
): Promise<Written> =>
  inTx(outer, async (ctx) => {
    const { db } = ctx;
    await holdAccounts(
      db,
      ecpdId,
      readings.map(({ accountName }) => accountName),
    );
    const byDevice = Map.groupBy(readings, ({ deviceId }) => deviceId);
    const held = await holdDevices(db, ecpdId, [...byDevice.keys()]);
    const loaded = await loadWatched(
      ctx,
      ecpdId,
      held.map(({ deviceId }) => deviceId),
      shelf,
    );
    const written: Written = { accepted: 0, duplicates: 0, late: 0, rejected: [] };
    const batch: Batch = {
      events: [...loaded.events],
      states: [],
      latest: [],
      written,
      breathe: makeBreath(),
    };
    for (const device of held) {
      const rules = loaded.byDevice.get(device.deviceId) ?? [];
      await showDevice(device, byDevice.get(device.deviceId)!, rules, batch);
      byDevice.delete(device.deviceId);
    }
    for (const { line } of [...byDevice.values()].flat())
      written.rejected.push({ line, reason: 'device is not known' });
    await updateReadings(db, ecpdId, batch.latest);
    await upsertStates(db, ecpdId, batch.states, ctx.clock.moveNr());
    await recordEvents(ctx, ecpdId, batch.events, count);
    return written;
  });
