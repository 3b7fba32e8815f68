import { type Static, Type } from 'typebox';
import { parseDeviceErrorType } from '../../kernel/device-error.ts';
import { type Ctx, inTx } from '../../platform/context/context.ts';
import { type FaultKind, refuse } from '../../platform/context/fault.ts';
import type { JobKind } from '../../platform/jobs/job.ts';
import { SimulationEntry, updateSimulation } from '../devices/index.ts';
import { deviceBecameReachable, type RelocatePayload } from '../location-reports/index.ts';
import { NETWORK_CONDITIONS } from '../locations/index.ts';
import { operatorFaults } from './errors.ts';
import { findNamedDevice } from './route.ts';

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);
const { online, position, error, delayMs } = SimulationEntry.properties;

export const SimulationPatch = Type.Object({
  online: Type.Optional(orNull(online)),
  position: Type.Optional(orNull(position)),
  error: Type.Optional(error),
  delayMs: Type.Optional(orNull(delayMs)),
});

export const NetworkBody = Type.Object({ condition: Type.Enum([...NETWORK_CONDITIONS]) });

export const WireSimulator = Type.Object({
  running: Type.Boolean(),
  speed: Type.Integer({ minimum: 1, maximum: 10_000 }),
  seed: Type.String(),
  lastTick: Type.Optional(Type.String({ description: 'Domain time until which the devices have lived' })),
  lastError: Type.Optional(Type.String()),
});
export const SimulatorPatch = Type.Object({
  running: Type.Optional(WireSimulator.properties.running),
  speed: Type.Optional(WireSimulator.properties.speed),
});

export type SimulatorState = Static<typeof WireSimulator>;
export type SimulatorChange = Static<typeof SimulatorPatch>;

/** The fleet that lives by itself, where there is one. */
export interface Simulator {
  read(): SimulatorState;
  change(to: SimulatorChange): Promise<SimulatorState>;
}

type Patch = Static<typeof SimulationPatch>;

/** Members that are not known are dropped. */
const onlyKnown = (patch: Patch): Patch =>
  Object.fromEntries(
    Object.entries(patch).filter(([name]) => Object.hasOwn(SimulationPatch.properties, name)),
  );

/** In the canonical spelling; null takes it away, and undefined leaves it. */
function parseError({ error }: Patch, invalid: FaultKind) {
  if (error === undefined || error === null) return error;
  const reason = 'error is not an error type of the location system';
  return parseDeviceErrorType(error) ?? refuse(invalid, { reason });
}

/** What waited for the device is located when it is reachable again. */
export async function simulateDevice(
  outer: Ctx,
  named: { readonly kind: string; readonly id: string },
  patch: Patch,
  { relocate, invalid }: { readonly relocate: JobKind<typeof RelocatePayload>; readonly invalid: FaultKind },
) {
  const error = parseError(patch, invalid);
  const device = await findNamedDevice(outer, named);
  return inTx(outer, async (ctx) => {
    const known = { ...onlyKnown(patch), ...(error !== undefined && { error }) };
    const simulation = (await updateSimulation(ctx.db, device, known)) ?? refuse(operatorFaults.noDevice);
    if (simulation.online !== false) await deviceBecameReachable(ctx, device, device.deviceId, relocate);
    return simulation;
  });
}
