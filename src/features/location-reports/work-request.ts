import { type Ctx, inTx, type Tenant } from '../../platform/context.ts';
import { listWithheld } from '../consents/index.ts';
import {
  CONSENT_FAILED,
  type Locator,
  listTargets,
  NO_LINE,
  type Outcome,
  recordFixes,
  SOURCE_FAILED,
  type SourceAnswer,
} from '../locations/index.ts';
import type { LocationRequest } from './location-request.ts';
import { type Entry, listWaiting, settleEntries } from './sql-entry.ts';
import { completeRequest } from './sql-request.ts';
import type { TellListeners } from './tell-listeners.ts';

/** What is asked for and recorded together: so much is asked for again after a crash. */
const CHUNK = 250;

export class SourceUnreachable extends Error {}

/** Commits what is known of a chunk, with what it costs and whom it is told; the last one ends the request. */
async function settle(
  ctx: Ctx,
  tenant: Tenant,
  request: LocationRequest,
  {
    chunk,
    answers,
    known,
  }: {
    readonly chunk: readonly Entry[];
    readonly answers: ReadonlyMap<string, SourceAnswer>;
    readonly known: ReadonlyMap<string, Outcome>;
  },
  tell: TellListeners,
): Promise<boolean> {
  const { txid, accuracy } = request;
  return inTx(ctx, async (tx) => {
    const fixes = await recordFixes(tx, tenant, { requestRef: txid, accuracy }, answers);
    const settled = chunk.flatMap((entry) => {
      const outcome = fixes.get(entry.deviceId) ?? known.get(entry.deviceId);
      return outcome === undefined ? [] : [{ ...entry, outcome }];
    });
    const changed = await settleEntries(tx.db, tenant, txid, 'waiting', settled);
    if (request.answeredBy === 'callbacks')
      await tell.devices(
        tx,
        tenant,
        request,
        settled.filter(({ nth }) => changed.has(nth)),
      );
    const ended = await completeRequest(tx.db, tenant, txid, tx.now());
    if (ended && request.answeredBy === 'report') await tell.report(tx, tenant, request);
    return ended;
  });
}

/**
 * Asks the network for the next devices of a request; true when that was the last of them. Devices that were settled
 * before are not asked for again. Throws when the source was not reached, after recording what it did answer; in the
 * last attempt the devices without an answer have failed instead.
 */
export async function workChunk(
  ctx: Ctx,
  tenant: Tenant,
  request: LocationRequest,
  {
    locator,
    tell,
    signal,
    isLastAttempt,
  }: {
    readonly locator: Locator;
    readonly tell: TellListeners;
    readonly signal: AbortSignal;
    readonly isLastAttempt: boolean;
  },
): Promise<boolean> {
  const chunk = await listWaiting(ctx.db, tenant, request.txid, CHUNK);
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
  const gaveUp = trouble === 'refused' || isLastAttempt;
  const known = new Map<string, Outcome>();
  for (const id of ids) {
    if (withheld.has(id)) known.set(id, { failure: CONSENT_FAILED, at });
    else if (!asked.has(id)) known.set(id, { failure: NO_LINE, at });
    else if (!answers.has(id) && gaveUp) known.set(id, { failure: SOURCE_FAILED, at });
  }
  const ended = await settle(ctx, tenant, request, { chunk, answers, known }, tell);
  if (trouble === 'unreachable' && !gaveUp)
    throw new SourceUnreachable('the position source was not reached');
  return ended;
}
