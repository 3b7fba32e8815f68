import { type Static, Type } from 'typebox';
import { UUID_PATTERN } from '../../kernel/uuid.ts';
import { next, PagePlace } from '../../platform/http/page-place.ts';
import { EVENT_NAMES, LISTENER_SERVICES } from '../callback-payloads/index.ts';
import { LISTENER_URL_MAX } from './send-callback.ts';

const CREDENTIAL_MAX = 40;
const ServiceName = Type.Enum([...LISTENER_SERVICES]);
const MessageId = Type.String({ pattern: UUID_PATTERN });
const OptionalText = Type.Optional(Type.String({ maxLength: 128 }));
const Milliseconds = Type.Integer({
  minimum: 0,
  maximum: 9_999_999_999_999,
  description: 'Milliseconds since 1970',
});

export const AccountParams = Type.Object({ accountName: Type.String() });
export const ListenerParams = Type.Object({
  accountName: Type.String(),
  service: Type.String({ maxLength: 64 }),
});

export const RegisterBody = Type.Object({
  name: Type.String({ maxLength: 64, description: 'Callback service name' }),
  url: Type.Optional(Type.String({ maxLength: LISTENER_URL_MAX })),
  username: Type.Optional(Type.String({ maxLength: CREDENTIAL_MAX })),
  password: Type.Optional(Type.String({ maxLength: CREDENTIAL_MAX })),
  rotateSecret: Type.Optional(Type.Boolean({ lenient: true })),
});

export const ChangeBody = Type.Object({
  url: Type.String({ minLength: 1, maxLength: LISTENER_URL_MAX }),
  username: RegisterBody.properties.username,
  password: RegisterBody.properties.password,
  rotateSecret: Type.Optional(Type.Boolean({ description: 'Makes a new secret. Both sign for a day' })),
  removeCredentials: Type.Optional(
    Type.Boolean({ description: 'Removes the username and password that the body leaves out' }),
  ),
});
export const ChangeAnswer = Type.Object({
  secret: Type.Optional(Type.String({ description: 'Only if it is new' })),
});

/** Both spellings of each name: published clients read one or the other. */
const names = {
  accountName: Type.String(),
  serviceName: Type.String(),
  aname: Type.String(),
  name: Type.String(),
};
export const RegisterAnswer = Type.Object({ ...names, account: Type.Optional(Type.String()) });
export const RemoveAnswer = Type.Object({ ...names, success: Type.Optional(Type.Boolean()) });

export const WireListener = Type.Object({
  ...names,
  url: Type.String({ description: '"undefined" if it was never set' }),
  username: Type.Optional(Type.String()),
  password: Type.Optional(Type.String()),
});
export type WireListener = Static<typeof WireListener>;

export const ResendBody = Type.Object({ requestId: Type.String({ minLength: 1, maxLength: 128 }) });
export const ResendAnswer = Type.Object({ resent: Type.Integer() });

/** More than the console lets a user select one by one. */
const SELECTED_MAX = 500;

/** Each member narrows the re-send down. Null and empty are refused: they would widen it to everything. */
export const ResendFailedBody = Type.Object({
  requestId: Type.Optional(Type.String({ selects: true, minLength: 1, maxLength: 128 })),
  messageIds: Type.Optional(Type.Array(MessageId, { selects: true, minItems: 1, maxItems: SELECTED_MAX })),
  serviceName: Type.Optional(Type.Unsafe<Static<typeof ServiceName>>({ ...ServiceName, selects: true })),
  since: Type.Optional(Type.Unsafe<number>({ ...Milliseconds, selects: true })),
  until: Type.Optional(Type.Unsafe<number>({ ...Milliseconds, selects: true })),
  after: Type.Optional(
    Type.Unsafe<string>({ ...PagePlace, selects: true, description: 'The `next` of the previous answer' }),
  ),
});
export const ResendFailedAnswer = Type.Object({
  resent: Type.Integer(),
  next: Type.Optional(Type.String({ description: 'Where the next part begins; absent after the last' })),
});

/** Larger numbers are not counted exactly, and a re-send takes no more. */
export const FAILED_COUNTED_MAX = 100_000;

export const FailedQuery = Type.Object({
  requestId: OptionalText,
  serviceName: Type.Optional(ServiceName),
  since: Type.Optional(Milliseconds),
  until: Type.Optional(Milliseconds),
});
export const WireFailed = Type.Object({
  services: Type.Array(
    Type.Object({
      serviceName: Type.String(),
      failed: Type.Integer(),
      hasListener: Type.Boolean({ description: 'Without one they stay failed' }),
    }),
  ),
  isAll: Type.Boolean({ description: `False if there are more than ${FAILED_COUNTED_MAX}` }),
  until: Type.Integer({
    description: 'Pass it to the re-send, so that it takes no callback that failed after the count',
  }),
});

const DELIVERIES_MAX = 500;
export const DeliveryQuery = Type.Object({
  requestId: Type.Optional(Type.String({ maxLength: 128 })),
  serviceName: Type.Optional(Type.String({ maxLength: 64 })),
  state: Type.Optional(Type.Enum(['pending', 'delivered', 'failed'])),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: DELIVERIES_MAX, default: 100 })),
});

const TextOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] });
const Timestamp = Type.Unsafe<Date>({ type: 'string', format: 'date-time' });
const TimestampOrNull = Type.Unsafe<Date | null>({ type: ['string', 'null'], format: 'date-time' });

