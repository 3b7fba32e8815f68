import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { refuse } from '../../platform/context/fault.ts';
import { accountIn, calledBy } from '../../platform/http/access.ts';
import { addRoutes } from '../../platform/http/add-routes.ts';
import { speak } from '../../platform/http/dialect.ts';
import { changeExclusionList, removeExclusions } from './change-exclusions.ts';
import { requireRegistered } from './check-request.ts';
import { deviceListFaults } from './errors.ts';
import { findOwnDevice, getExclusions, getLevels } from './get-consents.ts';
import { getConsentHistory } from './ledger/get-history.ts';
import * as schemas from './schemas.ts';
import { setAccountConsent, setDeviceConsents } from './set-consents.ts';
import { exclusionDialect, queued } from './wire.ts';

const exclusionChanges: FastifyPluginAsyncTypebox = async (api) => {
  speak(api, exclusionDialect);

  api.post(
    '/consents',
    calledBy(accountIn('body'), {
      operationId: 'changeExclusions',
      summary: 'Excludes devices from being located, by a list of them or all at once, or allows them again',
      body: schemas.ExclusionBody,
      response: { 200: schemas.Success },
    }),
    async ({ ctx, tenant, body, principal, dialect }) => {
      const { type = 'replace', allDevice, exclusion } = body;
      if (allDevice === undefined && exclusion === undefined)
        refuse(dialect.faults.invalid, { reason: 'allDevice or exclusion is needed' });
      await changeExclusionList(ctx, tenant, { type, allDevice, exclusion }, principal.username);
      return { success: true };
    },
  );

  api.delete(
    '/consents',
    calledBy(accountIn('query'), {
      operationId: 'removeExclusions',
      summary: 'Removes devices from the exclusion list; devices that are not in it stay allowed',
      querystring: schemas.RemoveQuery,
      response: { 200: schemas.Removed },
    }),
    async ({ ctx, tenant, query, principal }) => {
      if (query.deviceList.trim() === '') refuse(deviceListFaults.emptyDeviceList);
      const named = query.deviceList.split(',');
      const notListed = await removeExclusions(ctx, tenant, named, principal.username);
      return { success: true, ...(notListed.length > 0 && { notListed }) };
    },
  );
};

const exclusionLists: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '/consents/:accountName',
    calledBy(accountIn('params'), {
      operationId: 'readExclusions',
      summary: 'The exclusion list of the account from its beginning',
      params: schemas.AccountParams,
      response: { 200: schemas.WireExclusions },
    }),
    ({ ctx, tenant }) => getExclusions(ctx, tenant, 0),
  );

  api.get(
    '/consents/:accountName/index/:startIndex',
    calledBy(accountIn('params'), {
      operationId: 'readExclusionsFrom',
      summary: 'The exclusion list of the account from an index on; an empty page beyond its end',
      params: schemas.PageParams,
      response: { 200: schemas.WireExclusions },
    }),
    ({ ctx, tenant, params }) => getExclusions(ctx, tenant, params.startIndex),
  );
};

const PATH = '/devicelocations/action/consents';

const levelChanges: FastifyPluginAsyncTypebox = async (api) => {
  api.put(
    PATH,
    calledBy(accountIn('body'), {
      operationId: 'setAccountConsent',
      summary:
        'Sets the consent level of all devices and ends the levels of single ones; reports follow as callbacks of consentEnableReport',
      body: schemas.AccountConsentBody,
      response: { 200: schemas.Queued },
    }),
    async ({ ctx, tenant, body: { allDeviceConsent, deviceList }, principal }) =>
      queued(await setAccountConsent(ctx, tenant, { allDeviceConsent, deviceList }, principal.username)),
  );

  api.post(
    PATH,
    calledBy(accountIn('body'), {
      operationId: 'setDeviceConsents',
      summary:
        'Gives single devices their own consent level; reports follow as callbacks of consentEnableReport',
      body: schemas.DeviceConsentBody,
      response: { 200: schemas.Queued },
    }),
    async ({ ctx, tenant, body, principal }) =>
      queued(await setDeviceConsents(ctx, tenant, body.deviceList, principal.username)),
  );
};

const levels: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    PATH,
    calledBy(accountIn('query'), {
      operationId: 'readConsents',
      summary: "The account's consent level, with that of one device or of all devices with their own level",
      querystring: schemas.LevelQuery,
      response: { 200: schemas.WireLevels },
    }),
    async ({ ctx, tenant, query: { deviceId, after } }) => {
      await requireRegistered(ctx, tenant);
      return getLevels(ctx, tenant, { deviceId, after });
    },
  );

  api.get(
    '/consents/:accountName/history',
    calledBy(accountIn('params'), {
      operationId: 'readConsentHistory',
      summary: 'When a device could be located, how precisely, and on which consent',
      params: schemas.AccountParams,
      querystring: schemas.HistoryQuery,
      response: { 200: schemas.WireHistory },
    }),
    async ({ ctx, tenant, query: { deviceId, kind, ...range }, dialect }) => {
      await requireRegistered(ctx, tenant);
      const device = await findOwnDevice(ctx, tenant, { id: deviceId, kind });
      return getConsentHistory(ctx, device, range, dialect.faults.invalid);
    },
  );
};

/** Mounted at /loc/v1. */
export const consentRoutes: FastifyPluginAsyncTypebox = async (api) => {
  await api.register(exclusionChanges);
  await addRoutes(api, [exclusionLists, levelChanges, levels]);
};
