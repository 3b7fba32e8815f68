import { type Ctx, inTx, type Tenant } from '../../platform/context.ts';
import { type Accuracy, listWithheld } from '../consents/index.ts';
import {
  CONSENT_FAILED,
  type Locator,
  listTargets,
  NO_LINE,
  type Outcome,
  recordFixes,
  type SourceAnswer,
} from '../locations/index.ts';
import { holdPayers, type WatchServices } from '../usage/index.ts';
import { keptSince, type RequestStatus } from './location-request.ts';
import { type AbsentEntry, listAbsent, postponeEntries } from './sql-absent.ts';
import { settleEntries } from './sql-entry.ts';
import { lockStatuses } from './sql-request.ts';
import type { TellListeners } from './tell-listeners.ts';
import { SourceUnreachable } from './work-request.ts';

export interface Relocation {
  readonly locator: Locator;
  readonly tell: TellListeners;
  readonly watchServices: WatchServices;
  readonly signal: AbortSignal;
}

/**
 * Entries of one request change together, and are told together. Only a position ends the waiting: whatever else came of
 * asking, the entry says what it said, and the device is asked for again.
 */
async function settleRequest(
  tx: Ctx,
  tenant: Tenant,
  { entries, status }: { entries: readonly AbsentEntry[]; status: RequestStatus | undefined },
  outcomes: ReadonlyMap<string, Outcome>,
  tell: TellListeners,
): Promise<void> {
  const request = entries[0]!;
  const settled = entries.flatMap((entry) => {
    const outcome = outcomes.get(entry.deviceId);
    return outcome === undefined ? [] : [{ ...entry, outcome }];
  });
  const { found = [], other = [] } = Object.groupBy(settled, ({ outcome }) =>
    'fix' in outcome ? 'found' : 'other',
  );
  await postponeEntries(tx.db, tenant, request.txid, other);
  if (found.length === 0) return;
  const changed = await settleEntries(tx.db, tenant, request.txid, 'absent', found);
  const located = found.filter(({ nth }) => changed.has(nth));
  if (located.length === 0) return;
  if (request.answeredBy === 'callbacks') await tell.devices(tx, tenant, request, located);
  // One that is still worked on is told of at its end.
  else if (status === 'COMPLETED') await tell.report(tx, tenant, request);
}

/** Reports with a device that was found. They may have been completed, and told so, since its entry was read. */
const listChanging = (
  entries: readonly AbsentEntry[],
  answers: ReadonlyMap<string, SourceAnswer>,
): readonly string[] => [
  ...new Set(
    entries.flatMap(({ answeredBy, deviceId, txid }) => {
      const answer = answers.get(deviceId);
      return answeredBy === 'report' && answer !== undefined && 'fix' in answer ? [txid] : [];
    }),
  ),
];

/** A device is asked for once, whatever the number of requests that wait for it, and billed with the oldest of them. */
async function relocateWith(
  ctx: Ctx,
  tenant: Tenant,
  accuracy: Accuracy,
  entries: readonly AbsentEntry[],
  { locator, tell, watchServices, signal }: Relocation,
): Promise<void> {
  const ids = [...new Set(entries.map(({ deviceId }) => deviceId))];
  const withheld = await listWithheld(ctx.db, tenant, ids, accuracy);
  const targets = await listTargets(
    ctx.db,
    tenant,
    ids.filter((id) => !withheld.has(id)),
  );
  const { answers, trouble } = await locator.locate(targets, accuracy, signal);
  signal.throwIfAborted();
  const asked = new Set(targets.map(({ deviceId }) => deviceId));
  const oldest = new Map(entries.toReversed().map(({ deviceId, txid }) => [deviceId, txid]));
  await inTx(ctx, async (tx) => {
    // In the order of who works on a request: accounts, requests, devices.
    await holdPayers(tx.db, tenant.ecpdId, [tenant.accountName]);
    const statuses = await lockStatuses(tx.db, tenant, listChanging(entries, answers));
    const requestRefOf = (deviceId: string) => oldest.get(deviceId)!;
    const fixes = await recordFixes(tx, tenant, { accuracy, answers, requestRefOf, watchServices });
    const outcomes = new Map<string, Outcome>(fixes);
    for (const id of ids) {
      if (withheld.has(id)) outcomes.set(id, { failure: CONSENT_FAILED, at: tx.now() });
      else if (!asked.has(id)) outcomes.set(id, { failure: NO_LINE, at: tx.now() });
    }
    for (const [txid, its] of Map.groupBy(entries, ({ txid }) => txid))
      await settleRequest(tx, tenant, { entries: its, status: statuses.get(txid) }, outcomes, tell);
  });
  // What was not answered is asked for again soon, and not only in an hour.
  if (trouble === 'unreachable') throw new SourceUnreachable('the position source was not reached');
}

/** Asks again for devices that could not be reached, for every request that still waits for them. */
export async function relocateDevices(
  ctx: Ctx,
  tenant: Tenant,
  deviceIds: readonly string[],
  relocation: Relocation,
): Promise<void> {
  const now = ctx.now();
  const entries = await listAbsent(ctx.db, tenant, deviceIds, { now, endedAfter: keptSince(now) });
  for (const [accuracy, its] of Map.groupBy(entries, ({ accuracy }) => accuracy))
    await relocateWith(ctx, tenant, accuracy, its, relocation);
}
