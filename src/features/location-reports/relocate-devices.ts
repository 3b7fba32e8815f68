import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import type { Accuracy } from '../consents/index.ts';
import {
  ABSENT,
  NO_LINE,
  NOT_CACHED,
  type Outcome,
  oldestAllowed,
  type Recorded,
  recordFixes,
  SOURCE_FAILED,
  type SourceAnswer,
  USED_UP,
} from '../locations/index.ts';
import { holdPayers } from '../usage/index.ts';
import { keptSince } from './location-request.ts';
import {
  type AwaitedEntry,
  countAwaited,
  keepAwaited,
  listAwaited,
  listCached,
  placeOf,
  postponeEntries,
} from './sql-awaited.ts';
import { settleEntries } from './sql-entry.ts';
import { lockStatuses } from './sql-request.ts';
import { askNetwork, findAskable, SourceUnreachable, type Working } from './work-request.ts';

/** Keyed by `placeOf` the entry. */
type Known = Map<string, Recorded>;

/** Devices never located before get the cache mode of their request: the cache first, or only the cache. */
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

/** Queries the network once for each device, however many requests wait for it. */
async function relocateWith(
  ctx: Ctx,
  tenant: Tenant,
  accuracy: Accuracy,
  entries: readonly AwaitedEntry[],
  working: Working,
  signal: AbortSignal,
): Promise<void> {
  const idsOf = (some: readonly AwaitedEntry[]) => [...new Set(some.map(({ deviceId }) => deviceId))];
  const found = await findAskable(ctx, tenant, idsOf(entries), accuracy);
  const allowed = entries.filter(({ deviceId }) => !found.known.has(deviceId));
  const known = await askCache(ctx, tenant, accuracy, allowed);
  const asking = allowed.filter((entry) => !known.has(placeOf(entry)));
  for (const entry of entries) {
    const decided = found.known.get(entry.deviceId);
    if (decided !== undefined) known.set(placeOf(entry), decided);
  }
  const wanted = new Set(idsOf(asking));
  const targets = found.targets.filter(({ deviceId }) => wanted.has(deviceId));
  const { answers, trouble, isOpen } = await askNetwork(ctx, tenant, { targets, accuracy }, working, signal);
  const at = ctx.now();
  for (const entry of asking) {
    if (!isOpen) known.set(placeOf(entry), { failure: entry.state === 'absent' ? ABSENT : USED_UP, at });
    else if (entry.state === 'withheld' && trouble === 'refused' && !answers.has(entry.deviceId))
      known.set(placeOf(entry), { failure: SOURCE_FAILED, at });
  }
  await settleAwaited(ctx, tenant, { accuracy, entries, known, answers }, working);
  // Devices without an answer are tried again soon, instead of in an hour.
  if (trouble === 'unreachable') throw new SourceUnreachable('the position source was not reached');
}

/** Parts of about `size` entries. Those of one device are never split: its position serves them all in one transaction. */
function partsOf(
  devices: readonly { readonly deviceId: string; readonly count: number }[],
  size: number,
): string[][] {
  const parts: string[][] = [];
  let room = 0;
  for (const { deviceId, count } of devices) {
    if (count > room) {
      parts.push([]);
      room = size;
    }
    parts.at(-1)!.push(deviceId);
    room -= count;
  }
  return parts;
}

/** Locates devices again that were unreachable or lacked consent, for every request that waits for them. */
export async function relocateDevices(
  ctx: Ctx,
  tenant: Tenant,
  deviceIds: readonly string[],
  working: Working,
  signal: AbortSignal,
): Promise<void> {
  for (const part of partsOf(await countAwaited(ctx.db, tenant, deviceIds), working.together)) {
    const now = ctx.now();
    const entries = await listAwaited(ctx.db, tenant, part, { now, endedAfter: keptSince(now) });
    for (const [accuracy, its] of Map.groupBy(entries, ({ accuracy }) => accuracy))
      await relocateWith(ctx, tenant, accuracy, its, working, signal);
  }
}

/** The new results for awaited entries, before they are written. */
interface FoundOut {
  readonly accuracy: Accuracy;
  readonly entries: readonly AwaitedEntry[];
  /** Results that need no network answer, keyed by `placeOf` the entry. */
  readonly known: ReadonlyMap<string, Recorded>;
  readonly answers: ReadonlyMap<string, SourceAnswer>;
}

type Settled = Omit<AwaitedEntry, 'outcome'> & { readonly outcome: Recorded; readonly fromNetwork: boolean };
type Ended = Omit<Settled, 'outcome'> & { readonly outcome: Outcome };

/**
 * Only a position ends the wait for an unreachable device, or that the account has no such line any more; after any other
 * result, also one of the network, the entry stays as it was. For a device that was never queried, any answer ends the wait.
 */
const isEnd = (settled: Settled): settled is Ended =>
  settled.outcome !== 'withheld' &&
  (settled.state === 'withheld' ||
    'fix' in settled.outcome ||
    (!settled.fromNetwork && settled.outcome.failure.type === NO_LINE.type));

/** Each device is billed once, to the oldest of the requests that needed the network. */
const settleAwaited = (
  outer: Ctx,
  tenant: Tenant,
  found: FoundOut,
  { notify, watchServices }: Working,
): Promise<void> =>
  inTx(outer, async (tx) => {
    const { accuracy, known } = found;
    // The lock order of all workers of requests: accounts, requests, devices.
    await holdPayers(tx.db, tenant.ecpdId, [tenant.accountName]);
    // Since the entries were read, their requests may have been completed and reported, or cancelled.
    const txids = [...new Set(found.entries.map(({ txid }) => txid))];
    const statuses = await lockStatuses(tx.db, tenant, txids);
    const entries = await keepAwaited(tx.db, tenant, found.entries);
    const asked = entries.filter((entry) => !known.has(placeOf(entry)));
    const oldest = new Map(asked.toReversed().map(({ deviceId, txid }) => [deviceId, txid]));
    const answers = new Map([...found.answers].filter(([deviceId]) => oldest.has(deviceId)));
    const requestRefOf = (deviceId: string) => oldest.get(deviceId)!;
    const recorded = await recordFixes(tx, tenant, { accuracy, answers, requestRefOf, watchServices });
    const settled = entries.flatMap((entry) => {
      const decided = known.get(placeOf(entry));
      const outcome = decided ?? recorded.get(entry.deviceId);
      return outcome === undefined ? [] : [{ ...entry, outcome, fromNetwork: decided === undefined }];
    });
    const waiting = settled.filter((entry) => entry.state === 'absent' && !isEnd(entry));
    await postponeEntries(tx.db, tenant, waiting);
    const changed = await settleEntries(tx.db, tenant, ['absent', 'withheld'], settled.filter(isEnd));
    const { callbacks = [], report = [] } = Object.groupBy(changed, ({ answeredBy }) => answeredBy);
    const told = callbacks.map((entry) => ({ ...entry, request: entry }));
    await notify.devices(tx, tenant, told);
    const reports = [...new Map(report.map((entry) => [entry.txid, entry])).values()];
    // A request in progress is reported when it ends.
    await notify.reports(
      tx,
      tenant,
      reports.filter(({ txid }) => statuses.get(txid) === 'COMPLETED'),
    );
  });
