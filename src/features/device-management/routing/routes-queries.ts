import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { accountIn } from '../../../platform/http/access.ts';
import type { RecordKind } from '../querying/fields.ts';
import { queryRecords } from '../querying/query-records.ts';
import { QueryBody } from '../querying/schemas.ts';
import { wireOf } from './wire-schemas.ts';

interface QueryRoute {
  readonly kind: RecordKind;
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
}

const query = (kind: RecordKind, path: string, operationId: string, summary: string): QueryRoute => ({
  kind,
  method: 'POST',
  path,
  operationId,
  summary,
});

const GATEWAYS = query('gateway', '/devices/gateways/actions/query', 'queryGateways', 'Records of gateways');

const QUERIES: readonly QueryRoute[] = [
  query(
    'device',
    '/devices/actions/query',
    'queryDevices',
    'Records of devices that are no gateway or sensor',
  ),
  GATEWAYS,
  { ...GATEWAYS, method: 'PATCH', operationId: 'queryGatewaysByPatch' },
  query('sensor', '/devices/sensors/actions/query', 'querySensors', 'Records of sensors'),
  query(
    'user',
    '/users/actions/query',
    'queryUsers',
    'Records of users; resourceidentifier is not looked at',
  ),
  query('rule', '/rules/actions/query', 'queryRules', 'Records of rules, each with whether it is evaluated'),
];

/** X-Next of an answer is the `$page` of the next query; the last page has none. */
export const routesForQueries: FastifyPluginAsyncTypebox = async (api) => {
  for (const { kind, method, path, operationId, summary } of QUERIES) {
    api.route({
      method,
      url: path,
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
  }
};