export const WireDelivery = Type.Object({
  id: Type.String({ description: 'Also the webhook-id of every attempt' }),
  requestId: Type.String(),
  accountName: Type.String(),
  serviceName: Type.String(),
  state: Type.String(),
  createdAt: Timestamp,
  nextAttemptAt: TimestampOrNull,
  payload: Type.Unsafe<unknown>({}),
  attempts: Type.Array(
    Type.Object({
      at: Type.String(),
      series: Type.Integer(),
      attempt: Type.Integer(),
      status: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
      latencyMs: Type.Integer(),
      error: TextOrNull,
      body: Type.String(),
      headers: Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description:
          'Headers of an unsuccessful response, one per line, at most 2 KiB; null if none were kept',
      }),
    }),
  ),
});

export const WireDeliveries = Type.Array(WireDelivery);

const LOG_PAGE_MAX = 200;
export const LogQuery = Type.Object({
  requestId: OptionalText,
  serviceName: Type.Optional(ServiceName),
  state: DeliveryQuery.properties.state,
  page: Type.Optional(Type.Unsafe<string>({ ...PagePlace, description: 'The `next` of the previous page' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LOG_PAGE_MAX, default: 100 })),
});

const { id, requestId, serviceName, state, createdAt, nextAttemptAt } = WireDelivery.properties;
export const WireLog = Type.Object({
  deliveries: Type.Array(
    Type.Object({
      ...{ id, requestId, serviceName, state, createdAt, nextAttemptAt },
      attempts: Type.Integer(),
      lastOutcome: Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: 'The status of the last answer, or why there was none; null before the first attempt',
      }),
    }),
  ),
  next,
});

export const DeliveryParams = Type.Object({ ...AccountParams.properties, messageId: MessageId });
const Nth = Type.Integer({ minimum: 1, maximum: 32_767 });
export const AttemptParams = Type.Object({ ...DeliveryParams.properties, series: Nth, attempt: Nth });

export const WireAttemptRequest = Type.Object({
  url: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Present URL of the listener; null if there is none',
  }),
  isChanged: Type.Boolean({
    description: 'The listener has changed since: the attempt may have gone elsewhere',
  }),
  signedAt: Type.Unsafe<Date | null>({
    type: ['string', 'null'],
    format: 'date-time',
    description: 'In real time; null if nothing was sent, or for attempts made before this was recorded',
  }),
  headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  body: Type.String({ description: 'Without username and password' }),
  isWithheld: Type.Boolean({ description: 'The position is not shown because its consent was withdrawn' }),
  signature: Type.Enum(['verifies', 'changed', 'unknown', 'noListener'], {
    description:
      'Whether the sent signature matches this message with a currently valid secret; changed: it cannot be reproduced',
  }),
});
export type AttemptRequest = Static<typeof WireAttemptRequest>;

/** Counting further is pointless: this is already too many. */
export const WAITING_COUNTED_MAX = 10_000;
/** The newest callbacks of each listener, from which its hours are computed. */
export const MESSAGES_SEEN = 500;

const WireListenerHealth = Type.Object({
  serviceName: Type.String(),
  url: TextOrNull,
  paused: Type.Boolean(),
  failingSince: TimestampOrNull,
  lastFailure: TextOrNull,
  hasMessages: Type.Boolean({
    description: 'Whether it has had any callbacks since it was first registered',
  }),
  waiting: Type.Integer({ description: `Counted up to ${WAITING_COUNTED_MAX}` }),
});

const WireDeliveryHealth = Type.Object({
  listeners: Type.Array(WireListenerHealth),
  hours: Type.Array(
    Type.Object({
      hour: Timestamp,
      delivered: Type.Integer(),
      failed: Type.Integer(),
      pending: Type.Integer(),
      latencyMs: Type.Unsafe<number | null>({
        type: ['number', 'null'],
        description: 'Median of the acknowledged attempts',
      }),
    }),
    { description: `Computed from the newest ${MESSAGES_SEEN} callbacks of each listener` },
  ),
});
export type DeliveryHealth = Static<typeof WireDeliveryHealth>;

export const WireCallbackHealth = Type.Object({
  ...WireDeliveryHealth.properties,
  services: Type.Array(
    Type.Object({
      serviceName: ServiceName,
      events: Type.Array(Type.Object({ name: Type.Enum([...EVENT_NAMES]), summary: Type.String() })),
    }),
    { description: 'The callback services, and the messages that each sends' },
  ),
});

/** The first callbacks of each time slice, this many, are sampled; further ones are only counted. */
export const SLICE_SEEN = 100;
export const SLICE_COUNTED_MAX = 10_000;

const MsOrNull = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description });
export const WireListenerFigures = Type.Object({
  stepMs: Type.Integer({ description: 'Length of a slice' }),
  slices: Type.Array(
    Type.Object({
      at: Timestamp,
      posted: Type.Integer({ description: `Callbacks posted in it, counted up to ${SLICE_COUNTED_MAX}` }),
      seen: Type.Integer({
        description: `How many of them the figures are computed from: the first ${SLICE_SEEN} of each slice`,
      }),
      delivered: Type.Integer(),
      failed: Type.Integer(),
      pending: Type.Integer(),
      medianMs: MsOrNull('Median of the acknowledged attempts'),
      slowMs: MsOrNull('95th percentile of the acknowledged attempts'),
      waiting: Type.Integer({
        description: 'At the end of the slice; an estimate if a slice has more callbacks than are sampled',
      }),
    }),
    { description: 'Oldest first, as far back as delivered callbacks are kept' },
  ),
});
export type ListenerFigures = Static<typeof WireListenerFigures>;
