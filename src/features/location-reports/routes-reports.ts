import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { accountIn, calledBy } from '../../platform/http/access.ts';
import { refuseUnknownMembers } from '../../platform/http/unknown-member.ts';
import type { EntryWriter } from '../locations/index.ts';
import type { RequestDeps } from './create-request.ts';
import { createReport, getReportPage, listReportsPage } from './list-reports.ts';
import * as schemas from './schemas.ts';

const access = accountIn('params');

/** The location reports of an account: the list, a report on every device, and a report with its counts. */
export const accountReportRoutes =
  (deps: RequestDeps, write: EntryWriter): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.get(
      '/locationreports/:accountName',
      calledBy(access, {
        operationId: 'listLocationReports',
        summary: 'Location reports of the account and their progress, newest first',
        params: schemas.ListParams,
        querystring: schemas.ListQuery,
        response: { 200: schemas.WireReports },
      }),
      ({ ctx, tenant, query: { page, limit = schemas.REPORTS_PAGE } }) =>
        listReportsPage(ctx, tenant, { page, limit }),
    );

    api.post(
      '/locationreports/:accountName',
      calledBy(access, {
        operationId: 'createAccountLocationReport',
        summary: 'Locates the given devices, or the next 10,000 of all devices that can be located',
        description:
          'With `deviceList` or `deviceIds` the report is about these devices, otherwise about all that can be located. ' +
          'While the answer has `next`, call again with `after` set to it: that makes the report on the next devices.',
        params: schemas.ListParams,
        body: schemas.CreateBody,
        response: { 200: schemas.Created },
      }),
      ({ ctx, tenant, body, dialect }) => {
        if (body.deviceList === undefined && body.deviceIds === undefined)
          refuseUnknownMembers(body, schemas.CreateBody, dialect.faults.invalid);
        return createReport(ctx, tenant, body, deps);
      },
    );

    api.get(
      '/locationreports/:accountName/report/:txid',
      calledBy(access, {
        operationId: 'readLocationReportWithCounts',
        summary: 'The progress of a location report, and 1,000 of its devices in the order of the request',
        params: schemas.ReportParams,
        querystring: schemas.ReportQuery,
        response: { 200: schemas.WireReportPage },
      }),
      ({ ctx, tenant, params: { txid }, query: { page: from = 0 } }) =>
        getReportPage(ctx, tenant, { txid, from }, write),
    );
  };
