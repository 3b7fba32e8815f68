import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { accountIn } from '../../../platform/http/access.ts';
import { findLastReport, type Reports } from '../find-last-report.ts';
import * as schemas from '../writing/schemas.ts';
import { setConfiguration } from '../writing/set-configuration.ts';
import { updateDevice } from '../writing/update-device.ts';
import { deleteRule, putRule } from '../writing/write-rule.ts';
import { createUser, deleteUser, updateUser } from '../writing/write-user.ts';
import { wireOf } from './wire-schemas.ts';

const access = accountIn('body', { field: 'accountname' });

export const routesForUsers: FastifyPluginAsyncTypebox = async (api) => {
  api.post(
    '/users',
    {
      config: { access },
      schema: {
        operationId: 'createDeviceManagementUser',
        summary: 'A new user of the account',
        body: schemas.CreateUserBody,
        response: { 200: wireOf.user },
      },
    },
    async ({ ctx, tenant, body }) => createUser(ctx, tenant, body.user),
  );

  api.patch(
    '/users',
    {
      config: { access },
      schema: {
        operationId: 'updateDeviceManagementUser',
        summary: 'Changes a user; what is absent stays as it is, customdata is replaced whole',
        body: schemas.UpdateUserBody,
        response: { 200: wireOf.user },
      },
    },
    async ({ ctx, tenant, body }) => updateUser(ctx, tenant, body),
  );

  api.delete(
    '/users',
    {
      config: { access },
      schema: {
        operationId: 'deleteDeviceManagementUser',
        summary: 'Removes a user; answers the record as it was',
        body: schemas.DeleteUserBody,
        response: { 200: wireOf.user },
      },
    },
    async ({ ctx, tenant, body }) => deleteUser(ctx, tenant, body),
  );
};

export const routesForRules: FastifyPluginAsyncTypebox = async (api) => {
  api.post(
    '/rules',
    {
      config: { access },
      schema: {
        operationId: 'overwriteRule',
        summary: 'Replaces the whole rule that resourceidentifier.id names; without an id it makes a new one',
        body: schemas.PutRuleBody,
        response: { 200: wireOf.rule },
      },
    },
    async ({ ctx, tenant, body }) => putRule(ctx, tenant, body),
  );

  api.delete(
    '/rules',
    {
      config: { access },
      schema: {
        operationId: 'deleteRule',
        summary: 'Removes a rule; answers the record as it was',
        body: schemas.DeleteRuleBody,
        response: { 200: wireOf.rule },
      },
    },
    async ({ ctx, tenant, body }) => deleteRule(ctx, tenant, body),
  );
};

export const routesForDevices =
  (reports: Reports): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.patch(
      '/devices',
      {
        config: { access },
        schema: {
          operationId: 'updateDeviceRecord',
          summary:
            'Changes what the owner says of a device, gateway or sensor; what is absent stays as it is',
          body: schemas.UpdateDeviceBody,
          response: { 200: wireOf.device },
        },
      },
      async ({ ctx, tenant, body }) => updateDevice(ctx, tenant, body),
    );

    api.post(
      '/devices/actions/set',
      {
        config: { access },
        schema: {
          operationId: 'setDeviceConfiguration',
          summary:
            'Sets members of the configuration of a device, gateway or sensor, which its record has as fields',
          body: schemas.SetConfigurationBody,
          response: { 200: Type.Object({ actionresult: Type.Array(schemas.ConfigurationResult) }) },
        },
      },
      async ({ ctx, tenant, body }) => ({
        actionresult: [await setConfiguration(ctx, tenant, body)],
      }),
    );

    api.post(
      '/devices/lastreported',
      {
        config: { access, query: true },
        schema: {
          operationId: 'readLastReported',
          summary: 'When and by what the service last heard of a device',
          body: schemas.LastReportedBody,
          response: {
            200: Type.Object({
              event: Type.Union([Type.String(), Type.Null()]),
              timestamp: Type.Union([Type.String(), Type.Null()]),
            }),
          },
        },
      },
      async ({ ctx, tenant, body }) => findLastReport(ctx, tenant, body.resourceidentifier, reports),
    );
  };
