import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { viewerOfAccount } from '../../../../platform/http/access.ts';
import { refuseUnknownMembers } from '../../../../platform/http/unknown-member.ts';
import { cancelRequest, type RequestDeps } from '../../../location-reports/index.ts';
import { entryWriter } from '../../../locations/index.ts';
import { AccountParams, Done } from '../../schemas.ts';
import { createReport, listReportsPage, readReportPage } from './read-reports.ts';
import { CreateBody, ListQuery, REPORTS_PAGE, ReportParams, WireReportPage, WireReports } from './schemas.ts';

export interface ReportDeps extends RequestDeps {
  readonly prefix: string;
}

const REPORTS = '/accounts/:accountName/location-reports';

export const locationReportRoutes =
  ({ prefix, ...deps }: ReportDeps): FastifyPluginAsyncTypebox =>
  async (api) => {
    const write = entryWriter(prefix);

    api.get(
      REPORTS,
      {
        config: { access: viewerOfAccount() },
        schema: {
          operationId: 'consoleListLocationReports',
          summary: 'Location reports of the account and how far they are, newest first',
          params: AccountParams,
          querystring: ListQuery,
          response: { 200: WireReports },
        },
      },
      ({ ctx, tenant, query: { page, limit = REPORTS_PAGE } }) =>
        listReportsPage(ctx, tenant, { page, limit }),
    );

    api.post(
      REPORTS,
      {
        config: { access: viewerOfAccount('fleet') },
        schema: {
          operationId: 'consoleCreateLocationReport',
          summary: 'Locates the devices that are named, or all that can be located, up to 10,000',
          params: AccountParams,
          body: CreateBody,
          response: { 200: Type.Object({ txid: Type.String(), status: Type.String() }) },
        },
      },
      ({ ctx, tenant, body, dialect }) => {
        if (body.deviceList === undefined) refuseUnknownMembers(body, CreateBody, dialect.faults.invalid);
        return createReport(ctx, tenant, body, deps);
      },
    );

    api.get(
      `${REPORTS}/:txid`,
      {
        config: { access: viewerOfAccount() },
        schema: {
          operationId: 'consoleReadLocationReport',
          summary: 'How far a report is, and 1,000 of its devices in the order of the request',
          params: ReportParams,
          querystring: Type.Object({ page: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })) }),
          response: { 200: WireReportPage },
        },
      },
      ({ ctx, tenant, params: { txid }, query: { page: from = 0 } }) =>
        readReportPage(ctx, tenant, { txid, from }, write),
    );

    api.delete(
      `${REPORTS}/:txid`,
      {
        config: { access: viewerOfAccount('fleet') },
        schema: {
          operationId: 'consoleCancelLocationReport',
          summary: 'Cancels a report that is still queued',
          params: ReportParams,
          response: { 200: Done },
        },
      },
      async ({ ctx, tenant, params: { txid } }) => {
        await cancelRequest(ctx, tenant, txid, 'report');
        return { success: true };
      },
    );
  };
