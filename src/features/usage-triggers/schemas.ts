import { type Static, Type } from 'typebox';
import { UUID_PATTERN } from '../../kernel/uuid.ts';
import { WireFiring } from '../firings/index.ts';
import { METERED_SERVICES } from '../usage/index.ts';

const LIST_MAX_LENGTH = 10_000;
const Flag = Type.Boolean({ lenient: true });
const Day = Type.String({ pattern: '^[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}$' });

/** Only the account is required if the trigger already exists. */
export const UsageTriggerEntry = Type.Object(
  {
    triggerId: Type.Optional(Type.String({ pattern: UUID_PATTERN })),
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

const AccountName = Type.String({ description: 'Billing account, leading zeros kept' });

export const AccountParams = Type.Object({ accountName: AccountName });
export const TriggerIdParams = Type.Object({ triggerId: Type.String() });
export const TriggerParams = Type.Object({ accountName: AccountName, triggerId: Type.String() });

const Percent = Type.Union([Type.String(), Type.Integer()], {
  description: 'Percent of subscribed use, a whole number from 1 to 1000',
});

/** Only the account is required; absent fields keep their values. */
export const TriggerBody = Type.Object({
  accountName: AccountName,
  triggerName: Type.Optional(Type.String({ maxLength: 100, description: 'Unique in the account' })),
  serviceName: Type.Optional(Type.String({ maxLength: 32, description: 'Cannot be changed' })),
  thresholdValue: Type.Optional(Percent),
  allowExcess: Type.Optional(Flag),
  sendSmsNotification: Type.Optional(Flag),
  smsPhoneNumbers: Type.Optional(
    Type.String({
      maxLength: LIST_MAX_LENGTH,
      description: 'Digits only, separated by commas; replaces the list',
    }),
  ),
  sendEmailNotification: Type.Optional(Flag),
  emailAddresses: Type.Optional(
    Type.String({ maxLength: LIST_MAX_LENGTH, description: 'Separated by commas; replaces the list' }),
  ),
});
export type TriggerBody = Static<typeof TriggerBody>;

export const CreateBody = Type.Object({
  ...TriggerBody.properties,
  serviceName: Type.String({ maxLength: 32, description: 'Location or fota' }),
  thresholdValue: Percent,
});
export type CreateBody = Static<typeof CreateBody>;

export const WireTrigger = Type.Object({
  triggerId: Type.String(),
  triggerName: Type.String(),
  accountName: AccountName,
  serviceName: Type.Enum([...METERED_SERVICES]),
  thresholdValue: Type.String(),
  allowExcess: Type.Boolean(),
  sendSmsNotification: Type.Boolean(),
  smsPhoneNumbers: Type.String(),
  sendEmailNotification: Type.Boolean(),
  emailAddresses: Type.String(),
});
const dates = {
  createDate: Type.String({ description: 'yyyy-mm-dd' }),
  updateDate: Type.String({ description: 'yyyy-mm-dd' }),
};
export const WireDatedTrigger = Type.Object({ ...WireTrigger.properties, ...dates });

export const ListQuery = Type.Object({
  dates: Type.Optional(
    Type.Boolean({ default: false, description: 'True: each trigger has createDate and updateDate' }),
  ),
});
export const WireTriggers = Type.Array(
  Type.Object({
    ...WireTrigger.properties,
    createDate: Type.Optional(dates.createDate),
    updateDate: Type.Optional(dates.updateDate),
  }),
);

export const Success = Type.Object({ success: Type.Boolean() });

export const FiringQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: '100 when absent' })),
  before: Type.Optional(
    Type.String({ maxLength: 36, description: 'firingId of the last firing of the previous page' }),
  ),
});
export const WireFirings = Type.Array(WireFiring);
