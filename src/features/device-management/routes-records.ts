import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, type TSchema, Type } from 'typebox';
import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { accountIn } from '../../platform/http/access.ts';
import { findLastReport, type Reports } from './find-last-report.ts';
import { wireOf } from './querying/schemas.ts';
import * as schemas from './writing/schemas.ts';
import { setConfiguration } from './writing/set-configuration.ts';
import { updateDevice } from './writing/update-device.ts';
import { deleteRule, putRule } from './writing/write-rule.ts';
import { createUser, deleteUser, updateUser } from './writing/write-user.ts';

interface RecordRoute<Body extends TSchema = TSchema> {
  readonly at: readonly [method: 'POST' | 'PATCH' | 'DELETE', url: string];
  readonly operationId: string;
  readonly summary: string;
  readonly body: Body;
  readonly answer: TSchema;
  readonly isQuery?: boolean;
  readonly handle: (ctx: Ctx, tenant: Tenant, body: Static<Body>) => Promise<unknown>;
}
const route = <Body extends TSchema>(given: RecordRoute<Body>): RecordRoute =>
  given as unknown as RecordRoute;

const Nullable = Type.Union([Type.String(), Type.Null()]);

const routesWith = (reports: Reports): readonly RecordRoute[] => [
  route({
    at: ['POST', '/users'],
    operationId: 'createDeviceManagementUser',
    summary: 'Creates a user of the account',
    body: schemas.CreateUserBody,
    answer: wireOf.user,
    handle: createUser,
  }),
  route({
    at: ['PATCH', '/users'],
    operationId: 'updateDeviceManagementUser',
    summary: 'Changes a user; absent fields keep their values, customdata is replaced as a whole',
    body: schemas.UpdateUserBody,
    answer: wireOf.user,
    handle: updateUser,
  }),
  route({
    at: ['DELETE', '/users'],
    operationId: 'deleteDeviceManagementUser',
    summary: 'Deletes a user; returns its last record',
    body: schemas.DeleteUserBody,
    answer: wireOf.user,
    handle: deleteUser,
  }),
  route({
    at: ['POST', '/rules'],
    operationId: 'overwriteRule',
    summary: 'Replaces the rule named by resourceidentifier.id as a whole; without an id, creates a rule',
    body: schemas.PutRuleBody,
    answer: wireOf.rule,
    handle: putRule,
  }),
  route({
    at: ['DELETE', '/rules'],
    operationId: 'deleteRule',
    summary: 'Deletes a rule; returns its last record',
    body: schemas.DeleteRuleBody,
    answer: wireOf.rule,
    handle: deleteRule,
  }),
  route({
    at: ['PATCH', '/devices'],
    operationId: 'updateDeviceRecord',
    summary: "Changes the owner's fields of a device, gateway or sensor; absent fields keep their values",
    body: schemas.UpdateDeviceBody,
    answer: wireOf.device,
    handle: updateDevice,
  }),
  route({
    at: ['POST', '/devices/actions/set'],
    operationId: 'setDeviceConfiguration',
    summary:
      'Sets members of the configuration of a device, gateway or sensor, which its record shows as `fields`',
    body: schemas.SetConfigurationBody,
    answer: Type.Object({ actionresult: Type.Array(schemas.ConfigurationResult) }),
    handle: async (ctx, tenant, body) => ({ actionresult: [await setConfiguration(ctx, tenant, body)] }),
  }),
  route({
    at: ['POST', '/devices/lastreported'],
    operationId: 'readLastReported',
    summary: 'The time and kind of the last report of a device',
    body: schemas.LastReportedBody,
    answer: Type.Object({ event: Nullable, timestamp: Nullable }),
    isQuery: true,
    handle: (ctx, tenant, body) => findLastReport(ctx, tenant, body.resourceidentifier, reports),
  }),
];

export const routesForRecords =
  (reports: Reports): FastifyPluginAsyncTypebox =>
  async (api) => {
    for (const { at, operationId, summary, body, answer, isQuery, handle } of routesWith(reports)) {
      const [method, url] = at;
      api.route({
        method,
        url,
        config: {
          access: accountIn('body', { field: 'accountname' }),
          ...(isQuery === true && { query: true }),
        },
        schema: { operationId, summary, body, response: { 200: answer } },
        handler: async (request) => handle(request.ctx, request.tenant, request.body as never),
      });
    }
  };
