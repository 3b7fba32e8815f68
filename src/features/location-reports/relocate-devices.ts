import { type Ctx, inTx, type Tenant } from '../../platform/context.ts';
import { type Accuracy, listWithheld } from '../consents/index.ts';
import { CONSENT_FAILED, type Locator, listTargets, type Outcome, recordFixes } from '../locations/index.ts';
import { type AbsentEntry, listAbsent } from './sql-absent.ts';
import { settleEntries } from './sql-entry.ts';
import type { TellListeners } from './tell-listeners.ts';

export interface Relocation {
  readonly locator: Locator;
  readonly tell: TellListeners;
  readonly signal: AbortSignal;
}

/** Entries of one request change together, and are told together. */
async function settleRequest(
  tx: Ctx,
  tenant: Tenant,
  entries: readonly AbsentEntry[],
  outcomes: ReadonlyMap<string, Outcome>,
  tell: TellListeners,
): Promise<void> {
  const request = entries[0]!;
  const settled = entries.flatMap((entry) => {
    const outcome = outcomes.get(entry.deviceId);
    return outcome === undefined ? [] : [{ ...entry, outcome }];
  });
  const changed = await settleEntries(tx.db, tenant, request.txid, 'absent', settled);
  const located = settled.filter(({ nth, outcome }) => changed.has(nth) && 'fix' in outcome);
  if (located.length === 0) return;
  if (request.answeredBy === 'callbacks') await tell.devices(tx, tenant, request, located);
  else await tell.report(tx, tenant, request);
}

/** A device is asked for once, whatever the number of requests that wait for it, and billed with the oldest of them. */
async function relocateWith(
  ctx: Ctx,
  tenant: Tenant,
  accuracy: Accuracy,
  entries: readonly AbsentEntry[],
  { locator, tell, signal }: Relocation,
): Promise<void> {
  const ids = [...new Set(entries.map(({ deviceId }) => deviceId))];
  const withheld = await listWithheld(ctx.db, tenant, ids, accuracy);
  const targets = await listTargets(
    ctx.db,
    tenant,
    ids.filter((id) => !withheld.has(id)),
  );
  const { answers } = await locator.locate(targets, accuracy, signal);
  signal.throwIfAborted();
  await inTx(ctx, async (tx) => {
    const outcomes = new Map<string, Outcome>();
    for (const id of withheld.keys()) outcomes.set(id, { failure: CONSENT_FAILED, at: tx.now() });
    const oldest = new Map(entries.toReversed().map(({ deviceId, txid }) => [deviceId, txid]));
    const byRequest = Map.groupBy(answers.keys(), (deviceId) => oldest.get(deviceId)!);
    for (const [requestRef, deviceIds] of byRequest) {
      const its = new Map(deviceIds.map((deviceId) => [deviceId, answers.get(deviceId)!]));
      for (const [deviceId, outcome] of await recordFixes(tx, tenant, { requestRef, accuracy }, its))
        outcomes.set(deviceId, outcome);
    }
    for (const its of Map.groupBy(entries, ({ txid }) => txid).values())
      await settleRequest(tx, tenant, its, outcomes, tell);
  });
}

/** Asks again for devices that could not be reached, for every request that still waits for them. */
export async function relocateDevices(
  ctx: Ctx,
  tenant: Tenant,
  { deviceIds, endedAfter }: { readonly deviceIds: readonly string[]; readonly endedAfter: Date },
  relocation: Relocation,
): Promise<void> {
  const entries = await listAbsent(ctx.db, tenant, deviceIds, endedAfter);
  for (const [accuracy, its] of Map.groupBy(entries, ({ accuracy }) => accuracy))
    await relocateWith(ctx, tenant, accuracy, its, relocation);
}
