import { Type } from 'typebox';
import { UUID_PATTERN, UUID_SHAPE } from '../../../../kernel/uuid.ts';
import { LocateBody, WireEntry } from '../../../locations/index.ts';
import { Timestamp, TimestampOrNull } from '../../schemas.ts';

export const REPORTS_PAGE = 50;

export const ReportParams = Type.Object({
  accountName: Type.String({ maxLength: 32 }),
  txid: Type.String({ pattern: UUID_PATTERN }),
});

export const ListQuery = Type.Object({
  page: Type.Optional(Type.String({ pattern: `^[0-9]{1,14}~${UUID_SHAPE}$` })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: REPORTS_PAGE })),
});

const { accuracyMode, cacheMode, maxLocAge, deviceList } = LocateBody.properties;
export const CreateBody = Type.Object({
  accuracyMode,
  cacheMode,
  maxLocAge,
  deviceList: Type.Optional({
    ...deviceList,
    selects: true,
    description: 'Absent: every device that can be located; then unknown members are refused',
  }),
});

const request = {
  txid: Type.String(),
  accuracy: Type.String(),
  status: Type.String(),
  totalCount: Type.Integer(),
};

export const WireReports = Type.Object({
  reports: Type.Array(
    Type.Object({
      ...request,
      createdAt: Timestamp,
      endedAt: TimestampOrNull,
      waiting: Type.Integer({ description: 'Devices for which the network was not yet asked' }),
    }),
  ),
  next: Type.Optional(Type.String()),
});

export const WireReportPage = Type.Object({
  ...request,
  waiting: Type.Integer(),
  located: Type.Integer(),
  failed: Type.Integer(),
  entries: Type.Array(Type.Object({ ...WireEntry.properties, deviceId: Type.String() })),
  next: Type.Optional(Type.Integer()),
});
