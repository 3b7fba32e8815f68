import { Type } from 'typebox';

const Timestamp = Type.Unsafe<Date>({ type: 'string', format: 'date-time' });
const TextOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] });
const TimeOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' });

/** The state of a recipient. A notification has the first of these states that any of its recipients is in. */
export const NotificationState = Type.Enum(['waiting', 'failed', 'captured', 'sent'], {
  description:
    'waiting: to be tried; failed: no more attempts; captured: kept by the sandbox; sent: a server accepted it',
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
  html: Type.String({ description: 'The mail as HTML' }),
});
