import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { refuse } from '../../../platform/context/fault.ts';
import { operatorWith } from '../../../platform/http/access.ts';
import type { JobKind } from '../../../platform/jobs/job.ts';
import { SimulationEntry } from '../../devices/index.ts';
import type { RelocatePayload } from '../../location-reports/index.ts';
import { findNetworkCondition, setNetworkCondition } from '../../locations/index.ts';
import { operatorFaults } from '../errors.ts';
import { DeviceParams } from '../schemas.ts';
import { NetworkBody, SimulationPatch, SimulatorPatch, WireSimulator } from './schemas.ts';
import { simulateDevice } from './simulate-device.ts';
import type { Simulator } from './simulator.ts';

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
        const { invalid } = dialect.faults;
        return simulateDevice(ctx, params, body, { relocate, invalid });
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
