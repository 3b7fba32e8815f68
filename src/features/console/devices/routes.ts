import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { UUID_PATTERN } from '../../../kernel/uuid.ts';
import { WireHistory } from '../../consents/index.ts';
import { DEVICE_STATES } from '../../devices/index.ts';
import {
  AccountParams,
  NumberedPageQuery,
  next,
  ofAccount,
  TextOrNull,
  Timestamp,
  TimestampOrNull,
} from '../schemas.ts';
import { getDevice, listFleet } from './get-devices.ts';

const shown = {
  deviceId: Type.String(),
  name: TextOrNull,
  model: TextOrNull,
  state: Type.String(),
  servicePlan: TextOrNull,
  planSince: TimestampOrNull,
  online: Type.Boolean(),
  ids: Type.Array(Type.Object({ kind: Type.String(), id: Type.String() })),
};

const WireFleet = Type.Object({
  devices: Type.Array(Type.Object({ ...shown, usedBytes: Type.Number() })),
  next,
});

const WirePlan = Type.Object({
  planCode: Type.String(),
  since: Timestamp,
  cause: Type.String(),
  changedAt: Timestamp,
  changedBy: Type.String(),
  overwritten: Type.Boolean({ description: 'By a later change, which begins no later' }),
});

const WireRequest = Type.Object({
  requestId: Type.String(),
  operation: Type.String(),
  state: Type.Enum(['waiting', 'done', 'failed']),
  reason: TextOrNull,
  createdAt: Timestamp,
  createdBy: Type.String(),
});

const WireSuspension = Type.Object({
  suspendedAt: Timestamp,
  resumesAt: Timestamp,
  resumedAt: TimestampOrNull,
  withBilling: Type.Boolean(),
  reason: Type.String(),
});

const WireDeviceDetail = Type.Object({
  ...shown,
  kind: Type.String(),
  description: TextOrNull,
  manufacturer: TextOrNull,
  software: TextOrNull,
  iot: Type.Boolean(),
  labels: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  plans: Type.Array(WirePlan),
  requests: Type.Array(WireRequest, {
    description: 'Of the carrier, newest first; kept for 30 days after their end',
  }),
  suspensions: Type.Array(WireSuspension),
  days: Type.Array(Type.Object({ day: Type.String(), bytes: Type.Number() }), {
    description: 'What it used on each of the last 90 days, where the account is',
  }),
  consents: WireHistory,
});

export const deviceRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '/accounts/:accountName/devices',
    ofAccount(
      'consoleListDevices',
      'Lines of the account, by the beginning of any identifier or of the name, or else by a part of the name; a page may be empty and have a next one',
      WireFleet,
      {
        params: AccountParams,
        querystring: Type.Object({
          search: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
          state: Type.Optional(Type.Enum([...DEVICE_STATES])),
          ...NumberedPageQuery.properties,
        }),
      },
    ),
    ({ ctx, tenant, dialect, query: { search, state, page = '0', limit = 100 } }) =>
      listFleet(ctx, tenant, { search, state, after: page, limit }, dialect.faults.accountUnknownInPath),
  );

  api.get(
    '/accounts/:accountName/devices/:deviceId',
    ofAccount(
      'consoleReadDevice',
      'One device: what it used, the plans it was on, when it was suspended and could be located, and what was asked of the carrier',
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
