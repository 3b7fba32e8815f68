import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { addRoutes } from '../../platform/http/add-routes.ts';
import { parseEveryBodyExactly } from '../../platform/http/json-body.ts';
import type { Reports } from './find-last-report.ts';
import { routesForQueries } from './routes-queries.ts';
import { routesForRecords } from './routes-records.ts';
import { routesForVersions } from './routes-versions.ts';

export type { FindReport } from './find-last-report.ts';

/** Mounted at /dm/v1. Reads and writes 64-bit integers digit by digit, which schema serialisers cannot do. */
export const deviceManagementRoutes =
  (reports: Reports = {}): FastifyPluginAsyncTypebox =>
  async (api) => {
    parseEveryBodyExactly(api);
    api.setSerializerCompiler(() => (answer) => JSON.stringify(answer));
    await addRoutes(api, [routesForQueries, routesForRecords(reports), routesForVersions]);
  };
