import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { refuse } from '../../../platform/context/fault.ts';
import type { JobKind } from '../../../platform/jobs/job.ts';
import { SimulationEntry } from '../../devices/index.ts';
import type { RelocatePayload } from '../../location-reports/index.ts';
import { operatorFaults } from '../errors.ts';
import { withScope } from '../route.ts';
import { DeviceParams } from '../schemas.ts';
import {
  NetworkBody,
  NetworkPatch,
  readSimulatedNetwork,
  SimulationPatch,
  SimulationsAnswer,
  SimulationsBody,
  type Simulator,
  SimulatorPatch,
  simulateDevice,
  simulateDevices,
  simulateNetwork,
  WireSimulator,
} from './simulate-device.ts';

/** How the simulated network treats one device, and everybody. */
export const simulationRoutes =
  (relocate: JobKind<typeof RelocatePayload> | undefined): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.patch(
      '/devices/:kind/:id/simulation',
      withScope('feed', {
        operationId: 'operatorSimulateDevice',
        summary: 'Changes how the simulated network treats a device; null takes a setting away',
        params: DeviceParams,
        body: SimulationPatch,
        response: { 200: SimulationEntry },
      }),
      async ({ ctx, params, body, dialect }) => {
        if (relocate === undefined) return refuse(operatorFaults.notSimulated);
        const { invalid } = dialect.faults;
        return simulateDevice(ctx, params, body, { relocate, invalid });
      },
    );

    api.patch(
      '/devices/simulation',
      withScope('feed', {
        operationId: 'operatorSimulateDevices',
        summary:
          'Changes how the simulated network treats many devices, each as for one; those that are not known are named',
        body: SimulationsBody,
        response: { 200: SimulationsAnswer },
      }),
      async ({ ctx, body, dialect }) => {
        if (relocate === undefined) return refuse(operatorFaults.notSimulated);
        const { invalid } = dialect.faults;
        return simulateDevices(ctx, body, { relocate, invalid });
      },
    );

    api.get(
      '/network/simulation',
      withScope('read', {
        operationId: 'operatorReadSimulatedNetwork',
        summary: 'How the simulated network treats everybody',
        response: { 200: NetworkBody },
      }),
      async ({ ctx }) => {
        if (relocate === undefined) refuse(operatorFaults.notSimulated);
        return readSimulatedNetwork(ctx.db);
      },
    );

    api.patch(
      '/network/simulation',
      withScope('feed', {
        operationId: 'operatorSimulateNetwork',
        summary:
          'Lets the whole simulated network answer, refuse, or be unreachable, and carry out orders late, refuse them or be silent',
        body: NetworkPatch,
        response: { 200: NetworkBody },
      }),
      async ({ ctx, body }) => {
        if (relocate === undefined) refuse(operatorFaults.notSimulated);
        return simulateNetwork(ctx, body);
      },
    );
  };

/** Starts, stops and paces the living fleet. */
export const simulatorRoutes =
  (simulator: Simulator | undefined): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.get(
      '/simulator',
      withScope('read', {
        operationId: 'operatorReadSimulator',
        summary: 'Whether the demo devices live by themselves, and how fast',
        response: { 200: WireSimulator },
      }),
      async () => simulator?.read() ?? refuse(operatorFaults.noSimulator),
    );

    api.patch(
      '/simulator',
      withScope(
        'clock',
        {
          operationId: 'operatorSetSimulator',
          summary:
            "Starts or stops the simulator of the sandbox; a speed above 1 lets the sandbox's time run faster",
          body: SimulatorPatch,
          response: { 200: WireSimulator },
        },
        { idempotencyKey: false },
      ),
      async ({ body }) => simulator?.change(body) ?? refuse(operatorFaults.noSimulator),
    );
  };
