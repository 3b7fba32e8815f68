import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { viewerOfAccount } from '../../../../platform/http/access.ts';
import { getConsentHistory, RangeQuery, WireHistory } from '../../../consents/index.ts';
import { DEVICE_STATES } from '../../../devices/index.ts';
import { AccountParams, PageQuery } from '../../schemas.ts';
import { listFleet, readDevice, readDeviceUsage } from './read-devices.ts';
import { DeviceParams, WireDeviceDetail, WireDeviceUsage, WireFleet } from './schemas.ts';

export const deviceRoutes: FastifyPluginAsyncTypebox = async (api) => {
  const access = viewerOfAccount();

  api.get(
    '/accounts/:accountName/devices',
    {
      config: { access },
      schema: {
        operationId: 'consoleListDevices',
        summary:
          'Lines of the account, by the beginning of any identifier or of the name, or else by a part of the name; a page may be empty and have a next one',
        params: AccountParams,
        querystring: Type.Object({
          search: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
          state: Type.Optional(Type.Enum([...DEVICE_STATES])),
          page: Type.Optional(Type.String({ pattern: '^[0-9]{1,18}$' })),
          limit: PageQuery.properties.limit,
        }),
        response: { 200: WireFleet },
      },
    },
    ({ ctx, tenant, dialect, query: { search, state, page = '0', limit = 100 } }) =>
      listFleet(ctx, tenant, { search, state, after: page, limit }, dialect.faults.accountUnknownInPath),
  );

  api.get(
    '/accounts/:accountName/devices/:deviceId',
    {
      config: { access },
      schema: {
        operationId: 'consoleReadDevice',
        summary:
          'One device, with the plans it was on, when it was suspended and what was asked of the carrier',
        params: DeviceParams,
        response: { 200: WireDeviceDetail },
      },
    },
    ({ ctx, tenant, params }) => readDevice(ctx, tenant, params.deviceId),
  );

  api.get(
    '/accounts/:accountName/devices/:deviceId/usage',
    {
      config: { access },
      schema: {
        operationId: 'consoleReadDeviceUsage',
        summary: 'What the device used on each of the last 90 days',
        params: DeviceParams,
        response: { 200: WireDeviceUsage },
      },
    },
    ({ ctx, tenant, params, dialect }) =>
      readDeviceUsage(ctx, tenant, params.deviceId, dialect.faults.accountUnknownInPath),
  );

  api.get(
    '/accounts/:accountName/devices/:deviceId/consents',
    {
      config: { access },
      schema: {
        operationId: 'consoleReadConsentHistory',
        summary: 'When the device could be located, how precisely, and on which consent',
        params: DeviceParams,
        querystring: RangeQuery,
        response: { 200: WireHistory },
      },
    },
    ({ ctx, tenant, params: { deviceId }, query, dialect }) =>
      getConsentHistory(ctx, { ...tenant, deviceId }, query, dialect.faults.invalid),
  );
};
