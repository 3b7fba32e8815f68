import { Type } from 'typebox';

const Timestamp = Type.Unsafe<Date>({ type: 'string', format: 'date-time' });
const TextOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] });
const TimeOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' });

/** Of a recipient; of a notification the first of these that one of its recipients is in. */
export const NotificationState = Type.Enum(['waiting', 'failed', 'captured', 'sent'], {
  description:
    'waiting: to be tried; failed: given up; captured: kept by the sandbox; sent: a server took it',
});

export const WireNotification = Type.Object({
  id: Type.String(),
  at: Timestamp,
  accountName: Type.String(),
  to: Type.Array(Type.String()),
  subject: TextOrNull,
  text: Type.String(),
  triggerId: TextOrNull,
  state: NotificationState,
  recipients: Type.Array(
    Type.Object({
      to: Type.String(),
      state: NotificationState,
      attempts: Type.Integer(),
      triedAt: TimeOrNull,
      nextAttemptAt: TimeOrNull,
      reason: TextOrNull,
    }),
  ),
});

export const WireMail = Type.Object({
  ...WireNotification.properties,
  html: Type.String({ description: 'The mail as it looks' }),
});
