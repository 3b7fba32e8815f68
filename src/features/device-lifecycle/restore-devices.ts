import { Type } from 'typebox';
import { restored } from '../callbacks/index.ts';
import { defineOperation, type Outcome, toDeviceFault } from '../carrier-requests/index.ts';
import { transitionFaults } from './errors.ts';
import { isAllowed } from './lifecycle.ts';
import { resumeDevices } from './resume-devices.ts';
import { endSuspensions } from './sql-suspension.ts';

export const restoreOperation = defineOperation({
  name: 'restore',
  body: Type.Object({}),
  async handle(ctx, tenant, _request, devices) {
    const fit = devices.filter(({ state }) => isAllowed('restore', state)).map(({ deviceId }) => deviceId);
    await resumeDevices(ctx, tenant, await endSuspensions(ctx.db, tenant, fit, ctx.now()));
    return new Map(
      devices.map(({ deviceId, state, answered }): [string, Outcome] => [
        deviceId,
        isAllowed('restore', state)
          ? { payload: restored(answered) }
          : { fault: toDeviceFault(transitionFaults.wrongState, state) },
      ]),
    );
  },
});
