import { type Static, Type } from 'typebox';
import { METERED_SERVICES } from '../usage/index.ts';

export const THRESHOLD_MAX_PERCENT = 1_000;

const LIST_MAX_LENGTH = 10_000;
const Flag = Type.Boolean({ lenient: true });
const Day = Type.String({ pattern: '^[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}$' });

/** Everything but the account may be absent when the trigger exists already. */
export const UsageTriggerEntry = Type.Object(
  {
    triggerId: Type.Optional(
      Type.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' }),
    ),
    triggerName: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    accountName: Type.String(),
    serviceName: Type.Optional(Type.Enum([...METERED_SERVICES])),
    thresholdValue: Type.Optional(Type.Union([Type.String({ pattern: '^[0-9]{1,4}$' }), Type.Integer()])),
    allowExcess: Type.Optional(Flag),
    sendSmsNotification: Type.Optional(Flag),
    smsPhoneNumbers: Type.Optional(Type.String({ maxLength: LIST_MAX_LENGTH })),
    sendEmailNotification: Type.Optional(Flag),
    emailAddresses: Type.Optional(Type.String({ maxLength: LIST_MAX_LENGTH })),
    createDate: Type.Optional(Day),
    updateDate: Type.Optional(Day),
  },
  { additionalProperties: false },
);
export type UsageTriggerEntry = Static<typeof UsageTriggerEntry>;
