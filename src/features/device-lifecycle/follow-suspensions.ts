import { toDeviceRefs } from '../../kernel/device-id.ts';
import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import { findAccount } from '../accounts/index.ts';
import { postCallbacks, restored, resumeNotice } from '../callbacks/index.ts';
import { lockAccountOfDevices, lockDevices } from '../carrier-requests/index.ts';
import { resumeDevices } from './resume-devices.ts';
import { endDueSuspensions, listDueDevices, listNoticeDevices, markNoticed } from './sql-suspension.ts';

const BATCH = 1_000;

type Batch = (tx: Ctx, tenant: Tenant, devices: Awaited<ReturnType<typeof lockDevices>>) => Promise<unknown>;

/** Whoever changes devices locks the account first and then them, and so does this. */
const inBatch = (ctx: Ctx, tenant: Tenant, find: typeof listDueDevices, work: Batch): Promise<boolean> =>
  inTx(ctx, async (tx) => {
    await lockAccountOfDevices(tx.db, tenant);
    const ids = await find(tx.db, tenant, tx.now(), BATCH);
    if (ids.length > 0) await work(tx, tenant, await lockDevices(tx.db, tenant, ids));
    return ids.length < BATCH;
  });

/** Lines whose suspension has run out are as they were before, and it is told like a restore that somebody asked for. */
const resumeBatch: Batch = async (tx, tenant, devices) => {
  const now = tx.now();
  const ids = devices.map(({ deviceId }) => deviceId);
  const ended = new Map(
    (await endDueSuspensions(tx.db, tenant, ids, now)).map((each) => [each.deviceId, each]),
  );
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

const announceBatch: Batch = async (tx, tenant, devices) => {
  const byId = new Map(devices.map((device) => [device.deviceId, device]));
  const noticed = await markNoticed(tx.db, tenant, [...byId.keys()], tx.now());
  const timeZone = (await findAccount(tx.db, tenant))?.timeZone ?? 'UTC';
  const ownId = tx.newId();
  const callbacks = noticed.map(({ deviceId, requestId, resumesAt }) => {
    const request = { requestId: requestId ?? ownId, deviceIds: toDeviceRefs(byId.get(deviceId)!) };
    const payload = resumeNotice(request, { resumesAt, timeZone });
    return {
      accountName: tenant.accountName,
      serviceName: 'ResumeTrackingNotification' as const,
      requestId: request.requestId,
      payload,
    };
  });
  await postCallbacks(tx, tenant.ecpdId, callbacks);
};

/** All that is due by now, batch by batch; each is told in the transaction that does it, so it is safe to repeat. */
export async function followSuspensions(ctx: Ctx, tenant: Tenant, signal: AbortSignal): Promise<void> {
  for (const [find, work] of [
    [listDueDevices, resumeBatch],
    [listNoticeDevices, announceBatch],
  ] as const)
    while (!(await inBatch(ctx, tenant, find, work))) signal.throwIfAborted();
}
