import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { UUID_PATTERN } from '../../../kernel/uuid.ts';
import { next } from '../../../platform/http/page-place.ts';
import { WireHistory } from '../../consents/index.ts';
import {
  AccountParams,
  NumberOrNull,
  ofAccount,
  TextOrNull,
  Timestamp,
  TimestampOrNull,
} from '../schemas.ts';
import { FilterQuery } from './device-filter.ts';
import { ORDERS, PLACE_PATTERN } from './device-order.ts';
import { BOUNDS } from './find-devices.ts';
import { countFleet, getDevice, listFleet } from './get-devices.ts';

/** A browser reads all matching lines before it acts on them or exports them. */
const PAGE_MAX = 5_000;

const Label = Type.Object({ name: Type.String(), value: Type.String() });

const shown = {
  deviceId: Type.String(),
  name: TextOrNull,
  model: TextOrNull,
  state: Type.String(),
  servicePlan: TextOrNull,
  planSince: TimestampOrNull,
  online: Type.Boolean(),
  labels: Type.Array(Label),
  ids: Type.Array(Type.Object({ kind: Type.String(), id: Type.String() })),
};

const WireFleet = Type.Object({
  devices: Type.Array(Type.Object({ ...shown, addedAt: Timestamp, usedBytes: Type.Number() })),
  next,
});

const WireSuspension = Type.Object({
  suspendedAt: Timestamp,
  resumesAt: Timestamp,
  resumedAt: TimestampOrNull,
  withBilling: Type.Boolean(),
  reason: Type.String(),
});

const WireSession = Type.Object({
  nas: Type.String(),
  sessionId: Type.String(),
  state: Type.String(),
  startedAt: TimestampOrNull,
  lastReportAt: Timestamp,
  closedAt: TimestampOrNull,
  closeCause: TextOrNull,
  inputBytes: Type.Number(),
  outputBytes: Type.Number(),
  apn: TextOrNull,
  rat: TextOrNull,
  ipAddress: TextOrNull,
  visitedNetwork: TextOrNull,
  countryCode: TextOrNull,
  imeisv: TextOrNull,
  otherDevice: Type.Boolean(),
  cell: TextOrNull,
});

const WireDeviceDetail = Type.Object({
  ...shown,
  kind: Type.String(),
  description: TextOrNull,
  manufacturer: TextOrNull,
  software: TextOrNull,
  iot: Type.Boolean(),
  planName: TextOrNull,
  suspensions: Type.Array(WireSuspension),
  sessions: Type.Array(WireSession, { description: 'Up to 20 data sessions, open ones first' }),
  days: Type.Array(Type.Object({ day: Type.String(), bytes: Type.Number() }), {
    description: 'Usage on each of the last 90 days, in the time zone of the account',
  }),
  cycle: Type.Object(
    {
      from: Type.String(),
      to: Type.String({ description: 'The first day after it' }),
      usedBytes: Type.Number(),
      allowanceBytes: NumberOrNull,
    },
    { description: 'The open billing month, with the allowance of the plan for a line' },
  ),
  consents: WireHistory,
  licenses: Type.Array(
    Type.Object({ skuNumber: Type.String(), licenseType: Type.String(), assignedOn: Type.String() }),
  ),
});

const WireCount = Type.Object({
  count: Type.Integer(),
  exact: Type.Boolean({
    description: `False if the account has more than ${BOUNDS.scannedMax} devices: only the first are counted`,
  }),
});

export const deviceRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '/accounts/:accountName/devices',
    ofAccount(
      'consoleListDevices',
      'Lines of the account, by the beginning of any identifier or of the name, or else by a part of the name; an empty page may have a next one',
      WireFleet,
      {
        params: AccountParams,
        querystring: Type.Object({
          ...FilterQuery.properties,
          order: Type.Optional(
            Type.Enum([...ORDERS], {
              description: 'By time of entry, oldest first by default, or by a property; a minus reverses it',
            }),
          ),
          page: Type.Optional(Type.String({ pattern: PLACE_PATTERN })),
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_MAX, default: 100 })),
        }),
      },
    ),
    ({ ctx, tenant, dialect, query: { search, page, limit = 100, ...filter } }) =>
      listFleet(ctx, tenant, { ...filter, search, after: page, limit }, dialect.faults.accountUnknownInPath),
  );

  api.get(
    '/accounts/:accountName/device-count',
    ofAccount('consoleCountDevices', 'The number of matching lines of the account', WireCount, {
      params: AccountParams,
      querystring: FilterQuery,
    }),
    ({ ctx, tenant, query }) => countFleet(ctx, tenant, query),
  );

  api.get(
    '/accounts/:accountName/devices/:deviceId',
    ofAccount(
      'consoleReadDevice',
      'One device: its usage and allowance, suspensions, consents and licences',
      WireDeviceDetail,
      {
        params: Type.Object({
          ...AccountParams.properties,
          deviceId: Type.String({ pattern: UUID_PATTERN }),
        }),
      },
    ),
    ({ ctx, tenant, params: { deviceId }, dialect }) => getDevice(ctx, tenant, deviceId, dialect.faults),
  );
};
