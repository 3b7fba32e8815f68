import { Type } from 'typebox';

const Timestamp = Type.Unsafe<Date>({ type: 'string', format: 'date-time' });
const TextOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] });
const TimeOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' });

export const WireNotification = Type.Object({
  id: Type.String(),
  at: Timestamp,
  accountName: Type.String(),
  to: Type.Array(Type.String()),
  subject: TextOrNull,
  text: Type.String(),
  triggerId: TextOrNull,
  recipients: Type.Array(
    Type.Object({
      to: Type.String(),
      state: Type.String({ description: 'waiting, sent, captured or failed' }),
      attempts: Type.Integer(),
      triedAt: TimeOrNull,
      nextAttemptAt: TimeOrNull,
      reason: TextOrNull,
    }),
  ),
});
