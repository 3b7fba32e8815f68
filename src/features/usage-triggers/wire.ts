import type { UsageTrigger } from './usage-trigger.ts';

/** On the wire a list is one comma-separated text; an empty text is an empty list. */
export const fromWireList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

const toWireDate = (at: Date): string => at.toISOString().slice(0, 10);

export const toWireTrigger = (trigger: UsageTrigger) => ({
  triggerId: trigger.triggerId,
  triggerName: trigger.triggerName,
  accountName: trigger.accountName,
  serviceName: trigger.serviceName,
  thresholdValue: String(trigger.thresholdPercent),
  allowExcess: trigger.allowExcess,
  sendSmsNotification: trigger.sendSms,
  smsPhoneNumbers: trigger.smsPhoneNumbers.join(','),
  sendEmailNotification: trigger.sendEmail,
  emailAddresses: trigger.emailAddresses.join(','),
  createDate: toWireDate(trigger.createdAt),
  updateDate: toWireDate(trigger.updatedAt),
});
