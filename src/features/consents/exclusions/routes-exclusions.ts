import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { refuse } from '../../../platform/context/fault.ts';
import { accountIn } from '../../../platform/http/access.ts';
import { deviceListFaults } from '../errors.ts';
import * as schemas from '../schemas.ts';
import { changeExclusionList, removeExclusions } from './change-exclusions.ts';
import { readExclusions } from './read-exclusions.ts';

export const exclusionRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.post(
    '/consents',
    {
      config: { access: accountIn('body') },
      schema: {
        operationId: 'changeExclusions',
        summary:
          'Excludes devices from being located, by a list of them or all at once, or allows them again',
        body: schemas.ExclusionBody,
        response: { 200: schemas.Success },
      },
    },
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
    {
      config: { access: accountIn('query') },
      schema: {
        operationId: 'removeExclusions',
        summary: 'Takes devices out of the exclusion list; those that are not in it stay allowed',
        querystring: schemas.RemoveQuery,
        response: { 200: schemas.Removed },
      },
    },
    async ({ ctx, tenant, query, principal }) => {
      if (query.deviceList.trim() === '') refuse(deviceListFaults.emptyDeviceList);
      const named = query.deviceList.split(',');
      const notListed = await removeExclusions(ctx, tenant, named, principal.username);
      return { success: true, ...(notListed.length > 0 && { notListed }) };
    },
  );

  api.get(
    '/consents/:accountName',
    {
      config: { access: accountIn('params') },
      schema: {
        operationId: 'readExclusions',
        summary: 'The exclusion list of the account from its beginning',
        params: schemas.AccountParams,
        response: { 200: schemas.WireExclusions },
      },
    },
    ({ ctx, tenant }) => readExclusions(ctx, tenant, 0),
  );

  api.get(
    '/consents/:accountName/index/:startIndex',
    {
      config: { access: accountIn('params') },
      schema: {
        operationId: 'readExclusionsFrom',
        summary: 'The exclusion list of the account from an index on; beyond its end an empty page',
        params: schemas.PageParams,
        response: { 200: schemas.WireExclusions },
      },
    },
    ({ ctx, tenant, params }) => readExclusions(ctx, tenant, params.startIndex),
  );
};
