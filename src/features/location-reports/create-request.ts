import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { refuseBeyond } from '../../platform/flow-control/open-requests.ts';
import { enqueueJobs } from '../../platform/jobs/enqueue.ts';
import type { JobKind } from '../../platform/jobs/job.ts';
import { listWithheld } from '../consents/index.ts';
import {
  type FoundDevice,
  findRequestedDevices,
  type LocateRequest,
  listPositions,
  locationFaults,
  NO_IOT_DEVICE,
  NO_LINE,
  oldestAllowed,
} from '../locations/index.ts';
import { isServiceOpen } from '../usage/index.ts';
import type { ListenerNotifier } from './callbacks.ts';
import { requestFaults } from './errors.ts';
import { findKnownRequest, withheldFailure } from './get-report.ts';
import { type AnsweredBy, OPEN_MAX, type RequestStatus } from './location-request.ts';
import type { WorkPayload } from './schemas.ts';
import { cancelEntries, type Entry } from './sql-entry.ts';
import { insertEntries, insertEntriesReturning, type NewEntry } from './sql-new-entry.ts';
import { countOpen, insertRequest, cancelRequest as setCancelled } from './sql-request.ts';

/** Why a device cannot be located at all, regardless of consent. */
const failureOf = ({ hasLine, iot }: FoundDevice) => {
  if (!hasLine) return NO_LINE;
  return iot ? undefined : NO_IOT_DEVICE;
};

/** Whether a device that consent withholds would need the network if it were allowed. */
async function wouldAsk(
  { db }: Ctx,
  tenant: Tenant,
  { accuracy, cacheMode }: LocateRequest,
  entries: readonly NewEntry[],
  notBefore: Date | undefined,
): Promise<boolean> {
  const withheld = entries.filter((entry) => entry.withheld && entry.failure === undefined);
  if (withheld.length === 0 || cacheMode === 0) return false;
  if (cacheMode === 2) return true;
  const ids = withheld.map(({ deviceId }) => deviceId);
  return (await listPositions(db, tenant, ids, { accuracy, notBefore })).length < ids.length;
}

export interface RequestDeps {
  readonly workJob: JobKind<typeof WorkPayload>;
  readonly notify: ListenerNotifier;
}

/**
 * Accepts a request for the locations of many devices. Entries that the cache or missing consent decides are settled at
 * once. If none is left for the network, the request is completed before the call is answered.
 */
export async function createRequest(
  outer: Ctx,
  tenant: Tenant,
  { answeredBy, request }: { readonly answeredBy: AnsweredBy; readonly request: LocateRequest },
  { workJob, notify }: RequestDeps,
): Promise<{ readonly txid: string; readonly status: RequestStatus }> {
  const devices = await findRequestedDevices(outer, tenant, request);
  return inTx(outer, async (ctx) => {
    const { db, newId } = ctx;
    const now = ctx.now();
    await refuseBeyond(OPEN_MAX, (max) => countOpen(db, tenant, max), requestFaults.tooManyRequests);
    const { accuracy, cacheMode, maxAgeMs } = request;
    const ids = devices.map(({ deviceId }) => deviceId);
    const withheld = await listWithheld(db, tenant, ids, accuracy);
    const entries = devices.map((device) => ({
      deviceId: device.deviceId,
      msid: device.msid,
      failure: failureOf(device),
      withheld: withheld.has(device.deviceId),
      deniedWhenAsked: ['denied', 'both'].includes(withheld.get(device.deviceId) ?? ''),
    }));
    const notBefore = oldestAllowed(now, maxAgeMs);
    const cache = { read: cacheMode !== 2, only: cacheMode === 0, accuracy, notBefore };
    const txid = newId();
    const totalCount = entries.length;
    const notAsked = ({ deviceId, deniedWhenAsked }: Entry) => ({
      failure: withheldFailure(withheld.get(deviceId)!, deniedWhenAsked),
      at: now,
    });
    let waiting: number;
    if (answeredBy === 'report') waiting = await insertEntries(db, tenant, txid, entries, cache, now);
    else {
      const settled = await insertEntriesReturning(db, tenant, txid, entries, cache, now);
      const told = { request: { txid, accuracy, cacheMode } };
      const results = settled.map((entry) => ({
        ...entry,
        ...told,
        outcome: entry.outcome ?? notAsked(entry),
      }));
      await notify.devices(ctx, tenant, results);
      waiting = totalCount - settled.length;
    }
    const isCurrent = waiting > 0 || (await wouldAsk(ctx, tenant, request, entries, notBefore));
    if (isCurrent && !(await isServiceOpen(ctx, tenant, 'Location'))) refuse(locationFaults.usageExceeded);
    const status = waiting > 0 ? 'QUEUED' : 'COMPLETED';
    const made = { txid, answeredBy, accuracy, cacheMode, maxAgeMs, status, totalCount } as const;
    await insertRequest(db, tenant, made, now);
    const payload = { accountName: tenant.accountName, txid };
    if (waiting > 0) await enqueueJobs(ctx, workJob, tenant.ecpdId, [{ payload }]);
    return { txid, status };
  });
}

/** Works only before the network is queried. One statement decides, also against a worker that starts at the same moment. */
export async function cancelRequest(
  ctx: Ctx,
  tenant: Tenant,
  txid: string,
  answeredBy: AnsweredBy,
): Promise<string> {
  const request = await findKnownRequest(ctx, tenant, txid, answeredBy);
  await inTx(ctx, async ({ db, now }) => {
    const at = now();
    if (!(await setCancelled(db, tenant, request.txid, at))) refuse(locationFaults.unableToCancel);
    await cancelEntries(db, tenant, request.txid, at);
  });
  return request.txid;
}
