import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Chance } from '../../platform/chance/chance.ts';
import { type Ctx, inTx } from '../../platform/context/context.ts';
import type { Values } from '../device-management/index.ts';
import { holdRules } from './active-rules.ts';
import type { RuleDeps } from './apply-due.ts';
import { showReading, stateToWrite } from './evaluate.ts';
import type { ActiveRule, AlertEvent, RuleState } from './progress.ts';
import { recordEvents } from './record-events.ts';
import { type KnownDevice, type LatestReading, updateReadings } from './sql-reading.ts';
import { upsertStates } from './sql-state.ts';

export interface FoundReading {
  readonly line: number;
  readonly accountName: string;
  readonly deviceId: string;
  readonly atMs: number;
  /** The time stated in the reading. Readings dated in the future occurred when taken, but keep this order. */
  readonly saidMs: number;
  readonly values: Values;
}

interface Written {
  accepted: number;
  duplicates: number;
  late: number;
  readonly rejected: { readonly line: number; readonly reason: string }[];
}

export interface Batch {
  readonly chance: Chance;
  readonly events: AlertEvent[];
  readonly states: RuleState[];
  readonly latest: LatestReading[];
  readonly written: Written;
  readonly pause: Pause;
}

/** Evaluation runs at most this long before it yields to other requests of the process. */
const PAUSE_AFTER_MS = 10;

/** Measures time rather than counting rules: one rule may take a thousand times as long as another. */
export class Pause {
  #sinceMs = performance.now();

  isDue(): boolean {
    return performance.now() - this.#sinceMs >= PAUSE_AFTER_MS;
  }

  async take(): Promise<void> {
    await setImmediate();
    this.#sinceMs = performance.now();
  }
}

/** Limits the known fields of a device: ever new field names must not fill memory. */
const KNOWN_FIELDS_MAX = 256;
/** At most this many readings with the same time are reliably distinguished. */
const SAME_TIME_MAX = 100;
const DIGEST_CHARS = 22;

const digestOf = (values: Values): string =>
  hash('sha256', JSON.stringify(values), 'base64url').slice(0, DIGEST_CHARS);

const isSame = (values: Values, known: Values): boolean =>
  Object.entries(values).every(([name, value]) => isDeepStrictEqual(known[name], value));

/** Applies the readings of one device to its rules in time order. Yields when a pause is due. */
export function* showDevice(
  { deviceId, cameMs, atMs: storedAtMs, known: knownBefore, timeDigests }: KnownDevice,
  readings: readonly FoundReading[],
  rules: readonly ActiveRule[],
  { chance, events, states, latest, written, pause }: Batch,
): Generator<void> {
  let lastAtMs = storedAtMs ?? undefined;
  let known = knownBefore;
  // Digests are computed only for readings with the same time, and for what is stored: most readings need none.
  let sameTime: (string | Values)[] = timeDigests === '' ? [] : timeDigests.split(' ');
  const isKnownReading = (values: Values): boolean => {
    sameTime = sameTime.map((one) => (typeof one === 'string' ? one : digestOf(one)));
    return sameTime.includes(digestOf(values));
  };
  for (const { line, atMs, values } of readings.toSorted((a, b) => a.saidMs - b.saidMs || a.line - b.line)) {
    if (cameMs !== null && atMs < cameMs) written.rejected.push({ line, reason: 'device is not known' });
    else if (lastAtMs !== undefined && atMs < lastAtMs) written.late++;
    else if (atMs === lastAtMs && (isSame(values, known) || isKnownReading(values))) written.duplicates++;
    else {
      const merged = { ...known, ...values };
      if (Object.keys(merged).length > KNOWN_FIELDS_MAX) {
        const reason = `values would exceed ${KNOWN_FIELDS_MAX} known fields`;
        written.rejected.push({ line, reason });
        continue;
      }
      for (const active of rules)
        events.push(...showReading(active, lastAtMs, { chance, atMs, values: merged, before: known }));
      sameTime = [...(atMs === lastAtMs ? sameTime : []), values].slice(-SAME_TIME_MAX);
      [known, lastAtMs] = [merged, atMs];
      written.accepted++;
    }
    if (pause.isDue()) yield;
  }
  if (known !== knownBefore) {
    const digests = sameTime.map((one) => (typeof one === 'string' ? one : digestOf(one)));
    latest.push({ deviceId, atMs: lastAtMs!, known, timeDigests: digests.join(' ') });
  }
  for (const active of rules) {
    const state = stateToWrite(active, lastAtMs, { exactDue: false });
    if (state !== undefined) states.push(state);
  }
}

/** Writes the part of a batch that belongs to one profile: readings and their consequences commit together. */
export const writeReadings = (
  outer: Ctx,
  ecpdId: string,
  readings: readonly FoundReading[],
  { cache, count }: RuleDeps,
): Promise<Written> =>
  inTx(outer, async (ctx) => {
    const { db } = ctx;
    const byDevice = Map.groupBy(readings, ({ deviceId }) => deviceId);
    const loaded = await holdRules(ctx, ecpdId, readings, { cache });
    const written: Written = { accepted: 0, duplicates: 0, late: 0, rejected: [] };
    const events = [...loaded.events];
    const batch: Batch = {
      ...{ chance: ctx.chance, events, states: [], latest: [], written, pause: new Pause() },
    };
    for (const device of loaded.held) {
      const rules = loaded.byDevice.get(device.deviceId) ?? [];
      for (const _ of showDevice(device, byDevice.get(device.deviceId)!, rules, batch))
        await batch.pause.take();
      byDevice.delete(device.deviceId);
    }
    for (const { line } of [...byDevice.values()].flat())
      written.rejected.push({ line, reason: 'device is not known' });
    await updateReadings(db, ecpdId, batch.latest);
    await upsertStates(db, ecpdId, batch.states, ctx.clock.moveNr());
    await recordEvents(ctx, ecpdId, batch.events, count);
    return written;
  });
