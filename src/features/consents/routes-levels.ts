import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { accountIn } from '../../platform/http/access.ts';
import { readConsentHistory } from './ledger/read-history.ts';
import { findOwnDevice, readLevels } from './read-levels.ts';
import { requireRegistered } from './require-registered.ts';
import * as schemas from './schemas.ts';
import { setAccountConsent, setDeviceConsents } from './set-consents.ts';
import { queued } from './wire.ts';

const PATH = '/devicelocations/action/consents';

export const levelRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.put(
    PATH,
    {
      config: { access: accountIn('body') },
      schema: {
        operationId: 'setAccountConsent',
        summary:
          'Sets the consent level of all devices and ends the levels of single ones; reports follow as callbacks of consentEnableReport',
        body: schemas.AccountConsentBody,
        response: { 200: schemas.Queued },
      },
    },
    async ({ ctx, tenant, body: { allDeviceConsent, deviceList }, principal }) =>
      queued(await setAccountConsent(ctx, tenant, { allDeviceConsent, deviceList }, principal.username)),
  );

  api.post(
    PATH,
    {
      config: { access: accountIn('body') },
      schema: {
        operationId: 'setDeviceConsents',
        summary:
          'Gives single devices a consent level of their own; reports follow as callbacks of consentEnableReport',
        body: schemas.DeviceConsentBody,
        response: { 200: schemas.Queued },
      },
    },
    async ({ ctx, tenant, body, principal }) =>
      queued(await setDeviceConsents(ctx, tenant, body.deviceList, principal.username)),
  );

  api.get(
    PATH,
    {
      config: { access: accountIn('query') },
      schema: {
        operationId: 'readConsents',
        summary:
          "The account's consent level, with that of one device or of the devices that have one of their own",
        querystring: schemas.LevelQuery,
        response: { 200: schemas.WireLevels },
      },
    },
    async ({ ctx, tenant, query: { deviceId, after } }) => {
      await requireRegistered(ctx, tenant);
      return readLevels(ctx, tenant, { deviceId, after });
    },
  );

  api.get(
    '/consents/:accountName/history',
    {
      config: { access: accountIn('params') },
      schema: {
        operationId: 'readConsentHistory',
        summary: 'When a device could be located, how precisely, and on which consent',
        params: schemas.AccountParams,
        querystring: schemas.HistoryQuery,
        response: { 200: schemas.WireHistory },
      },
    },
    async ({ ctx, tenant, query: { deviceId, kind, ...range }, dialect }) => {
      await requireRegistered(ctx, tenant);
      const device = await findOwnDevice(ctx, tenant, { id: deviceId, kind });
      return readConsentHistory(ctx, device, range, dialect.faults.invalid);
    },
  );
};
