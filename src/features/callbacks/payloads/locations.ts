import { type Static, Type } from 'typebox';
import { AccountName, Count, closed, OptionalText, Text } from './shapes.ts';

export const ReportCompletedPayload = closed({
  accountName: AccountName,
  txid: Text,
  status: Type.Enum(['COMPLETED']),
  totalCount: Count,
});

export const reportCompleted = ({
  accountName,
  txid,
  totalCount,
}: Omit<Static<typeof ReportCompletedPayload>, 'status'>): Static<typeof ReportCompletedPayload> => ({
  accountName,
  txid,
  status: 'COMPLETED',
  totalCount,
});

const UsageTrigger = closed({
  triggerId: Text,
  triggerName: Text,
  accountName: AccountName,
  serviceName: Text,
  thresholdValue: Text,
  allowExcess: Type.Boolean(),
  sendSmsNotification: Type.Boolean(),
  smsPhoneNumbers: Text,
  sendEmailNotification: Type.Boolean(),
  emailAddresses: Text,
  createDate: OptionalText,
  updateDate: OptionalText,
});

export const UsageTriggerFiredPayload = closed({
  accountName: AccountName,
  trigger: UsageTrigger,
  usage: closed({
    used: Count,
    allowed: Count,
    percent: Type.Number({ minimum: 0 }),
    month: Type.String({ pattern: '^\\d{4}-\\d{2}$', description: 'yyyy-mm' }),
  }),
});

export const usageTriggerFired = ({
  accountName,
  trigger,
  usage,
}: Static<typeof UsageTriggerFiredPayload>): Static<typeof UsageTriggerFiredPayload> => ({
  accountName,
  trigger,
  usage,
});
