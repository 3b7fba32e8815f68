import { Type } from 'typebox';
import { findAccount } from '../accounts/index.ts';
import { type Answered, deactivated, restored, suspensionStatus } from '../callback-payloads/index.ts';
import {
  defineOperation,
  type LockedDevice,
  type Outcome,
  toDeviceFault,
} from '../carrier-requests/index.ts';
import { type BeforeDeletion, deleteDevices, type MoveLines, setStates } from '../devices/index.ts';
import { eraseOwnPositions, failAwaited } from '../location-reports/index.ts';
import { countErasable } from '../locations/index.ts';
import { activateOperation } from './activate-devices.ts';
import { resumeDevices } from './end-suspensions.ts';
import { transitionFaults } from './errors.ts';
import { isAllowed, TRANSITIONS, type Transition } from './lifecycle.ts';
import { endSuspensions, listSuspensions } from './sql-suspension.ts';
import { suspendOperation, toSuspensionDays } from './suspend-devices.ts';
import { countSuspensions, twelveMonthsBefore } from './suspension.ts';

const fitFor = (devices: readonly LockedDevice[], transition: Transition): readonly string[] =>
  devices.filter(({ state }) => isAllowed(transition, state)).map(({ deviceId }) => deviceId);

const outcomesOf = (
  devices: readonly LockedDevice[],
  transition: Transition,
  payloadOf: (answered: Answered) => object,
): ReadonlyMap<string, Outcome> =>
  new Map(
    devices.map(({ deviceId, state, answered }) => [
      deviceId,
      isAllowed(transition, state)
        ? { payload: payloadOf(answered) }
        : { fault: toDeviceFault(transitionFaults.wrongState, state) },
    ]),
  );

export const restoreOperation = defineOperation({
  name: 'restore',
  body: Type.Object({}),
  changesLines: {},
  async handle(ctx, tenant, _request, devices) {
    const fit = fitFor(devices, 'restore');
    await resumeDevices(ctx, tenant, await endSuspensions(ctx.db, tenant, fit, { now: ctx.now() }));
    return outcomesOf(devices, 'restore', restored);
  },
});

/** The deletion of devices may scan a month of an account's reports. */
const TIME_MS = 5 * 60_000;

/** The part that the routes need. The worker's part also knows what else to delete with a device. */
export const deactivation = {
  name: 'deactivate',
  body: Type.Object({ deleteAfterDeactivation: Type.Boolean() }),
};

/** Also ends a suspension. The locations of a deleted device are erased. */
const deactivateOperation = (beforeDeletion: BeforeDeletion) =>
  defineOperation({
    ...deactivation,
    changesLines: {},
    countFitting: async ({ db }, { ecpdId }, { deleteAfterDeactivation }, deviceIds) =>
      deleteAfterDeactivation ? countErasable(db, ecpdId, deviceIds) : deviceIds.length,
    async handle(ctx, tenant, { body }, devices) {
      const { db } = ctx;
      const at = ctx.now();
      const fit = fitFor(devices, 'deactivate');
      if (body.deleteAfterDeactivation && fit.length > 0) {
        await db.allowTime(TIME_MS);
        await eraseOwnPositions(ctx, tenant, fit);
        await failAwaited(db, tenant, fit, at);
        await deleteDevices(ctx, tenant, fit, beforeDeletion);
      } else {
        await setStates(ctx, tenant, fit, TRANSITIONS.deactivate.to);
        await endSuspensions(db, tenant, fit, { now: at });
      }
      return outcomesOf(devices, 'deactivate', deactivated);
    },
  });

/** Changes nothing. Reports for each device whether it is suspended, and for how long it still can be. */
export const suspensionStatusOperation = defineOperation({
  name: 'suspension-status',
  body: Type.Object({}),
  serviceName: 'DeviceSuspensionStatus',
  async handle({ db, now }, tenant, _request, devices) {
    const at = now();
    const ids = devices.map(({ deviceId }) => deviceId);
    const histories = await listSuspensions(db, tenant, ids, twelveMonthsBefore(at));
    const timeZone = (await findAccount(db, tenant))?.timeZone ?? 'UTC';
    return new Map(
      devices.map(({ deviceId, state, answered }) => {
        const history = histories.get(deviceId) ?? [];
        const open = state === 'suspend' ? history.find(({ resumedAt }) => resumedAt === null) : undefined;
        const days = toSuspensionDays(countSuspensions(history, at), open?.resumesAt ?? at, timeZone);
        const { resumesAt, timeZone: _, ...counts } = days;
        const status =
          open === undefined ? { state, ...counts } : { state, suspendedAt: open.suspendedAt, ...days };
        return [deviceId, { payload: suspensionStatus(answered, status) }];
      }),
    );
  },
});

/** All operations of this feature. */
export const lifecycleOperations = (beforeDeletion: BeforeDeletion, moveLines: MoveLines) =>
  [
    activateOperation(moveLines),
    suspendOperation,
    restoreOperation,
    deactivateOperation(beforeDeletion),
    suspensionStatusOperation,
  ] as const;
