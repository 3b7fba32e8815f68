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

/** The behaviour of the simulated network for one device and for all. */
export const simulationRoutes =
  (relocate: JobKind<typeof RelocatePayload> | undefined): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.patch(
      '/devices/:kind/:id/simulation',
      withScope('feed', {
        operationId: 'operatorSimulateDevice',
        summary: 'Changes how the simulated network treats a device; null removes a setting',
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
          'Changes how the simulated network treats many devices, each like a single one; the answer names unknown ones',
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
        summary: 'Reads how the simulated network treats all devices',
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
          'Makes the whole simulated network answer, refuse or be unreachable, and do orders late, refuse them or stay silent',
        body: NetworkPatch,
        response: { 200: NetworkBody },
      }),
      async ({ ctx, body }) => {
        if (relocate === undefined) refuse(operatorFaults.notSimulated);
        return simulateNetwork(ctx, body);
      },
    );
  };

/** Starts, stops and paces the simulator. */
export const simulatorRoutes =
  (simulator: Simulator | undefined): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.get(
      '/simulator',
      withScope('read', {
        operationId: 'operatorReadSimulator',
        summary: 'Reads whether the simulator of the demo devices runs, and how fast',
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
            "Starts or stops the simulator of the sandbox; a speed above 1 makes the sandbox's time run faster",
          body: SimulatorPatch,
          response: { 200: WireSimulator },
        },
        { idempotencyKey: false },
      ),
      async ({ body }) => simulator?.change(body) ?? refuse(operatorFaults.noSimulator),
    );
  };
