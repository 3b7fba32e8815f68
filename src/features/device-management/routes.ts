import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { parseEveryBodyExactly } from '../../platform/http/json-body.ts';
import type { Reports } from './find-last-report.ts';
import { routesForQueries } from './routing/routes-queries.ts';
import { routesForDevices, routesForRules, routesForUsers } from './routing/routes-records.ts';

export type { FindReport, Reports } from './find-last-report.ts';

/** Mounted at /dm/v1. Integers of 64 bits come in and go out digit by digit, which no serialiser of a schema does. */
export const deviceManagementRoutes =
  (reports: Reports = {}): FastifyPluginAsyncTypebox =>
  async (api) => {
    parseEveryBodyExactly(api);
    api.setSerializerCompiler(() => (answer) => JSON.stringify(answer));
    await api.register(routesForQueries);
    await api.register(routesForUsers);
    await api.register(routesForRules);
    await api.register(routesForDevices(reports));
  };
