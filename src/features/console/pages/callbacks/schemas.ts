import { type Static, Type } from 'typebox';
import { UUID_PATTERN } from '../../../../kernel/uuid.ts';
import { EVENT_NAMES, LISTENER_SERVICES, WireDeliveryHealth } from '../../../callbacks/index.ts';
import { OptionalText, PageQuery, TextOrNull, Timestamp, TimestampOrNull } from '../../schemas.ts';

export const ServiceName = Type.Enum([...LISTENER_SERVICES]);
export const ListenerParams = Type.Object({
  accountName: Type.String({ maxLength: 32 }),
  serviceName: ServiceName,
});
const MessageId = Type.String({ pattern: UUID_PATTERN });
export const DeliveryParams = Type.Object({
  accountName: Type.String({ maxLength: 32 }),
  messageId: MessageId,
});
/** Each makes fewer of what is sent again; null and empty say nothing, and are no absence. */
export const ResendBody = Type.Object({
  requestId: Type.Optional(Type.String({ selects: true, minLength: 1, maxLength: 128 })),
  messageId: Type.Optional(Type.Unsafe<string>({ ...MessageId, selects: true })),
  serviceName: Type.Optional(Type.Unsafe<Static<typeof ServiceName>>({ ...ServiceName, selects: true })),
});

export const WireListeners = Type.Object({
  listeners: WireDeliveryHealth.properties.listeners,
  services: Type.Array(
    Type.Object({
      serviceName: ServiceName,
      events: Type.Array(Type.Object({ name: Type.Enum([...EVENT_NAMES]), summary: Type.String() })),
    }),
    { description: 'What can be listened for, and the messages of each' },
  ),
});

export const RegisterBody = Type.Object({
  url: Type.String({ minLength: 1, maxLength: 2_048 }),
  username: Type.Optional(Type.String({ maxLength: 40 })),
  password: Type.Optional(Type.String({ maxLength: 40 })),
  rotateSecret: Type.Optional(Type.Boolean()),
  removeCredentials: Type.Optional(
    Type.Boolean({
      description: 'Forgets username and password; else those that are absent are kept, at the same host',
    }),
  ),
});

export const DeliveryQuery = Type.Object({
  requestId: OptionalText,
  serviceName: Type.Optional(ServiceName),
  state: Type.Optional(Type.Enum(['pending', 'delivered', 'failed'])),
  ...PageQuery.properties,
});

export const WireDeliveries = Type.Object({
  deliveries: Type.Array(
    Type.Object({
      id: Type.String(),
      requestId: Type.String(),
      serviceName: Type.String(),
      state: Type.String(),
      createdAt: Timestamp,
      nextAttemptAt: TimestampOrNull,
      attempts: Type.Integer(),
      lastOutcome: TextOrNull,
    }),
  ),
  next: Type.Optional(Type.String()),
});
