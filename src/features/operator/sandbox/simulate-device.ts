import { type Static, Type } from 'typebox';
import { parseDeviceErrorType } from '../../../kernel/device-error.ts';
import { type Ctx, inTx } from '../../../platform/context/context.ts';
import { type FaultKind, refuse } from '../../../platform/context/fault.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { JobKind } from '../../../platform/jobs/job.ts';
import {
  type DeviceKey,
  findDeviceKeys,
  OrdersEntry,
  SimulationEntry,
  updateSimulations,
} from '../../devices/index.ts';
import { devicesBecameReachable, type RelocatePayload } from '../../location-reports/index.ts';
import { findNetworkCondition, NETWORK_CONDITIONS, setNetworkCondition } from '../../locations/index.ts';
import { findSimulatedOrders, setSimulatedOrders } from '../../network/index.ts';
import { operatorFaults } from '../errors.ts';
import { findNamedDevice, parseNamedDevice } from '../route.ts';

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);
const { online, position, error, delayMs, orders } = SimulationEntry.properties;

export const SimulationPatch = Type.Object({
  online: Type.Optional(orNull(online)),
  position: Type.Optional(orNull(position)),
  error: Type.Optional(error),
  delayMs: Type.Optional(orNull(delayMs)),
  orders: Type.Optional(orNull(orders)),
});

const Condition = Type.Enum([...NETWORK_CONDITIONS]);
export const NetworkBody = Type.Object({ condition: Condition, orders: Type.Optional(OrdersEntry) });
export const NetworkPatch = Type.Object({
  condition: Type.Optional(Condition),
  orders: Type.Optional(orNull(OrdersEntry)),
});

/** How the simulated network treats all devices. */
export async function readSimulatedNetwork(db: Db): Promise<Static<typeof NetworkBody>> {
  const orders = await findSimulatedOrders(db);
  return { condition: await findNetworkCondition(db), ...(orders !== undefined && { orders }) };
}

/** Settings that the patch leaves out stay. With null, orders are done at once again. */
export const simulateNetwork = (outer: Ctx, { condition, orders }: Static<typeof NetworkPatch>) =>
  inTx(outer, async ({ db }) => {
    if (condition !== undefined) await setNetworkCondition(db, condition);
    if (orders !== undefined) await setSimulatedOrders(db, orders ?? undefined);
    return readSimulatedNetwork(db);
  });

export const WireSimulator = Type.Object({
  running: Type.Boolean(),
  speed: Type.Integer({ minimum: 1, maximum: 10_000 }),
  seed: Type.String(),
  lastTick: Type.Optional(
    Type.String({ description: 'The domain time up to which the devices are simulated' }),
  ),
  lastError: Type.Optional(Type.String()),
});
export const SimulatorPatch = Type.Object({
  running: Type.Optional(WireSimulator.properties.running),
  speed: Type.Optional(WireSimulator.properties.speed),
});

export type SimulatorState = Static<typeof WireSimulator>;
export type SimulatorChange = Static<typeof SimulatorPatch>;

/** The simulator of a fleet. */
export interface Simulator {
  read(): SimulatorState;
  change(to: SimulatorChange): Promise<SimulatorState>;
  /** Skips everything the devices would have done until then. */
  standStill(until: Date): Promise<void>;
}

type Patch = Static<typeof SimulationPatch>;

/** Drops unknown members. */
const onlyKnown = (patch: Patch): Patch =>
  Object.fromEntries(
    Object.entries(patch).filter(([name]) => Object.hasOwn(SimulationPatch.properties, name)),
  );

/** The error in its canonical spelling. Null removes it, undefined leaves it unchanged. */
function parseError({ error }: Patch, invalid: FaultKind) {
  if (error === undefined || error === null) return error;
  const reason = 'error is not an error type of the location system';
  return parseDeviceErrorType(error) ?? refuse(invalid, { reason });
}

interface SimulationDeps {
  readonly relocate: JobKind<typeof RelocatePayload>;
  readonly invalid: FaultKind;
}

/** Changes the simulation of devices of one profile. Requests that wait for those now online are resumed. */
async function changeSimulations(
  ctx: Ctx,
  ecpdId: DeviceKey['ecpdId'],
  patches: ReadonlyMap<string, Patch>,
  relocate: SimulationDeps['relocate'],
) {
  const changed = await updateSimulations(ctx.db, ecpdId, patches);
  const reachable = changed.filter(({ simulation }) => simulation.online !== false);
  for (const [accountName, devices] of Map.groupBy(reachable, (device) => device.accountName)) {
    const deviceIds = devices.map(({ deviceId }) => deviceId);
    await devicesBecameReachable(ctx, { ecpdId, accountName }, deviceIds, relocate);
  }
  return changed;
}

/** Refuses an unknown error, writes a known one in its canonical spelling, and drops unknown members. */
function checked(patch: Patch, invalid: FaultKind): Patch {
  const error = parseError(patch, invalid);
  return { ...onlyKnown(patch), ...(error !== undefined && { error }) };
}

export async function simulateDevice(
  outer: Ctx,
  named: { readonly kind: string; readonly id: string },
  patch: Patch,
  { relocate, invalid }: SimulationDeps,
) {
  const known = checked(patch, invalid);
  const { ecpdId, deviceId } = await findNamedDevice(outer, named);
  return inTx(outer, async (ctx) => {
    const [device] = await changeSimulations(ctx, ecpdId, new Map([[deviceId, known]]), relocate);
    return device?.simulation ?? refuse(operatorFaults.noDevice);
  });
}

export const SimulationsBody = Type.Array(
  Type.Object({
    kind: Type.String({ maxLength: 16 }),
    id: Type.String({ maxLength: 64 }),
    ...SimulationPatch.properties,
  }),
  { maxItems: 1_000 },
);
const UnknownDevices = Type.Array(Type.Object({ kind: Type.String(), id: Type.String() }));
export const SimulationsAnswer = Type.Object({ changed: Type.Integer(), unknown: UnknownDevices });

/** For many devices at once, with one transaction for each profile. Unknown devices do not stop the others. */
export async function simulateDevices(
  outer: Ctx,
  body: Static<typeof SimulationsBody>,
  { relocate, invalid }: SimulationDeps,
): Promise<Static<typeof SimulationsAnswer>> {
  const patches = body.map((entry) => checked(entry, invalid));
  const ids = body.map((named) => ({ id: parseNamedDevice(named), atMs: Number.POSITIVE_INFINITY }));
  const found = await findDeviceKeys(outer.db, ids);
  const unknown = body.filter((_, n) => found[n] === undefined).map(({ kind, id }) => ({ kind, id }));
  const byProfile = new Map<DeviceKey['ecpdId'], Map<string, Patch>>();
  for (const [n, device] of found.entries()) {
    if (device === undefined) continue;
    const own = byProfile.get(device.ecpdId) ?? new Map<string, Patch>();
    byProfile.set(device.ecpdId, own.set(device.deviceId, { ...own.get(device.deviceId), ...patches[n] }));
  }
  let changed = 0;
  for (const [ecpdId, own] of byProfile)
    changed += (await inTx(outer, (ctx) => changeSimulations(ctx, ecpdId, own, relocate))).length;
  return { changed, unknown };
}
