import { Type } from 'typebox';
import { DEVICE_ID_KINDS } from '../../kernel/device-id.ts';
import { OPERATOR_SCOPES } from '../../platform/http/access.ts';
import type { FleetDevice } from '../devices/index.ts';

const PAGE_MAX = 1_000;
const PAGE_DEFAULT = 100;

/** Lists are limited. `page` is the X-Next of the previous answer. */
export const PageQuery = Type.Object({
  page: Type.Optional(Type.String({ maxLength: 200 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_MAX, default: PAGE_DEFAULT })),
});
export const OptionalText = Type.Optional(Type.String({ maxLength: 128 }));

export const Done = Type.Object({ success: Type.Boolean() });
export const AccountParams = Type.Object({ accountName: Type.String({ maxLength: 32 }) });
export const DeviceParams = Type.Object({
  kind: Type.String({ maxLength: 10 }),
  id: Type.String({ maxLength: 40 }),
});
export const UserParams = Type.Object({ username: Type.String({ minLength: 1, maxLength: 128 }) });
export const ClientParams = Type.Object({ clientId: Type.String({ minLength: 1, maxLength: 128 }) });

const Timestamp = Type.Unsafe<Date>({ type: 'string', format: 'date-time' });
const TimestampOrNull = Type.Unsafe<Date | null>({ type: ['string', 'null'], format: 'date-time' });
const TextOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] });
const IntegerOrNull = Type.Unsafe<number | null>({ type: ['integer', 'null'] });
const Anything = Type.Unsafe<unknown>({});

export const WireAccount = Type.Object({
  accountName: Type.String(),
  ecpdId: Type.String(),
  organizationName: TextOrNull,
  timeZone: Type.String(),
  billCycleDay: Type.Integer(),
  realTimeRating: Type.Boolean(),
  aggregatedBilling: Type.Boolean(),
  locationRegistered: Type.Boolean(),
  currency: Type.String({ description: 'The ISO 4217 code for all its amounts' }),
  contactEmail: TextOrNull,
  createdAt: Timestamp,
});

/** A device as the fleet document writes it, with null for what is unknown. */
const DeviceDocument = Type.Object({
  accountName: Type.String(),
  kind: Type.String(),
  ...Object.fromEntries(DEVICE_ID_KINDS.map((kind) => [kind, TextOrNull])),
  state: Type.String(),
  servicePlan: TextOrNull,
  planSince: TimestampOrNull,
  iot: Type.Boolean(),
  labels: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  record: Type.Object({ id: Type.String() }, { additionalProperties: true }),
  activatedBySku: Type.Boolean(),
  otaUpdated: Type.Boolean(),
  nodeUuid: TextOrNull,
  simulation: Type.Object({}, { additionalProperties: true }),
});
export const WireDevice = Type.Unsafe<FleetDevice>(DeviceDocument);
export const ListedDevice = Type.Unsafe<FleetDevice & { readonly hasRules: boolean }>(
  Type.Object({
    ...DeviceDocument.properties,
    hasRules: Type.Boolean({ description: 'Whether an enabled rule evaluates its readings' }),
  }),
);

export const WireUser = Type.Object({
  username: Type.String(),
  accounts: Type.Array(Type.String(), { description: 'Home account first, at most 1,000' }),
  createdAt: Timestamp,
  disabledAt: TimestampOrNull,
  lockedUntil: TimestampOrNull,
  consoleLockedUntil: TimestampOrNull,
});

export const WireClient = Type.Object({
  clientId: Type.String(),
  createdAt: Timestamp,
  disabledAt: TimestampOrNull,
});

export const Scopes = Type.Array(Type.Enum([...OPERATOR_SCOPES]), { minItems: 1, uniqueItems: true });
export const WireKey = Type.Object({
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  createdAt: Timestamp,
  createdBy: Type.String(),
});

export const WireAuditEntry = Type.Object({
  id: Type.String(),
  at: Timestamp,
  actorKind: Type.String(),
  actor: Type.String(),
  action: Type.String(),
  target: TextOrNull,
  targetName: Type.Optional(Type.String({ description: 'The name of a device that still exists' })),
  accountName: TextOrNull,
  requestId: Type.String(),
  status: IntegerOrNull,
  before: Anything,
  after: Anything,
});

export const WireJob = Type.Object({
  id: Type.String(),
  ecpdId: TextOrNull,
  kind: Type.String(),
  key: TextOrNull,
  state: Type.String(),
  dueAt: Timestamp,
  attempts: Type.Integer(),
  attemptsMax: Type.Integer(),
  lastError: TextOrNull,
  requestId: Type.String(),
  createdAt: Timestamp,
  finishedAt: TimestampOrNull,
});

export const WireDoubtfulUsage = Type.Object({
  accountName: Type.String(),
  device: { ...TextOrNull, description: 'The name of the device, if it still exists' },
  nas: Type.String({ description: 'The access server' }),
  sessionId: Type.String(),
  chargingId: Type.Union([Type.Number(), Type.Null()]),
  at: { ...Timestamp, description: 'The time of the report with which it was noticed' },
  bytes: Type.Number({ description: 'At most so many were counted twice' }),
  recordId: Type.String({ description: 'The usage record of that report, if it added any bytes' }),
  noticedAt: Timestamp,
});

export const WireUsageDifference = Type.Object({
  /** Null for the counter of the account itself. */
  deviceId: TextOrNull,
  planCode: Type.String(),
  day: Type.String({ format: 'date' }),
  countedBytes: Type.String(),
  ledgerBytes: Type.String(),
  /** For a counter of a metered service. */
  service: Type.Optional(
    Type.Object({
      serviceName: Type.String(),
      counter: Type.String({
        description:
          'day or own (a month) for its own uses; billedDay, line of a statement or month for uses billed to it',
      }),
      usedBy: Type.String(),
      counted: Type.String(),
      recorded: Type.String(),
    }),
  ),
  /** For a counter that bills are based on. */
  bill: Type.Optional(
    Type.Object({
      apn: Type.String(),
      ratingGroup: Type.String(),
      countryCode: Type.String(),
      delayed: Type.Boolean(),
      countedChargedBytes: Type.String(),
      ledgerChargedBytes: Type.String(),
      countedAmount: Type.String(),
      ledgerAmount: Type.String(),
    }),
  ),
});
