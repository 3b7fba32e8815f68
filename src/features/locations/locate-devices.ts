import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { listWithheld, sentFor } from '../consents/index.ts';
import { isServiceOpen, type WatchServices } from '../usage/index.ts';
import { locationFaults } from './errors.ts';
import { CONSENT_FAILED, type Outcome, SOURCE_FAILED } from './location.ts';
import type { Locator } from './locator.ts';
import { findRequestedDevices, type LocateRequest } from './parse-request.ts';
import { recordFixes } from './record-fixes.ts';
import { type FoundDevice, listTargets } from './sql-device.ts';
import { listPositions } from './sql-position.ts';

/** How long a waiting caller is given for both a free slot at the source and its answer. */
const PATIENCE_MS = 20_000;

/** The time before which a cached position is too old. */
export const oldestAllowed = (now: Date, maxAgeMs: number | undefined): Date | undefined =>
  maxAgeMs === undefined ? undefined : new Date(now.getTime() - maxAgeMs);

/** Refuses the whole request if one device cannot be located. */
async function requireLocatable(
  { db }: Ctx,
  tenant: Tenant,
  { accuracy, devices: asked }: LocateRequest,
  devices: readonly FoundDevice[],
): Promise<void> {
  const unknown = asked.filter((_, n) => !devices[n]!.hasLine);
  if (unknown.length > 0) refuse(locationFaults.verificationFailed, { named: unknown.map(sentFor) });
  if (devices.some(({ iot }) => !iot)) refuse(locationFaults.deviceTypeFailed);
  const ids = devices.map(({ deviceId }) => deviceId);
  if ((await listWithheld(db, tenant, ids, accuracy)).size > 0) refuse(locationFaults.consentFailed);
}

/** Cached positions that are not too old. The caller has checked consent. */
async function findCached(
  { db, now }: Ctx,
  tenant: Tenant,
  { accuracy, cacheMode, maxAgeMs }: LocateRequest,
  devices: readonly FoundDevice[],
): Promise<Map<string, Outcome>> {
  if (cacheMode === 2) return new Map();
  const ids = devices.map(({ deviceId }) => deviceId);
  const wanted = { accuracy, notBefore: oldestAllowed(now(), maxAgeMs) };
  const positions = await listPositions(db, tenant, ids, wanted);
  if (cacheMode === 0 && positions.length < ids.length) refuse(locationFaults.cacheUnavailable);
  return new Map(positions.map(({ deviceId, ...fix }) => [deviceId, { fix, cached: true }]));
}

export interface LocateDeps {
  readonly locator: Locator;
  readonly watchServices: WatchServices;
}

/** Answers every device in the order of the request; some may have failed. */
export async function locateDevices(
  ctx: Ctx,
  tenant: Tenant,
  request: LocateRequest,
  { locator, watchServices }: LocateDeps,
): Promise<{ readonly msid: string; readonly outcome: Outcome }[]> {
  const devices = await findRequestedDevices(ctx, tenant, request);
  await requireLocatable(ctx, tenant, request, devices);
  const outcomes = await findCached(ctx, tenant, request, devices);
  const unknown = devices.filter(({ deviceId }) => !outcomes.has(deviceId)).map(({ deviceId }) => deviceId);
  if (unknown.length > 0) {
    if (!(await isServiceOpen(ctx, tenant, 'Location'))) refuse(locationFaults.usageExceeded);
    const targets = await listTargets(ctx.db, tenant, unknown);
    const { answers, trouble } = await locator.locate(
      targets,
      request.accuracy,
      AbortSignal.timeout(PATIENCE_MS),
    );
    if (trouble !== undefined && answers.size + outcomes.size === 0)
      refuse(trouble === 'refused' ? locationFaults.locationFailed : locationFaults.sourceUnreachable);
    const requestRef = ctx.newId();
    const answered = { accuracy: request.accuracy, answers, requestRefOf: () => requestRef, watchServices };
    const found = await inTx(ctx, (tx) => recordFixes(tx, tenant, answered));
    // Consent may have been withdrawn while the network was queried, also for cached positions.
    const withheld = await listWithheld(ctx.db, tenant, [...outcomes.keys()], request.accuracy);
    const withdrawn = { failure: CONSENT_FAILED, at: ctx.now() };
    for (const deviceId of withheld.keys()) outcomes.set(deviceId, withdrawn);
    for (const [deviceId, recorded] of found)
      outcomes.set(deviceId, recorded === 'withheld' ? withdrawn : recorded);
  }
  const failed = { failure: SOURCE_FAILED, at: ctx.now() };
  return devices.map(({ deviceId, msid }) => ({ msid, outcome: outcomes.get(deviceId) ?? failed }));
}
