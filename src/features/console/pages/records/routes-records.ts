import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { refuse } from '../../../../platform/context/fault.ts';
import { viewerOfAccount } from '../../../../platform/http/access.ts';
import { queryRecords, updateDeviceRecord } from '../../../device-management/index.ts';
import { consoleFaults } from '../../errors.ts';
import { readDocument } from './read-document.ts';
import * as schemas from './schemas.ts';
import { LISTED, toDetail, toListed } from './wire.ts';

const LIST = '/accounts/:accountName/records/:kind';

export const recordRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    LIST,
    {
      config: { access: viewerOfAccount() },
      schema: {
        operationId: 'consoleListRecords',
        summary: 'Records of devices, gateways or sensors whose fields are as asked',
        params: schemas.KindParams,
        querystring: schemas.RecordQuery,
        response: { 200: schemas.WireRecords },
      },
    },
    async ({ ctx, tenant, params, dialect, query: { page, limit = 100, selection } }) => {
      const { records, next } = await queryRecords(ctx, tenant, params.kind, {
        accountname: tenant.accountName,
        filter: {
          $limitnumber: limit,
          $projection: LISTED,
          ...(page !== undefined && { $page: page }),
          ...(selection !== undefined && {
            $selection: readDocument(selection, 'selection', dialect.faults.invalid),
          }),
        },
      });
      return { records: records.map(toListed), ...(next !== undefined && { next }) };
    },
  );

  api.get(
    `${LIST}/:recordId`,
    {
      config: { access: viewerOfAccount() },
      schema: {
        operationId: 'consoleReadRecord',
        summary: 'One record with everything that is known',
        params: schemas.RecordParams,
        response: { 200: schemas.WireRecordDetail },
      },
    },
    async ({ ctx, tenant, params: { kind, recordId } }) => {
      const { records } = await queryRecords(ctx, tenant, kind, {
        accountname: tenant.accountName,
        resourceidentifier: { id: recordId },
      });
      return toDetail(records[0] ?? refuse(consoleFaults.noDevice), kind);
    },
  );

  api.patch(
    `${LIST}/:recordId`,
    {
      config: { access: viewerOfAccount('fleet') },
      schema: {
        operationId: 'consoleChangeRecord',
        summary: 'Changes what the owner says of a device, gateway or sensor; what is absent stays as it is',
        params: schemas.RecordParams,
        body: schemas.RecordChange,
        response: { 200: schemas.WireRecordDetail },
      },
    },
    async ({ ctx, tenant, params: { kind, recordId }, body, dialect }) => {
      const { versionId, name, description, customData } = body;
      const written = await updateDeviceRecord(ctx, tenant, {
        accountname: tenant.accountName,
        id: recordId,
        ...(versionId !== undefined && { versionid: versionId }),
        device: {
          ...(name !== undefined && { name }),
          ...(description !== undefined && { description }),
          ...(customData !== undefined && {
            customdata: readDocument(customData, 'customData', dialect.faults.invalid),
          }),
        },
      });
      return toDetail(written, kind);
    },
  );
};
