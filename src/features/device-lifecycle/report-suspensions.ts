import { Type } from 'typebox';
import { findAccount } from '../accounts/index.ts';
import { suspensionStatus } from '../callbacks/index.ts';
import { defineOperation } from '../carrier-requests/index.ts';
import { listSuspensions } from './sql-suspension.ts';
import { toSuspensionDays } from './suspend-devices.ts';
import { countSuspensions, twelveMonthsBefore } from './suspension.ts';

/** Changes nothing: tells of each device whether it is suspended, and how much longer it could be. */
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
        const status =
          open === undefined
            ? {
                state,
                maxSuspendDaysAllowed: days.maxSuspendDaysAllowed,
                numDaysSuspendedLast12Months: days.numDaysSuspendedLast12Months,
                numDaysSuspendAllowedCurrent12Months: days.numDaysSuspendAllowedCurrent12Months,
              }
            : { state, suspendedAt: open.suspendedAt, ...days };
        return [deviceId, { payload: suspensionStatus(answered, status) }];
      }),
    );
  },
});
