import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import { type Accuracy, listWithheld } from '../consents/index.ts';
import {
  CONSENT_FAILED,
  type Locator,
  listTargets,
  NO_LINE,
  type Recorded,
  recordFixes,
  SOURCE_FAILED,
  type SourceAnswer,
  type Target,
  USED_UP,
} from '../locations/index.ts';
import { holdPayers, isServiceOpen, type WatchServices } from '../usage/index.ts';
import type { ListenerNotifier } from './callbacks.ts';
import type { LocationRequest } from './location-request.ts';
import { type Entry, failWaiting, listWaiting, type SettledEntry, settleEntries } from './sql-entry.ts';
import { completeRequest, lockOpenRequest, startRequest } from './sql-request.ts';

export class SourceUnreachable extends Error {}

interface Chunk {
  readonly chunk: readonly Entry[];
  readonly answers: ReadonlyMap<string, SourceAnswer>;
  readonly known: ReadonlyMap<string, Recorded>;
}

/** What the jobs of this feature need. */
export interface Working {
  readonly locator: Locator;
  readonly notify: ListenerNotifier;
  readonly watchServices: WatchServices;
  /** Devices queried and recorded together. After a crash, at most this many are queried again. */
  readonly chunk: number;
  /** Awaited entries handled together, except that those of one device are never split. */
  readonly together: number;
}

/**
 * Sorts devices into those that may be asked for and those whose result is known. Whether the account has the line comes
 * before consent, which nobody can give for a line that left.
 */
export async function findAskable(
  ctx: Ctx,
  tenant: Tenant,
  deviceIds: readonly string[],
  accuracy: Accuracy,
): Promise<{ readonly targets: readonly Target[]; readonly known: ReadonlyMap<string, Recorded> }> {
  // Before the lines: one that leaves in between is found missing.
  const withheld = await listWithheld(ctx.db, tenant, deviceIds, accuracy);
  const present = await listTargets(ctx.db, tenant, deviceIds);
  const at = ctx.now();
  const known = new Map<string, Recorded>(deviceIds.map((id) => [id, { failure: NO_LINE, at }]));
  for (const { deviceId } of present) {
    if (withheld.has(deviceId)) known.set(deviceId, 'withheld');
    else known.delete(deviceId);
  }
  return { targets: present.filter(({ deviceId }) => !known.has(deviceId)), known };
}

/** Queries the network for a batch of devices. Asks nothing while the account's subscribed usage is used up. */
export async function askNetwork(
  ctx: Ctx,
  tenant: Tenant,
  { targets, accuracy }: { readonly targets: readonly Target[]; readonly accuracy: Accuracy },
  { locator }: Working,
  signal: AbortSignal,
) {
  const isOpen = targets.length === 0 || (await isServiceOpen(ctx, tenant, 'Location'));
  const { answers, trouble } = await locator.locate(isOpen ? targets : [], accuracy, signal);
  signal.throwIfAborted();
  return { answers, trouble, isOpen };
}

/** Commits the results of a chunk with their charges and callbacks. The last chunk ends the request. */
async function settle(
  ctx: Ctx,
  tenant: Tenant,
  request: LocationRequest,
  { chunk, answers, known }: Chunk,
  { notify, watchServices }: Working,
): Promise<boolean> {
  const { txid, accuracy } = request;
  return inTx(ctx, async (tx) => {
    // Accounts before requests, like the deletion of an account.
    await holdPayers(tx.db, tenant.ecpdId, [tenant.accountName]);
    // Another process may have ended it, or the account may be deleted.
    if (!(await lockOpenRequest(tx.db, tenant, txid))) return true;
    const answered = { accuracy, answers, requestRefOf: () => txid, watchServices };
    const fixes = await recordFixes(tx, tenant, answered);
    const settled = chunk.flatMap((entry) => {
      const outcome = fixes.get(entry.deviceId) ?? known.get(entry.deviceId);
      return outcome === undefined ? [] : [{ ...entry, txid, outcome }];
    });
    const changed = await settleEntries(tx.db, tenant, ['waiting'], settled);
    // A waiting entry had consent when the request was made; otherwise it would not wait for the network.
    const withdrawn = { failure: CONSENT_FAILED, at: tx.now() };
    const results = changed.map(({ outcome, ...entry }) => ({
      ...entry,
      outcome: outcome === 'withheld' ? withdrawn : outcome,
    }));
    return finishIfSettled(tx, tenant, request, results, notify);
  });
}

/** Reports settled entries, and ends the request when no entry waits any more. */
async function finishIfSettled(
  tx: Ctx,
  tenant: Tenant,
  request: LocationRequest,
  settled: readonly SettledEntry[],
  notify: ListenerNotifier,
): Promise<boolean> {
  const told = settled.map((entry) => ({ ...entry, request }));
  if (request.answeredBy === 'callbacks') await notify.devices(tx, tenant, told);
  const ended = await completeRequest(tx.db, tenant, request.txid, tx.now());
  if (ended && request.answeredBy === 'report') await notify.reports(tx, tenant, [request]);
  return ended;
}

/**
 * Queries the network for the next unsettled devices of a request. Returns true after the last of them. If the source was
 * not reached, records the answers it did get and then throws.
 */
export async function workChunk(
  ctx: Ctx,
  tenant: Tenant,
  request: LocationRequest,
  working: Working,
  signal: AbortSignal,
): Promise<boolean> {
  const { accuracy } = request;
  const chunk = await listWaiting(ctx.db, tenant, request.txid, working.chunk);
  const ids = chunk.map(({ deviceId }) => deviceId);
  const found = await findAskable(ctx, tenant, ids, accuracy);
  const { targets } = found;
  const { answers, trouble, isOpen } = await askNetwork(ctx, tenant, { targets, accuracy }, working, signal);
  const at = ctx.now();
  const known = new Map(found.known);
  for (const { deviceId } of targets) {
    if (!isOpen) known.set(deviceId, { failure: USED_UP, at });
    else if (!answers.has(deviceId) && trouble === 'refused')
      known.set(deviceId, { failure: SOURCE_FAILED, at });
  }
  const ended = await settle(ctx, tenant, request, { chunk, answers, known }, working);
  if (trouble === 'unreachable') throw new SourceUnreachable('the position source was not reached');
  return ended;
}

/** Fails the waiting entries and reports the request, after work on it has failed too often. */
export const giveUpRequest = (
  ctx: Ctx,
  tenant: Tenant,
  txid: string,
  notify: ListenerNotifier,
): Promise<void> =>
  inTx(ctx, async (tx) => {
    const request = await startRequest(tx.db, tenant, txid);
    if (request === undefined) return;
    const failed = await failWaiting(tx.db, tenant, txid, { failure: SOURCE_FAILED, at: tx.now() });
    await finishIfSettled(tx, tenant, request, failed, notify);
  });
