import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { accountIn, calledBy } from '../../platform/http/access.ts';
import { entryWriter, LocateBody, parseLocateRequest } from '../locations/index.ts';
import { cancelRequest, createRequest, type RequestDeps } from './create-request.ts';
import { findKnownRequest, getReport } from './get-report.ts';
import { type AnsweredBy, DEVICES_MAX, PAGE } from './location-request.ts';
import { accountReportRoutes } from './routes-reports.ts';
import * as schemas from './schemas.ts';

interface ReportDeps extends RequestDeps {
  readonly prefix: string;
}

/** Mounted at /loc/v1. */
export const reportRoutes =
  (deps: ReportDeps): FastifyPluginAsyncTypebox =>
  async (api, options) => {
    const write = entryWriter(deps.prefix);
    await accountReportRoutes(deps, write)(api, options);
    const inParams = { access: accountIn('params') };

    const create = (path: string, answeredBy: AnsweredBy, operationId: string, summary: string) =>
      api.post(
        path,
        calledBy(accountIn('body'), {
          operationId,
          summary,
          body: LocateBody,
          response: { 200: schemas.Accepted },
        }),
        ({ ctx, tenant, body }) => {
          const request = parseLocateRequest(body, DEVICES_MAX);
          return createRequest(ctx, tenant, { answeredBy, request }, deps);
        },
      );

    create(
      '/locationreports',
      'report',
      'createLocationReport',
      'Locates up to 10,000 devices; the report is read page by page',
    );

    api.get(
      '/locationreports/:accountName/report/:txid/status',
      {
        config: inParams,
        schema: {
          operationId: 'readLocationReportStatus',
          summary: 'How far a location report is',
          params: schemas.ReportParams,
          response: { 200: schemas.Accepted },
        },
      },
      ({ ctx, tenant, params }) => findKnownRequest(ctx, tenant, params.txid, 'report'),
    );

    api.get(
      '/locationreports/:accountName/report/:txid/index/:startIndex',
      {
        config: inParams,
        schema: {
          operationId: 'readLocationReport',
          summary: 'A page of 1,000 devices of a location report, in the order of the request',
          params: schemas.PageParams,
          response: { 200: schemas.WireReport },
        },
      },
      async ({ ctx, tenant, params: { txid, startIndex } }) => {
        const { request, entries } = await getReport(ctx, tenant, txid, startIndex);
        return {
          startIndex: String(startIndex),
          txid: request.txid,
          totalCount: request.totalCount,
          hasMoreData: startIndex + PAGE < request.totalCount,
          devLocationList: entries.map(({ msid, outcome }) => write.entry(msid, outcome, request.cacheMode)),
        };
      },
    );

    api.delete(
      '/locationreports/:accountName/report/:txid',
      {
        config: inParams,
        schema: {
          operationId: 'cancelLocationReport',
          summary: 'Cancels a location report that is still queued',
          params: schemas.ReportParams,
          response: { 200: schemas.Cancelled },
        },
      },
      async ({ ctx, tenant, params }) => ({ txid: await cancelRequest(ctx, tenant, params.txid, 'report') }),
    );

    create(
      '/devicelocations',
      'callbacks',
      'requestDeviceLocations',
      'Locates up to 10,000 devices; each answer is a DeviceLocation callback',
    );

    api.delete(
      '/devicelocations/:txid',
      calledBy(accountIn('query'), {
        operationId: 'cancelDeviceLocations',
        summary:
          'Cancels a request that is still queued; some callbacks may already have gone out, and no others follow',
        params: schemas.CancelParams,
        querystring: schemas.CancelQuery,
        response: { 200: schemas.Cancelled },
      }),
      async ({ ctx, tenant, params: { txid } }) => ({
        txid: await cancelRequest(ctx, tenant, txid, 'callbacks'),
      }),
    );
  };
