import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { UUID_PATTERN, UUID_SHAPE } from '../../../kernel/uuid.ts';
import { calledBy, viewerOfAccount } from '../../../platform/http/access.ts';
import { refuseUnknownMembers } from '../../../platform/http/unknown-member.ts';
import { DEVICES_MAX, type RequestDeps } from '../../location-reports/index.ts';
import { entryWriter, LocateBody, WireEntry } from '../../locations/index.ts';
import { AccountParams, next, ofAccount, Timestamp, TimestampOrNull } from '../schemas.ts';
import { createReport, getReportPage, listReportsPage } from './get-reports.ts';

export interface ReportDeps extends RequestDeps {
  readonly prefix: string;
}

const REPORTS = '/accounts/:accountName/location-reports';
const REPORTS_PAGE = 50;

const { accountName: _, deviceList, ...wishes } = LocateBody.properties;
const CreateBody = Type.Object({
  ...wishes,
  deviceList: Type.Optional({
    ...deviceList,
    selects: true,
    description:
      'Absent, as `deviceIds` is: every device that can be located; then unknown members are refused',
  }),
  deviceIds: Type.Optional(
    Type.Array(Type.String({ pattern: UUID_PATTERN }), {
      minItems: 1,
      maxItems: DEVICES_MAX,
      selects: true,
      description: 'The same by the ids that the console knows devices by',
    }),
  ),
  after: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,19}$',
      description:
        'Of every device that can be located, those behind this place: the `next` of the answer before',
    }),
  ),
});

const request = {
  txid: Type.String(),
  accuracy: Type.String(),
  status: Type.String(),
  totalCount: Type.Integer(),
  waiting: Type.Integer({ description: 'Devices for which the network was not yet asked' }),
};

const WireReports = Type.Object({
  reports: Type.Array(Type.Object({ ...request, createdAt: Timestamp, endedAt: TimestampOrNull })),
  next,
});

const WireReportPage = Type.Object({
  ...request,
  located: Type.Integer(),
  failed: Type.Integer(),
  entries: Type.Array(Type.Object({ ...WireEntry.properties, deviceId: Type.String() })),
  next: Type.Optional(Type.Integer()),
});

export const reportRoutes =
  ({ prefix, ...deps }: ReportDeps): FastifyPluginAsyncTypebox =>
  async (api) => {
    const write = entryWriter(prefix);

    api.get(
      REPORTS,
      ofAccount(
        'consoleListLocationReports',
        'Location reports of the account and how far they are, newest first',
        WireReports,
        {
          params: AccountParams,
          querystring: Type.Object({
            page: Type.Optional(Type.String({ pattern: `^[0-9]{1,14}~${UUID_SHAPE}$` })),
            limit: Type.Optional(Type.Integer({ minimum: 1, maximum: REPORTS_PAGE })),
          }),
        },
      ),
      ({ ctx, tenant, query: { page, limit = REPORTS_PAGE } }) =>
        listReportsPage(ctx, tenant, { page, limit }),
    );

    api.post(
      REPORTS,
      calledBy(viewerOfAccount('fleet'), {
        operationId: 'consoleCreateLocationReport',
        summary: 'Locates the devices that are named, or the next 10,000 of all that can be located',
        params: AccountParams,
        body: CreateBody,
        response: { 200: Type.Object({ txid: Type.String(), status: Type.String(), next }) },
      }),
      ({ ctx, tenant, body, dialect }) => {
        if (body.deviceList === undefined && body.deviceIds === undefined)
          refuseUnknownMembers(body, CreateBody, dialect.faults.invalid);
        return createReport(ctx, tenant, body, deps);
      },
    );

    api.get(
      `${REPORTS}/:txid`,
      ofAccount(
        'consoleReadLocationReport',
        'How far a report is, and 1,000 of its devices in the order of the request',
        WireReportPage,
        {
          params: Type.Object({ ...AccountParams.properties, txid: Type.String({ pattern: UUID_PATTERN }) }),
          querystring: Type.Object({ page: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })) }),
        },
      ),
      ({ ctx, tenant, params: { txid }, query: { page: from = 0 } }) =>
        getReportPage(ctx, tenant, { txid, from }, write),
    );
  };
