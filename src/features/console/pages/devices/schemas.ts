import { Type } from 'typebox';
import { UUID_PATTERN } from '../../../../kernel/uuid.ts';
import { TextOrNull, Timestamp, TimestampOrNull } from '../../schemas.ts';

export const DeviceParams = Type.Object({
  accountName: Type.String({ maxLength: 32 }),
  deviceId: Type.String({ pattern: UUID_PATTERN }),
});

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

export const WireFleet = Type.Object({
  devices: Type.Array(Type.Object({ ...shown, usedBytes: Type.Number() })),
  next: Type.Optional(Type.String()),
});

export const WireDeviceDetail = Type.Object({
  ...shown,
  kind: Type.String(),
  description: TextOrNull,
  manufacturer: TextOrNull,
  software: TextOrNull,
  iot: Type.Boolean(),
  labels: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  plans: Type.Array(
    Type.Object({
      planCode: Type.String(),
      since: Timestamp,
      cause: Type.String(),
      changedAt: Timestamp,
      changedBy: Type.String(),
      overwritten: Type.Boolean({ description: 'By a later change, which begins no later' }),
    }),
  ),
  requests: Type.Array(
    Type.Object({
      requestId: Type.String(),
      operation: Type.String(),
      state: Type.Enum(['waiting', 'done', 'failed']),
      reason: TextOrNull,
      createdAt: Timestamp,
      createdBy: Type.String(),
    }),
    { description: 'Of the carrier, newest first; kept for 30 days after their end' },
  ),
  suspensions: Type.Array(
    Type.Object({
      suspendedAt: Timestamp,
      resumesAt: Timestamp,
      resumedAt: TimestampOrNull,
      withBilling: Type.Boolean(),
      reason: Type.String(),
    }),
  ),
});

export const WireDeviceUsage = Type.Object({
  days: Type.Array(Type.Object({ day: Type.String(), bytes: Type.Number() })),
});
