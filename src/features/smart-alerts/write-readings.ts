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
  /** As it was dated: what is dated ahead occurred when it was taken, and still one after the other. */
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
  readonly breath: Breath;
}

/** So long evaluations go on without a breath: other requests of the process are answered in between. */
const BREATH_MS = 10;

/** By time and not by their number: one rule may take a thousand times as long as another. */
export class Breath {
  #sinceMs = performance.now();

  isDue(): boolean {
    return performance.now() - this.#sinceMs >= BREATH_MS;
  }

  async take(): Promise<void> {
    await setImmediate();
    this.#sinceMs = performance.now();
  }
}

/** What is known of a device: fields that come under ever new names fill no memory. */
const KNOWN_FIELDS_MAX = 256;
/** So many readings of one moment are told apart for certain. */
const TOLD_MAX = 100;
const DIGEST_CHARS = 22;

const digestOf = (values: Values): string =>
  hash('sha256', JSON.stringify(values), 'base64url').slice(0, DIGEST_CHARS);

const isSame = (values: Values, known: Values): boolean =>
  Object.entries(values).every(([name, value]) => isDeepStrictEqual(known[name], value));

/** Shows the readings of one device, in the order of their moments, to its rules. Yields when a breath is due. */
export function* showDevice(
  { deviceId, cameMs, atMs: toldMs, known: knownBefore, toldAt }: KnownDevice,
  readings: readonly FoundReading[],
  rules: readonly ActiveRule[],
  { chance, events, states, latest, written, breath }: Batch,
): Generator<void> {
  let lastAtMs = toldMs ?? undefined;
  let known = knownBefore;
  // Digests are made where two readings share a moment, and of what is kept: most readings need none.
  let told: (string | Values)[] = toldAt === '' ? [] : toldAt.split(' ');
  const wasTold = (values: Values): boolean => {
    told = told.map((one) => (typeof one === 'string' ? one : digestOf(one)));
    return told.includes(digestOf(values));
  };
  for (const { line, atMs, values } of readings.toSorted((a, b) => a.saidMs - b.saidMs || a.line - b.line)) {
    if (cameMs !== null && atMs < cameMs) written.rejected.push({ line, reason: 'device is not known' });
    else if (lastAtMs !== undefined && atMs < lastAtMs) written.late++;
    else if (atMs === lastAtMs && (isSame(values, known) || wasTold(values))) written.duplicates++;
    else {
      const merged = { ...known, ...values };
      if (Object.keys(merged).length > KNOWN_FIELDS_MAX) {
        const reason = `values would make more than ${KNOWN_FIELDS_MAX} fields known`;
        written.rejected.push({ line, reason });
        continue;
      }
      for (const active of rules)
        events.push(...showReading(active, lastAtMs, { chance, atMs, values: merged, before: known }));
      told = [...(atMs === lastAtMs ? told : []), values].slice(-TOLD_MAX);
      [known, lastAtMs] = [merged, atMs];
      written.accepted++;
    }
    if (breath.isDue()) yield;
  }
  if (known !== knownBefore) {
    const digests = told.map((one) => (typeof one === 'string' ? one : digestOf(one)));
    latest.push({ deviceId, atMs: lastAtMs!, known, toldAt: digests.join(' ') });
  }
  for (const active of rules) {
    const state = stateToWrite(active, lastAtMs, { exactDue: false });
    if (state !== undefined) states.push(state);
  }
}

/** The part of a batch that belongs to one profile: what the devices told and what follows from it commit together. */
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
      ...{ chance: ctx.chance, events, states: [], latest: [], written, breath: new Breath() },
    };
    for (const device of loaded.held) {
      const rules = loaded.byDevice.get(device.deviceId) ?? [];
      for (const _ of showDevice(device, byDevice.get(device.deviceId)!, rules, batch))
        await batch.breath.take();
      byDevice.delete(device.deviceId);
    }
    for (const { line } of [...byDevice.values()].flat())
      written.rejected.push({ line, reason: 'device is not known' });
    await updateReadings(db, ecpdId, batch.latest);
    await upsertStates(db, ecpdId, batch.states, ctx.clock.moveNr());
    await recordEvents(ctx, ecpdId, batch.events, count);
    return written;
  });
