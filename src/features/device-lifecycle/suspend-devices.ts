import { Type } from 'typebox';
import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { findAccount } from '../accounts/index.ts';
import { type SuspensionDays, suspended } from '../callback-payloads/index.ts';
import { postCallbacks } from '../callbacks/index.ts';
import {
  createRequestFor,
  type DeviceFault,
  defineOperation,
  type LockedDevice,
  type Outcome,
  toDeviceFault,
  type WorkJob,
} from '../carrier-requests/index.ts';
import { setStates } from '../devices/index.ts';
import { resumeCallback } from './end-suspensions.ts';
import { transitionFaults } from './errors.ts';
import { scheduleAt } from './jobs.ts';
import { isAllowed, TRANSITIONS } from './lifecycle.ts';
import { listBilledPlans } from './lines/sql-line.ts';
import { insertSuspensions, listSuspensions, type NewSuspension } from './sql-suspension.ts';
import {
  countSuspensions,
  MAX_DAYS_IN_A_ROW,
  NOTICE_MS,
  resumeTime,
  type SuspensionCounts,
  twelveMonthsBefore,
} from './suspension.ts';

const Body = Type.Object({
  withBilling: Type.Optional(Type.Boolean()),
  /** At most this many days, or until this time; both absent: as long as the device can be suspended. */
  days: Type.Optional(Type.Integer({ minimum: 1 })),
  until: Type.Optional(Type.String()),
  /** Already suspended devices are left as they are, without a callback. */
  skipSuspended: Type.Boolean(),
  reason: Type.String(),
});

export const toSuspensionDays = (
  { suspendedLast12Months, allowedCurrent12Months }: SuspensionCounts,
  resumesAt: Date,
  timeZone: string,
): SuspensionDays => ({
  resumesAt,
  timeZone,
  maxSuspendDaysAllowed: MAX_DAYS_IN_A_ROW,
  numDaysSuspendedLast12Months: suspendedLast12Months,
  numDaysSuspendAllowedCurrent12Months: allowedCurrent12Months,
});

interface Suspending extends NewSuspension {
  readonly device: LockedDevice;
  readonly counts: SuspensionCounts;
}

/** Announces the end of short suspensions as soon as they begin. */
async function announceShort(
  ctx: Ctx,
  tenant: Tenant,
  timeZone: string,
  suspending: readonly Suspending[],
): Promise<void> {
  const short = suspending.filter(({ noticedAt }) => noticedAt !== null);
  const callbacks = short.map(({ device: { answered }, resumesAt }) =>
    resumeCallback(tenant, answered, { resumesAt, timeZone }),
  );
  await postCallbacks(ctx, tenant.ecpdId, callbacks);
}

export const suspendOperation = defineOperation({
  name: 'suspend',
  body: Body,
  changesLines: {},
  async handle(ctx, tenant, { requestId, body }, devices) {
    const { db } = ctx;
    const now = ctx.now();
    const until = body.until === undefined ? undefined : new Date(body.until);
    const ids = devices.map(({ deviceId }) => deviceId);
    const histories = await listSuspensions(db, tenant, ids, twelveMonthsBefore(now));
    const timeZone = (await findAccount(db, tenant))?.timeZone ?? 'UTC';
    const plans = new Set(devices.flatMap(({ servicePlan }) => servicePlan ?? []));
    const billed = await listBilledPlans(db, [...plans]);
    const outcomes = new Map<string, Outcome>();
    const suspending = devices.flatMap((device): Suspending[] => {
      const { deviceId, state, servicePlan } = device;
      const counts = countSuspensions(histories.get(deviceId) ?? [], now);
      const resumesAt = resumeTime(counts, { days: body.days, until }, now);
      if (state === 'suspend' && body.skipSuspended) outcomes.set(deviceId, { skipped: true });
      else if (state === 'suspend')
        outcomes.set(deviceId, { fault: toDeviceFault(transitionFaults.alreadySuspended) });
      else if (!isAllowed('suspend', state))
        outcomes.set(deviceId, { fault: toDeviceFault(transitionFaults.wrongState, state) });
      else if (counts.daysLeft === 0)
        outcomes.set(deviceId, { fault: toDeviceFault(transitionFaults.noDaysLeft) });
      // A suspension that should have ended by now is not started: the network has confirmed it too late.
      else if (resumesAt <= now) outcomes.set(deviceId, { fault: toDeviceFault(transitionFaults.expired) });
      if (outcomes.has(deviceId)) return [];
      const noticeAt = new Date(resumesAt.getTime() - NOTICE_MS);
      const noticedAt = noticeAt <= now ? now : null;
      const withBilling = body.withBilling ?? (servicePlan !== null && billed.has(servicePlan));
      return [{ device, counts, deviceId, resumesAt, noticeAt, noticedAt, withBilling, resumesTo: state }];
    });
    await setStates(
      ctx,
      tenant,
      suspending.map(({ deviceId }) => deviceId),
      TRANSITIONS.suspend.to,
    );
    await insertSuspensions(db, tenant, suspending, { now, reason: body.reason, requestId });
    const times = suspending.flatMap(({ resumesAt, noticeAt, noticedAt }) =>
      noticedAt === null ? [noticeAt, resumesAt] : [resumesAt],
    );
    await scheduleAt(ctx, tenant, times);
    await announceShort(ctx, tenant, timeZone, suspending);
    for (const { device, counts, resumesAt } of suspending)
      outcomes.set(device.deviceId, {
        payload: suspended(device.answered, toSuspensionDays(counts, resumesAt, timeZone)),
      });
    return outcomes;
  },
});

/** Whether a line was not suspended because the end of the suspension had already passed. */
export const isExpired = ({ faultcode }: DeviceFault): boolean => faultcode === transitionFaults.expired.code;

interface SuspendFor {
  readonly days?: number;
  readonly untilDate?: Date;
  readonly withBilling?: boolean;
  readonly requestedBy: string;
}

/**
 * For features that suspend on their own, in their transaction. The rules and callbacks are those of a request, except
 * that already suspended devices are skipped. Returns the ids of the requests; each has at most as many devices as a
 * request may have.
 */
export async function suspendDevices(
  tx: Ctx,
  tenant: Tenant,
  deviceIds: readonly string[],
  { days, untilDate, withBilling, requestedBy }: SuspendFor,
  job: WorkJob,
): Promise<readonly string[]> {
  const body = {
    ...(days !== undefined && { days }),
    ...(untilDate !== undefined && { until: untilDate.toISOString() }),
    ...(withBilling !== undefined && { withBilling }),
    skipSuspended: true,
    reason: requestedBy,
  };
  const requestIds: string[] = [];
  for (let n = 0; n < deviceIds.length; n += job.devicesMax) {
    const part = deviceIds.slice(n, n + job.devicesMax);
    const asked = { operation: suspendOperation, body, createdBy: requestedBy, deviceIds: part };
    const requestId = await createRequestFor(tx, tenant, asked, job);
    if (requestId !== undefined) requestIds.push(requestId);
  }
  return requestIds;
}
