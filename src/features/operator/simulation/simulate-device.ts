import type { Static } from 'typebox';
import { parseDeviceErrorType } from '../../../kernel/device-error.ts';
import { type Ctx, inTx } from '../../../platform/context/context.ts';
import { type FaultKind, refuse } from '../../../platform/context/fault.ts';
import type { JobKind } from '../../../platform/jobs/job.ts';
import { updateSimulation } from '../../devices/index.ts';
import { deviceBecameReachable, type RelocatePayload } from '../../location-reports/index.ts';
import { operatorFaults } from '../errors.ts';
import { findNamedDevice } from '../find-named.ts';
import { SimulationPatch } from './schemas.ts';

type Asked = Static<typeof SimulationPatch>;

/** Of what else somebody sends nothing is kept. */
const onlyKnown = (asked: Asked): Asked =>
  Object.fromEntries(
    Object.entries(asked).filter(([name]) => Object.hasOwn(SimulationPatch.properties, name)),
  );

/** In the canonical spelling; null takes it away, and undefined leaves it. */
function readError({ error }: Asked, invalid: FaultKind) {
  if (error === undefined || error === null) return error;
  const reason = 'error is not an error type of the location system';
  return parseDeviceErrorType(error) ?? refuse(invalid, { reason });
}

/** What waited for the device is located when it is reachable again. */
export async function simulateDevice(
  outer: Ctx,
  named: { readonly kind: string; readonly id: string },
  asked: Asked,
  { relocate, invalid }: { readonly relocate: JobKind<typeof RelocatePayload>; readonly invalid: FaultKind },
) {
  const error = readError(asked, invalid);
  const device = await findNamedDevice(outer, named);
  return inTx(outer, async (ctx) => {
    const patch = { ...onlyKnown(asked), ...(error !== undefined && { error }) };
    const simulation = (await updateSimulation(ctx.db, device, patch)) ?? refuse(operatorFaults.noDevice);
    if (simulation.online !== false) await deviceBecameReachable(ctx, device, device.deviceId, relocate);
    return simulation;
  });
}
