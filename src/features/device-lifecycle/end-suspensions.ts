import { toDeviceRefs } from '../../kernel/device-id.ts';
import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import { findAccount } from '../accounts/index.ts';
import { type Answered, postCallbacks, restored, resumeNotice } from '../callbacks/index.ts';
import { lockAccountOfDevices, lockDevices } from '../carrier-requests/index.ts';
import { setStates } from '../devices/index.ts';
import { type EndedSuspension, endSuspensions, listDueDevices, markNoticed } from './sql-suspension.ts';

/** Devices whose suspension has ended have the state again that they had before. The caller has locked them. */
export async function resumeDevices(
  ctx: Ctx,
  tenant: Tenant,
  ended: readonly EndedSuspension[],
): Promise<void> {
  for (const [state, some] of Map.groupBy(ended, ({ resumesTo }) => resumesTo)) {
    const deviceIds = some.map(({ deviceId }) => deviceId);
    await setStates(ctx, tenant, deviceIds, state);
  }
}

const BATCH = 1_000;

type Batch = (tx: Ctx, tenant: Tenant, devices: Awaited<ReturnType<typeof lockDevices>>) => Promise<unknown>;

/** Whoever changes devices locks the account first and then them, and so does this. */
const inBatch = (ctx: Ctx, tenant: Tenant, what: 'end' | 'notice', work: Batch): Promise<boolean> =>
  inTx(ctx, async (tx) => {
    await lockAccountOfDevices(tx.db, tenant);
    const ids = await listDueDevices(tx.db, tenant, what, { now: tx.now(), limit: BATCH });
    if (ids.length > 0) await work(tx, tenant, await lockDevices(tx.db, tenant, ids));
    return ids.length < BATCH;
  });

/** Lines whose suspension has run out are as they were before, and it is told like a restore that somebody asked for. */
const resumeBatch: Batch = async (tx, tenant, devices) => {
  const ids = devices.map(({ deviceId }) => deviceId);
  const rows = await endSuspensions(tx.db, tenant, ids, { now: tx.now(), onlyDue: true });
  const ended = new Map(rows.map((each) => [each.deviceId, each]));
  const due = devices.filter(({ deviceId, state }) => ended.has(deviceId) && state === 'suspend');
  await resumeDevices(
    tx,
    tenant,
    due.flatMap(({ deviceId }) => ended.get(deviceId) ?? []),
  );
  const ownId = tx.newId();
  const callbacks = due.map((device) => {
    const requestId = ended.get(device.deviceId)?.requestId ?? ownId;
    const payload = restored({ requestId, deviceIds: toDeviceRefs(device), comment: 'Automatic resume' });
    return { accountName: tenant.accountName, serviceName: 'CarrierService' as const, requestId, payload };
  });
  await postCallbacks(tx, tenant.ecpdId, callbacks);
};

/** Announces when a suspension ends by itself. */
export const resumeCallback = (
  { accountName }: Tenant,
  answered: Answered,
  end: { readonly resumesAt: Date; readonly timeZone: string },
) => ({
  accountName,
  serviceName: 'ResumeTrackingNotification' as const,
  requestId: answered.requestId,
  payload: resumeNotice(answered, end),
});

const announceBatch: Batch = async (tx, tenant, devices) => {
  const ids = devices.map(({ deviceId }) => deviceId);
  const noticed = new Map(
    (await markNoticed(tx.db, tenant, ids, tx.now())).map((each) => [each.deviceId, each]),
  );
  const timeZone = (await findAccount(tx.db, tenant))?.timeZone ?? 'UTC';
  const ownId = tx.newId();
  const callbacks = devices.flatMap((device) => {
    const own = noticed.get(device.deviceId);
    if (own === undefined) return [];
    const request = { requestId: own.requestId ?? ownId, deviceIds: toDeviceRefs(device) };
    return [resumeCallback(tenant, request, { resumesAt: own.resumesAt, timeZone })];
  });
  await postCallbacks(tx, tenant.ecpdId, callbacks);
};

/** All that is due by now, batch by batch; each is told in the transaction that does it, so it is safe to repeat. */
export async function endAndAnnounce(ctx: Ctx, tenant: Tenant, signal: AbortSignal): Promise<void> {
  while (!(await inBatch(ctx, tenant, 'end', resumeBatch))) signal.throwIfAborted();
  while (!(await inBatch(ctx, tenant, 'notice', announceBatch))) signal.throwIfAborted();
}
