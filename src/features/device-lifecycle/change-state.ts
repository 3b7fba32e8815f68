import { isAccountName, isEcpdId } from '../../kernel/account-name.ts';
import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import { lockAccountOfDevices, lockDevices } from '../carrier-requests/index.ts';
import {
  type DeviceKey,
  type DeviceState,
  type Move,
  postProvisioningChanges,
  setActive,
  setStates,
} from '../devices/index.ts';
import { scheduleAt } from './jobs.ts';
import {
  beginImported,
  endImported,
  endSuspensions,
  insertSuspensions,
  moveSuspensions,
} from './sql-suspension.ts';
import { DAY_MS, MAX_DAYS_IN_A_ROW, NOTICE_MS } from './suspension.ts';

/** A suspension by the operator ignores the days left of 12 months, but also ends after 90 days. */
function operatorSuspension(now: Date) {
  const resumesAt = new Date(now.getTime() + MAX_DAYS_IN_A_ROW * DAY_MS);
  return { resumesAt, noticeAt: new Date(resumesAt.getTime() - NOTICE_MS) };
}

/**
 * Sets a device to any state for the operator. The owner is notified of it as a change made outside of the interface.
 * Returns false if the device no longer exists.
 */
export const changeState = (
  outer: Ctx,
  { deviceId, ...tenant }: DeviceKey,
  state: DeviceState,
): Promise<boolean> =>
  inTx(outer, async (tx) => {
    const { db } = tx;
    const now = tx.now();
    await lockAccountOfDevices(db, tenant);
    const [device] = await lockDevices(db, tenant, [deviceId]);
    if (device === undefined) return false;
    if (device.state === state) return true;
    if (state === 'active' && device.state !== 'suspend')
      await setActive(tx, tenant, [{ deviceId, ipAddress: null }], { activatedBy: 'operator' });
    else await setStates(tx, tenant, [deviceId], state);
    await endSuspensions(db, tenant, [deviceId], { now });
    if (state === 'suspend') {
      const { resumesAt, noticeAt } = operatorSuspension(now);
      const suspension = {
        deviceId,
        resumesAt,
        noticeAt,
        noticedAt: null,
        withBilling: false,
        resumesTo: device.state,
      };
      await insertSuspensions(db, tenant, [suspension], { now, reason: 'operator', requestId: null });
      await scheduleAt(tx, tenant, [noticeAt, resumesAt]);
    }
    const { accountName, ecpdId } = tenant;
    const change = { accountName, deviceId, oldState: device.state, newState: state };
    await postProvisioningChanges(tx, ecpdId, [change]);
    return true;
  });

/** For the import, after it has merged the devices of a profile: begins and ends suspensions to match the states. */
export async function applyImportedStates(ctx: Ctx, ecpdId: string): Promise<void> {
  const now = ctx.now();
  const times = operatorSuspension(now);
  await endImported(ctx.db, ecpdId, now);
  for (const accountName of await beginImported(ctx.db, ecpdId, { now, ...times })) {
    if (!isEcpdId(ecpdId) || !isAccountName(accountName)) throw new Error('the import names no account');
    const tenant: Tenant = { ecpdId, accountName };
    await scheduleAt(ctx, tenant, [times.noticeAt, times.resumesAt]);
  }
}

/** A suspended line stays suspended in its new account, until the same time. */
export async function moveOpenSuspensions(tx: Ctx, move: Move): Promise<void> {
  const times = (await moveSuspensions(tx.db, move)).flatMap(({ noticeAt, resumesAt }) => [
    noticeAt,
    resumesAt,
  ]);
  if (times.length > 0) await scheduleAt(tx, move.to, times);
}
