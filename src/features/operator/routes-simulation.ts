import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { parseDeviceErrorType } from '../../kernel/device-error.ts';
import { inTx } from '../../platform/context.ts';
import { refuse } from '../../platform/fault.ts';
import { operatorWith } from '../../platform/http/access.ts';
import type { JobKind } from '../../platform/jobs/job.ts';
import { SimulationEntry, updateSimulation } from '../devices/index.ts';
import { deviceBecameReachable, type RelocatePayload } from '../location-reports/index.ts';
import { findNetworkCondition, NETWORK_CONDITIONS, setNetworkCondition } from '../locations/index.ts';
import { operatorFaults } from './errors.ts';
import { findNamedDevice } from './routes-devices.ts';
import { DeviceParams } from './schemas.ts';

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);
const { online, position, error, delayMs } = SimulationEntry.properties;

const SimulationPatch = Type.Object({
  online: Type.Optional(orNull(online)),
  position: Type.Optional(orNull(position)),
  error: Type.Optional(error),
  delayMs: Type.Optional(orNull(delayMs)),
});

/** Of what else somebody sends nothing is kept. */
const onlyKnown = (body: Static<typeof SimulationPatch>): Static<typeof SimulationPatch> =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name in SimulationPatch.properties));

const WireSimulator = Type.Object({
  running: Type.Boolean(),
  speed: Type.Integer({ minimum: 1, maximum: 10_000 }),
  seed: Type.String(),
  lastTick: Type.Optional(Type.String({ description: 'Domain time until which the devices have lived' })),
  lastError: Type.Optional(Type.String()),
});
const SimulatorPatch = Type.Object({
  running: Type.Optional(WireSimulator.properties.running),
  speed: Type.Optional(WireSimulator.properties.speed),
});

export type SimulatorState = Static<typeof WireSimulator>;
export type SimulatorWish = Static<typeof SimulatorPatch>;

/** The fleet that lives by itself, where there is one. */
export interface Simulator {
  read(): SimulatorState;
  change(wish: SimulatorWish): Promise<SimulatorState>;
}

const NetworkBody = Type.Object({ condition: Type.Enum([...NETWORK_CONDITIONS]) });

/** How the simulated network treats one device, and everybody. */
export const simulationRoutes =
  (relocate: JobKind<typeof RelocatePayload> | undefined): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.patch(
      '/devices/:kind/:id/simulation',
      {
        config: { access: operatorWith('feed') },
        schema: {
          operationId: 'operatorSimulateDevice',
          summary: 'Changes how the simulated network treats a device; null takes a setting away',
          params: DeviceParams,
          body: SimulationPatch,
          response: { 200: SimulationEntry },
        },
      },
      async ({ ctx, params, body, dialect }) => {
        if (relocate === undefined) return refuse(operatorFaults.notSimulated);
        const known = body.error == null ? body.error : parseDeviceErrorType(body.error);
        if (body.error != null && known === undefined)
          refuse(dialect.faults.invalid, { reason: 'error is not an error type of the location system' });
        const device = await findNamedDevice(ctx, params);
        return inTx(ctx, async (tx) => {
          const patch = { ...onlyKnown(body), ...(known !== undefined && { error: known }) };
          const simulation =
            (await updateSimulation(tx.db, device, patch)) ?? refuse(operatorFaults.noDevice);
          if (simulation.online !== false) await deviceBecameReachable(tx, device, device.deviceId, relocate);
          return simulation;
        });
      },
    );

    api.get(
      '/network/simulation',
      {
        config: { access: operatorWith('read') },
        schema: {
          operationId: 'operatorReadSimulatedNetwork',
          summary: 'How the simulated network treats everybody',
          response: { 200: NetworkBody },
        },
      },
      async ({ ctx }) => {
        if (relocate === undefined) refuse(operatorFaults.notSimulated);
        return { condition: await findNetworkCondition(ctx.db) };
      },
    );

    api.patch(
      '/network/simulation',
      {
        config: { access: operatorWith('feed') },
        schema: {
          operationId: 'operatorSimulateNetwork',
          summary: 'Lets the whole simulated network answer, refuse, or be unreachable',
          body: NetworkBody,
          response: { 200: NetworkBody },
        },
      },
      async ({ ctx, body }) => {
        if (relocate === undefined) refuse(operatorFaults.notSimulated);
        await setNetworkCondition(ctx.db, body.condition);
        return body;
      },
    );
  };

/** Starts, stops and paces the living fleet. */
export const simulatorRoutes =
  (simulator: Simulator | undefined): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.get(
      '/simulator',
      {
        config: { access: operatorWith('read') },
        schema: {
          operationId: 'operatorReadSimulator',
          summary: 'Whether the demo devices live by themselves, and how fast',
          response: { 200: WireSimulator },
        },
      },
      async () => simulator?.read() ?? refuse(operatorFaults.noSimulator),
    );

    api.patch(
      '/simulator',
      {
        config: { access: operatorWith('clock'), idempotencyKey: false },
        schema: {
          operationId: 'operatorSetSimulator',
          summary:
            "Starts or stops the simulator of the sandbox; a speed above 1 lets the sandbox's time run faster",
          body: SimulatorPatch,
          response: { 200: WireSimulator },
        },
      },
      async ({ body }) => simulator?.change(body) ?? refuse(operatorFaults.noSimulator),
    );
  };
