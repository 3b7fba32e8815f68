import { Type } from 'typebox';
import { UUID_PATTERN } from '../../kernel/uuid.ts';
import { next, PagePlace } from '../../platform/http/page-place.ts';
import { LocateBody, WireEntry } from '../locations/index.ts';
import { DEVICES_MAX } from './location-request.ts';

export const WorkPayload = Type.Object({ accountName: Type.String(), txid: Type.String() });
export const RelocatePayload = Type.Object({
  accountName: Type.String(),
  deviceIds: Type.Array(Type.String()),
});

export const ReportParams = Type.Object({ accountName: Type.String(), txid: Type.String({ maxLength: 64 }) });
export const PageParams = Type.Object({
  accountName: Type.String(),
  txid: Type.String({ maxLength: 64 }),
  startIndex: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
});
export const CancelParams = Type.Object({ txid: Type.String({ maxLength: 64 }) });
export const CancelQuery = Type.Object({ accountName: Type.String() });

export const Accepted = Type.Object({
  txid: Type.String(),
  status: Type.String({ description: 'QUEUED, INPROGRESS, COMPLETED or CANCELLED' }),
});
export const Cancelled = Type.Object({ txid: Type.String() });

export const WireReport = Type.Object({
  startIndex: Type.String(),
  txid: Type.String(),
  totalCount: Type.Integer(),
  hasMoreData: Type.Boolean(),
  devLocationList: Type.Array(WireEntry),
});

export const REPORTS_PAGE = 50;
export const ListParams = Type.Object({ accountName: Type.String() });
export const ListQuery = Type.Object({
  page: Type.Optional(Type.Unsafe<string>({ ...PagePlace, description: 'The `next` of the previous page' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: REPORTS_PAGE })),
});

const { accountName: _, deviceList, ...wishes } = LocateBody.properties;
export const CreateBody = Type.Object({
  ...wishes,
  deviceList: Type.Optional({
    ...deviceList,
    selects: true,
    description:
      'Without it and `deviceIds`, every device that can be located; unknown members are refused in that case',
  }),
  deviceIds: Type.Optional(
    Type.Array(Type.String({ pattern: UUID_PATTERN }), {
      minItems: 1,
      maxItems: DEVICES_MAX,
      selects: true,
      description: 'Instead of `deviceList`: the ids of the device records',
    }),
  ),
  after: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,19}$',
      description: 'Without a list: the `next` of the previous answer',
    }),
  ),
});
export const Created = Type.Object({ ...Accepted.properties, next });

const report = {
  txid: Type.String(),
  accuracy: Type.String(),
  status: Accepted.properties.status,
  totalCount: Type.Integer(),
  waiting: Type.Integer({ description: 'Devices that the network was not asked for yet' }),
};
export const WireReports = Type.Object({
  reports: Type.Array(
    Type.Object({
      ...report,
      createdAt: Type.Unsafe<Date>({ type: 'string', format: 'date-time' }),
      endedAt: Type.Unsafe<Date | null>({ type: ['string', 'null'], format: 'date-time' }),
    }),
  ),
  next,
});

export const ReportQuery = Type.Object({
  page: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'The `next` of the previous page' }),
  ),
});
export const WireReportPage = Type.Object({
  ...report,
  located: Type.Integer(),
  failed: Type.Integer(),
  entries: Type.Array(Type.Object({ ...WireEntry.properties, deviceId: Type.String() })),
  next: Type.Optional(Type.Integer({ description: 'Absent at the end' })),
});
