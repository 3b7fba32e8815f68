import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { findHeld, type LineNetwork, listNetworkLines, orderHeld, orderLines } from '../network/index.ts';
import type { CarrierOperation, LockedDevice, Outcome, WorkedRequest } from './carrier-operation.ts';
import { type FoundPlaces, lockPlaces } from './find-places.ts';
import { HELD } from './settle-places.ts';

interface Work {
  readonly operation: CarrierOperation;
  readonly request: WorkedRequest<unknown>;
  readonly network: LineNetwork | undefined;
}

type Results = ReadonlyMap<string, Outcome | typeof HELD>;

/** Rolls back the trial, and carries its results out of the savepoint. */
class Tried extends Error {
  readonly results: ReadonlyMap<string, Outcome>;
  readonly lines: Awaited<ReturnType<typeof listNetworkLines>>;
  constructor(results: Tried['results'], lines: Tried['lines']) {
    super('tried, and undone');
    this.results = results;
    this.lines = lines;
  }
}

/** Tries the change in a savepoint, reads its effect and rolls it back. */
async function tryChange(
  ctx: Ctx,
  tenant: Tenant,
  { operation, request }: Work,
  devices: readonly LockedDevice[],
): Promise<Tried> {
  try {
    return await ctx.db.savepoint(async (db) => {
      const results = await operation.handle({ ...ctx, db }, tenant, request, devices);
      const ids = devices.map(({ deviceId }) => deviceId);
      throw new Tried(results, await listNetworkLines(db, tenant.ecpdId, ids));
    });
  } catch (error) {
    if (error instanceof Tried) return error;
    throw error;
  }
}

/** Orders the changes that an element must confirm, and returns the devices for which it must. */
async function hold(
  ctx: Ctx,
  tenant: Tenant,
  work: Work & { readonly network: LineNetwork },
  candidates: readonly LockedDevice[],
): Promise<ReadonlySet<string>> {
  const { ecpdId } = tenant;
  const { operation, request, network } = work;
  const tried = await tryChange(ctx, tenant, work, candidates);
  const changed = candidates.filter(({ deviceId }) => 'payload' in (tried.results.get(deviceId) ?? {}));
  const after = new Map(tried.lines.map((line) => [line.deviceId, line]));
  const pairsOf = (lines: typeof after) =>
    changed.map((before) => ({ before, after: lines.get(before.deviceId) }));
  let held = await findHeld(ctx, ecpdId, network, pairsOf(after));
  if (held.length > 0 && operation.changesLines?.keep !== undefined) {
    const ids = new Set(held.map(({ line }) => line.deviceId));
    const kept = changed.filter(({ deviceId }) => ids.has(deviceId));
    await operation.changesLines.keep(ctx, tenant, kept);
    // Use the identifiers that `keep` wrote: they differ from those of the trial.
    for (const line of await listNetworkLines(ctx.db, ecpdId, [...ids])) {
      const { state, servicePlan, accountName } = after.get(line.deviceId) ?? line;
      after.set(line.deviceId, { ...line, state, servicePlan, accountName });
    }
    held = await findHeld(
      ctx,
      ecpdId,
      network,
      pairsOf(after).filter(({ before }) => ids.has(before.deviceId)),
    );
  }
  await orderHeld(ctx, ecpdId, network, held, { cause: 'request', changeId: request.requestId });
  return new Set(held.map(({ line }) => line.deviceId));
}

/**
 * Changes the devices, except those that the network must confirm first; for these it places orders. Elements that only
 * have to be informed get their orders in the same transaction.
 */
export async function carryOut(ctx: Ctx, tenant: Tenant, work: Work, found: FoundPlaces): Promise<Results> {
  const { operation, request, network } = work;
  const { devices } = found;
  if (network === undefined || operation.changesLines === undefined || devices.length === 0)
    return operation.handle(ctx, tenant, request, devices);
  const routes = await network.routesOf(ctx.db, tenant.ecpdId, devices);
  const candidates = devices.filter(({ deviceId }) => (routes.get(deviceId) ?? []).length > 0);
  if (candidates.length === 0) return operation.handle(ctx, tenant, request, devices);
  const held = await hold(ctx, tenant, { ...work, network }, candidates);
  const isFree = ({ deviceId }: { readonly deviceId: string | null }) =>
    deviceId !== null && !held.has(deviceId);
  const rows = found.places
    .filter(({ fault }) => fault === undefined)
    .filter(isFree)
    .map(({ row, deviceId }) => ({ ...row, deviceId }));
  const free =
    rows.length === 0 || operation.changesLines.keep === undefined
      ? devices.filter(isFree)
      : await lockPlaces(ctx, tenant, operation, request, rows);
  const results = await operation.handle(ctx, tenant, request, free);
  const changed = candidates
    .filter((device) => isFree(device) && 'payload' in (results.get(device.deviceId) ?? {}))
    .map(({ deviceId }) => deviceId);
  const { requestId } = request;
  await orderLines(ctx, tenant.ecpdId, network, changed, { cause: 'follow', which: 'differing', requestId });
  const all = new Map<string, Outcome | typeof HELD>(results);
  for (const deviceId of held) all.set(deviceId, HELD);
  return all;
}
