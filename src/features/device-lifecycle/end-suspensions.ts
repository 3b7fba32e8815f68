import { toDeviceRefs } from '../../kernel/device-id.ts';
import { NIL_UUID } from '../../kernel/uuid.ts';
import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import { findAccount } from '../accounts/index.ts';
import { type Answered, restored, resumeNotice } from '../callback-payloads/index.ts';
import { postCallbacks } from '../callbacks/index.ts';
import { lockAccountOfDevices, lockDevices } from '../carrier-requests/index.ts';
import { setStates } from '../devices/index.ts';
import { holdResumes, type LineNetwork, orderLines } from '../network/index.ts';
import {
  type DueDevice,
  type EndedSuspension,
  endSuspensions,
  listDueDevices,
  markNoticed,
} from './sql-suspension.ts';

/** Gives devices back the state they had before their suspension. The caller has locked them. */
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

type Devices = Awaited<ReturnType<typeof lockDevices>>;
type Batch = (tx: Ctx, tenant: Tenant, devices: Devices, due: readonly DueDevice[]) => Promise<unknown>;

/**
 * Locks the account first and then the devices, as every change of devices does. Works on the next devices after
 * `after`. Returns the id of the last one, or undefined if none remain.
 */
const inBatch = (
  ctx: Ctx,
  tenant: Tenant,
  { what, after, work }: { what: 'end' | 'notice'; after: string; work: Batch },
): Promise<string | undefined> =>
  inTx(ctx, async (tx) => {
    await lockAccountOfDevices(tx.db, tenant);
    const due = await listDueDevices(tx.db, tenant, what, { now: tx.now(), after, limit: BATCH });
    const ids = due.map(({ deviceId }) => deviceId);
    if (ids.length > 0) await work(tx, tenant, await lockDevices(tx.db, tenant, ids), due);
    return ids.length < BATCH ? undefined : ids.at(-1);
  });

/** Leaves out the devices that the network must confirm first, and orders those that are not ordered yet. */
async function confirmed(
  tx: Ctx,
  { ecpdId }: Tenant,
  network: LineNetwork | undefined,
  devices: Devices,
  due: readonly DueDevice[],
): Promise<Devices> {
  if (network === undefined) return devices;
  const states = new Map(due.map(({ deviceId, resumesTo }) => [deviceId, resumesTo]));
  const changes = devices
    .filter(({ state }) => state === 'suspend')
    .map((before) => ({ before, after: { ...before, state: states.get(before.deviceId) ?? before.state } }));
  const held = await holdResumes(tx, ecpdId, network, changes);
  return devices.filter(({ deviceId }) => !held.has(deviceId));
}

/** Resumes lines whose suspension has run out. The callbacks are those of a requested restore. */
const resumeBatch =
  (network: LineNetwork | undefined): Batch =>
  async (tx, tenant, locked, onTime) => {
    const devices = await confirmed(tx, tenant, network, locked, onTime);
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
    if (network !== undefined)
      await orderLines(
        tx,
        tenant.ecpdId,
        network,
        due.map(({ deviceId }) => deviceId),
        {
          cause: 'follow',
          which: 'differing',
        },
      );
  };

/** The callback that announces the automatic end of a suspension. */
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

/**
 * Ends and announces everything that is due, in batches. Each batch writes its callbacks in its transaction, so a
 * repeated run is safe.
 */
export async function endAndAnnounce(
  ctx: Ctx,
  tenant: Tenant,
  signal: AbortSignal,
  network: LineNetwork | undefined,
): Promise<void> {
  for (const [what, work] of [
    ['end', resumeBatch(network)],
    ['notice', announceBatch],
  ] as const)
    for (let after: string | undefined = NIL_UUID; after !== undefined; signal.throwIfAborted())
      after = await inBatch(ctx, tenant, { what, after, work });
}
