import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { accountIn } from '../../platform/http/access.ts';
import type { RecordKind } from './querying/fields.ts';
import { queryRecords } from './querying/query-records.ts';
import { QueryBody, wireOf } from './querying/schemas.ts';

type QueryRoute = readonly [kind: RecordKind, path: string, operationId: string, summary: string];

const QUERIES: readonly QueryRoute[] = [
  ['device', '/devices', 'queryDevices', 'Records of devices other than gateways and sensors'],
  ['gateway', '/devices/gateways', 'queryGateways', 'Records of gateways'],
  ['sensor', '/devices/sensors', 'querySensors', 'Records of sensors'],
  ['user', '/users', 'queryUsers', 'Records of users; resourceidentifier is ignored'],
  ['rule', '/rules', 'queryRules', 'Records of rules, each with a note whether it is evaluated'],
];

/** X-Next of a response is the `$page` of the next query; the last page has none. */
export const routesForQueries: FastifyPluginAsyncTypebox = async (api) => {
  const route = (method: 'POST' | 'PATCH', [kind, path, operationId, summary]: QueryRoute) =>
    api.route({
      method,
      url: `${path}/actions/query`,
      config: {
        access: accountIn('body', { field: 'accountname' }),
        query: true,
        reads: 'replica',
      },
      schema: { operationId, summary, body: QueryBody, response: { 200: Type.Array(wireOf[kind]) } },
      handler: async ({ ctx, tenant, body }, reply) => {
        const { records, next } = await queryRecords(ctx, tenant, kind, body);
        if (next !== undefined) reply.header('x-next', next);
        return [...records];
      },
    });

  for (const query of QUERIES) {
    route('POST', query);
    const [kind, path, operationId, summary] = query;
    if (kind === 'gateway') route('PATCH', [kind, path, `${operationId}ByPatch`, summary]);
  }
};
