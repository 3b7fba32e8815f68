import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { ActingDeps } from './acting/action.ts';
import { routesForBacktest } from './routing/routes-backtest.ts';
import { routesForFirings } from './routing/routes-firings.ts';
import { routesForReading } from './routing/routes-reading.ts';
import { routesForWriting } from './routing/routes-writing.ts';

/** Published clients leave out /m2m: the same calls hang there too, and are described once. */
export type TriggerPath = 'm2m' | 'bare';

/** Mounted at /m2m/v2/triggers and /v2/triggers. */
export const pricePlanTriggerRoutes =
  (path: TriggerPath, deps: ActingDeps): FastifyPluginAsyncTypebox =>
  async (api) => {
    if (path === 'bare') {
      api.addHook('onRoute', ({ schema }) => {
        if (schema?.operationId === undefined) return;
        Object.assign(schema, { operationId: `${schema.operationId}WithoutArea`, hide: true });
      });
    }
    await api.register(routesForWriting);
    await api.register(routesForReading);
    await api.register(routesForBacktest);
    await api.register(routesForFirings(deps));
  };
