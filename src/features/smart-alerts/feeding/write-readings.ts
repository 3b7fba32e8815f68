import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Ctx, inTx } from '../../../platform/context.ts';
import type { Values } from '../../device-management/index.ts';
import { recordEvents } from '../alerts/record-events.ts';
import { showReading, stateToWrite } from '../watching/evaluate.ts';
import type { WatchDeps } from '../watching/follow-due.ts';
import { loadWatched } from '../watching/load-watched.ts';
import {
  holdAccounts,
  holdDevices,
  type KnownDevice,
  type LatestReading,
  updateReadings,
} from '../watching/sql-reading.ts';
import { upsertStates } from '../watching/sql-state.ts';
import type { AlertEvent, RuleState, Watched } from '../watching/watched.ts';
import { KNOWN_FIELDS_MAX } from './reading.ts';

export interface FoundReading {
  readonly line: number;
  readonly accountName: string;
  readonly deviceId: string;
  readonly atMs: number;
  readonly values: Values;
}

export interface Written {
  accepted: number;
  duplicates: number;
  late: number;
  readonly rejected: { readonly line: number; readonly reason: string }[];
}

/** So many evaluations go without a breath: other requests of the process are answered in between. */
const BREATH = 5_000;

interface Batch {
  readonly events: AlertEvent[];
  readonly states: RuleState[];
  readonly latest: LatestReading[];
  readonly written: Written;
}

const isSame = (values: Values, known: Values): boolean =>
  Object.entries(values).every(([name, value]) => isDeepStrictEqual(known[name], value));

/** Shows the readings of one device, in the order of their moments, to its rules. Answers how often a rule was asked. */
function showDevice(
  { deviceId, at, known: knownBefore }: KnownDevice,
  readings: readonly FoundReading[],
  rules: readonly Watched[],
  { events, states, latest, written }: Batch,
): number {
  let lastAtMs = at?.getTime();
  let known = knownBefore;
  let asked = 0;
  for (const { line, atMs, values } of readings.toSorted((a, b) => a.atMs - b.atMs || a.line - b.line)) {
    if (lastAtMs !== undefined && atMs < lastAtMs) written.late++;
    else if (atMs === lastAtMs && isSame(values, known)) written.duplicates++;
    else {
      const merged = { ...known, ...values };
      if (Object.keys(merged).length > KNOWN_FIELDS_MAX) {
        written.rejected.push({
          line,
          reason: `values would make more than ${KNOWN_FIELDS_MAX} fields known`,
        });
        continue;
      }
      for (const watched of rules)
        events.push(...showReading(watched, lastAtMs, { atMs, values: merged, before: known }));
      [known, lastAtMs] = [merged, atMs];
      asked += rules.length;
      written.accepted++;
    }
  }
  if (known !== knownBefore) latest.push({ deviceId, atMs: lastAtMs!, known });
  for (const watched of rules) {
    const state = stateToWrite(watched, lastAtMs, { exactDue: false });
    if (state !== undefined) states.push(state);
  }
  return asked;
}

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
    const batch: Batch = { events: [...loaded.events], states: [], latest: [], written };
    let asked = 0;
    for (const device of held) {
      const rules = loaded.byDevice.get(device.deviceId) ?? [];
      asked += showDevice(device, byDevice.get(device.deviceId)!, rules, batch);
      byDevice.delete(device.deviceId);
      if (asked < BREATH) continue;
      asked = 0;
      await setImmediate();
    }
    for (const { line } of [...byDevice.values()].flat())
      written.rejected.push({ line, reason: 'device is not known' });
    await updateReadings(db, ecpdId, batch.latest);
    await upsertStates(db, ecpdId, batch.states);
    await recordEvents(ctx, ecpdId, batch.events, count);
    return written;
  });
