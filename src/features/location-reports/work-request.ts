import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import { listWithheld } from '../consents/index.ts';
import {
  CONSENT_FAILED,
  type Locator,
  listTargets,
  NO_LINE,
  type Recorded,
  recordFixes,
  SOURCE_FAILED,
  type SourceAnswer,
} from '../locations/index.ts';
import { holdPayers, type WatchServices } from '../usage/index.ts';
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
      return outcome === undefined ? [] : [{ ...entry, outcome }];
    });
    const changed = await settleEntries(tx.db, tenant, txid, ['waiting'], settled);
    // A waiting entry had consent when the request was made; otherwise it would not wait for the network.
    const withdrawn = { failure: CONSENT_FAILED, at: tx.now() };
    const results = settled.flatMap(({ outcome, ...entry }) =>
      changed.has(entry.nth) ? [{ ...entry, outcome: outcome === 'withheld' ? withdrawn : outcome }] : [],
    );
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
  if (request.answeredBy === 'callbacks') await notify.devices(tx, tenant, request, settled);
  const ended = await completeRequest(tx.db, tenant, request.txid, tx.now());
  if (ended && request.answeredBy === 'report') await notify.report(tx, tenant, request);
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
  const { locator, chunk: limit } = working;
  const chunk = await listWaiting(ctx.db, tenant, request.txid, limit);
  const ids = chunk.map(({ deviceId }) => deviceId);
  const withheld = await listWithheld(ctx.db, tenant, ids, request.accuracy);
  const targets = await listTargets(
    ctx.db,
    tenant,
    ids.filter((id) => !withheld.has(id)),
  );
  const { answers, trouble } = await locator.locate(targets, request.accuracy, signal);
  signal.throwIfAborted();
  const at = ctx.now();
  const asked = new Set(targets.map(({ deviceId }) => deviceId));
  const known = new Map<string, Recorded>();
  for (const id of ids) {
    if (withheld.has(id)) known.set(id, 'withheld');
    else if (!asked.has(id)) known.set(id, { failure: NO_LINE, at });
    else if (!answers.has(id) && trouble === 'refused') known.set(id, { failure: SOURCE_FAILED, at });
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
