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
  /** Devices that are asked for and recorded together: so many are asked for again after a crash. */
  readonly chunk: number;
}

/** Commits what is known of a chunk, with what it costs and whom it is told; the last one ends the request. */
async function settle(
  ctx: Ctx,
  tenant: Tenant,
  request: LocationRequest,
  { chunk, answers, known }: Chunk,
  { notify, watchServices }: Working,
): Promise<boolean> {
  const { txid, accuracy } = request;
  return inTx(ctx, async (tx) => {
    // Accounts first: who deletes one goes on to its requests.
    await holdPayers(tx.db, tenant.ecpdId, [tenant.accountName]);
    // Somebody else may have ended it, or its account may be gone.
    if (!(await lockOpenRequest(tx.db, tenant, txid))) return true;
    const answered = { accuracy, answers, requestRefOf: () => txid, watchServices };
    const fixes = await recordFixes(tx, tenant, answered);
    const settled = chunk.flatMap((entry) => {
      const outcome = fixes.get(entry.deviceId) ?? known.get(entry.deviceId);
      return outcome === undefined ? [] : [{ ...entry, outcome }];
    });
    const changed = await settleEntries(tx.db, tenant, txid, ['waiting'], settled);
    // Who waits was allowed when asked: otherwise nothing would have been asked of the network.
    const withdrawn = { failure: CONSENT_FAILED, at: tx.now() };
    const results = settled.flatMap(({ outcome, ...entry }) =>
      changed.has(entry.nth) ? [{ ...entry, outcome: outcome === 'withheld' ? withdrawn : outcome }] : [],
    );
    return finishIfSettled(tx, tenant, request, results, notify);
  });
}

/** Tells what was settled, and ends the request when nothing waits any more. */
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
 * Asks the network for the next devices of a request; true when that was the last of them. Devices that were settled
 * before are not asked for again. Throws when the source was not reached, after recording what it did answer.
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

/** Whoever waits for the request is told what became of it, also when nobody could work on it. */
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
