import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FleetSection } from '../../platform/fleet-document/section.ts';
import { auditCalls } from './audit-calls.ts';
import { accountRoutes } from './routes-accounts.ts';
import { callbackRoutes } from './routes-callbacks.ts';
import { type ClockDeps, clockRoutes } from './routes-clock.ts';
import { deviceRoutes } from './routes-devices.ts';
import { fleetRoutes } from './routes-fleet.ts';
import { keyRoutes } from './routes-keys.ts';
import { notificationRoutes } from './routes-notifications.ts';
import { pauseRoutes } from './routes-pauses.ts';
import { peopleRoutes } from './routes-people.ts';
import { recordRoutes } from './routes-records.ts';

export interface OperatorDeps {
  readonly sections: readonly FleetSection[];
  readonly clock: ClockDeps;
  /** Resolves when this process has heard its own changes of access. */
  readonly heardChanges: () => Promise<void>;
}

/** Mounted at /operator/v1. */
export const operatorRoutes =
  ({ sections, clock, heardChanges }: OperatorDeps): FastifyPluginAsyncTypebox =>
  async (api) => {
    auditCalls(api);
    api.addHook('onSend', async ({ method }) => {
      if (method !== 'GET') await heardChanges();
    });
    await api.register(fleetRoutes(sections));
    await api.register(accountRoutes);
    await api.register(deviceRoutes);
    await api.register(clockRoutes(clock));
    await api.register(peopleRoutes);
    await api.register(keyRoutes);
    await api.register(recordRoutes);
    await api.register(pauseRoutes);
    await api.register(callbackRoutes);
    await api.register(notificationRoutes);
  };
