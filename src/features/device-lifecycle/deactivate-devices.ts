import { Type } from 'typebox';
import { deactivated, deleteMessagesAbout } from '../callbacks/index.ts';
import { defineOperation, type Outcome, toDeviceFault } from '../carrier-requests/index.ts';
import { type BeforeDeletion, deleteDevices, setStates } from '../devices/index.ts';
import { eraseLocations } from '../location-reports/index.ts';
import { transitionFaults } from './errors.ts';
import { isAllowed, TRANSITIONS } from './lifecycle.ts';
import { endSuspensions } from './sql-suspension.ts';

/** A month of an account's reports may have to be looked through for devices that are deleted. */
const TIME_MS = 5 * 60_000;

/** What is asked for; who works on it also knows what else goes with a device. */
export const deactivation = {
  name: 'deactivate',
  body: Type.Object({ deleteAfterDeactivation: Type.Boolean() }),
};

/** Ends a suspension too. A device that is deleted leaves no place where it was. */
export const deactivateOperation = (beforeDeletion: BeforeDeletion) =>
  defineOperation({
    ...deactivation,
    async handle(ctx, tenant, { body }, devices) {
      const { db } = ctx;
      const at = ctx.now();
      const fit = devices
        .filter(({ state }) => isAllowed('deactivate', state))
        .map(({ deviceId }) => deviceId);
      if (body.deleteAfterDeactivation && fit.length > 0) {
        await db.allowTime(TIME_MS);
        await eraseLocations(db, tenant, at, fit);
        await deleteMessagesAbout(db, tenant, fit);
        await deleteDevices(ctx, tenant, fit, beforeDeletion);
      } else {
        await setStates(ctx, tenant, fit, TRANSITIONS.deactivate.to);
        await endSuspensions(db, tenant, fit, at);
      }
      return new Map(
        devices.map(({ deviceId, state, answered }): [string, Outcome] => [
          deviceId,
          isAllowed('deactivate', state)
            ? { payload: deactivated(answered) }
            : { fault: toDeviceFault(transitionFaults.wrongState, state) },
        ]),
      );
    },
  });
