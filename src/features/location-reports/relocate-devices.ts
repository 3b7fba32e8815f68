import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { type Accuracy, listWithheld } from '../consents/index.ts';
import {
  type Locator,
  listTargets,
  NO_LINE,
  NOT_CACHED,
  oldestAllowed,
  type Recorded,
  SOURCE_FAILED,
} from '../locations/index.ts';
import type { WatchServices } from '../usage/index.ts';
import { keptSince } from './location-request.ts';
import { settleAwaited } from './settle-awaited.ts';
import { type AwaitedEntry, listAwaited, listCached, placeOf } from './sql-awaited.ts';
import type { TellListeners } from './tell-listeners.ts';
import { SourceUnreachable } from './work-request.ts';

export interface Relocation {
  readonly locator: Locator;
  readonly tell: TellListeners;
  readonly watchServices: WatchServices;
  readonly signal: AbortSignal;
}

/** By the place of the entry. */
type Known = Map<string, Recorded>;

/** Who was never asked for is looked for as the request wanted it: in the cache first, or there alone. */
async function askCache(
  ctx: Ctx,
  tenant: Tenant,
  accuracy: Accuracy,
  allowed: readonly AwaitedEntry[],
): Promise<Known> {
  const now = ctx.now();
  const asked = allowed.filter(({ state, cacheMode }) => state === 'withheld' && cacheMode !== 2);
  const fixes = await listCached(
    ctx.db,
    tenant,
    accuracy,
    asked.map(({ deviceId, maxAgeMs }) => ({
      deviceId,
      notBefore: oldestAllowed(now, maxAgeMs ?? undefined),
    })),
  );
  const known: Known = new Map();
  for (const [n, entry] of asked.entries()) {
    const fix = fixes[n];
    if (fix !== undefined) known.set(placeOf(entry), { fix, cached: true });
    else if (entry.cacheMode === 0) known.set(placeOf(entry), { failure: NOT_CACHED, at: now });
  }
  return known;
}

/** A device is asked for once, whatever the number of requests that wait for it. */
async function relocateWith(
  ctx: Ctx,
  tenant: Tenant,
  accuracy: Accuracy,
  entries: readonly AwaitedEntry[],
  { locator, signal, ...settling }: Relocation,
): Promise<void> {
  const idsOf = (some: readonly AwaitedEntry[]) => [...new Set(some.map(({ deviceId }) => deviceId))];
  const withheld = await listWithheld(ctx.db, tenant, idsOf(entries), accuracy);
  const allowed = entries.filter(({ deviceId }) => !withheld.has(deviceId));
  const known = await askCache(ctx, tenant, accuracy, allowed);
  for (const entry of entries) if (withheld.has(entry.deviceId)) known.set(placeOf(entry), 'withheld');
  const asking = entries.filter((entry) => !known.has(placeOf(entry)));
  const targets = await listTargets(ctx.db, tenant, idsOf(asking));
  const { answers, trouble } = await locator.locate(targets, accuracy, signal);
  signal.throwIfAborted();
  const at = ctx.now();
  const hasLine = new Set(targets.map(({ deviceId }) => deviceId));
  for (const entry of asking) {
    if (!hasLine.has(entry.deviceId)) known.set(placeOf(entry), { failure: NO_LINE, at });
    else if (entry.state === 'withheld' && trouble === 'refused' && !answers.has(entry.deviceId))
      known.set(placeOf(entry), { failure: SOURCE_FAILED, at });
  }
  await settleAwaited(ctx, tenant, { accuracy, entries, known, answers }, settling);
  // What was not answered is asked for again soon, and not only in an hour.
  if (trouble === 'unreachable') throw new SourceUnreachable('the position source was not reached');
}

/** Asks again for devices that could not be reached, or might not be asked for, for every request that waits for them. */
export async function relocateDevices(
  ctx: Ctx,
  tenant: Tenant,
  deviceIds: readonly string[],
  relocation: Relocation,
): Promise<void> {
  const now = ctx.now();
  const entries = await listAwaited(ctx.db, tenant, deviceIds, { now, endedAfter: keptSince(now) });
  for (const [accuracy, its] of Map.groupBy(entries, ({ accuracy }) => accuracy))
    await relocateWith(ctx, tenant, accuracy, its, relocation);
}
