import { type ContactList, parseMailAddresses, parsePhoneNumbers } from '../../kernel/contact-list.ts';
import { type FaultKind, refuse } from '../../platform/context/fault.ts';
import { METERED_SERVICES, type MeteredService } from '../usage/index.ts';
import { usageTriggerFaults } from './errors.ts';
import type { TriggerBody } from './schemas.ts';
import { THRESHOLD_MAX_PERCENT, type UsageTrigger } from './usage-trigger.ts';

/** The fields of a trigger that the caller sets. */
type TriggerTerms = Omit<
  UsageTrigger,
  'ecpdId' | 'triggerId' | 'accountName' | 'version' | 'createdAt' | 'updatedAt'
>;

const LIST_MAX = 100;
const DIGITS = /^0*[0-9]{1,4}$/;

function parseThreshold(given: string | number): number {
  const percent = DIGITS.test(String(given).trim()) ? Number(given) : 0;
  if (percent < 1 || percent > THRESHOLD_MAX_PERCENT) refuse(usageTriggerFaults.invalidThreshold);
  return percent;
}

export const parseService = (given: string): MeteredService =>
  METERED_SERVICES.find((name) => name.toLowerCase() === given.trim().toLowerCase()) ??
  refuse(usageTriggerFaults.invalidService);

function parseContacts(list: ContactList, fault: FaultKind): readonly string[] {
  if (list.wrong.length > 0) refuse(fault, { reason: `${list.wrong[0]!.slice(0, 100)} is none` });
  if (list.valid.length > LIST_MAX) refuse(fault, { reason: `there are more than ${LIST_MAX}` });
  return list.valid;
}

/** Applies the body to an existing trigger, or to the defaults of a new one. */
export function parseTerms(
  body: Omit<TriggerBody, 'accountName'>,
  present: Omit<TriggerTerms, 'thresholdPercent' | 'triggerName'> &
    Partial<Pick<TriggerTerms, 'thresholdPercent' | 'triggerName'>>,
  nameIfNone: (percent: number) => string,
): TriggerTerms {
  const thresholdPercent =
    body.thresholdValue === undefined ? present.thresholdPercent : parseThreshold(body.thresholdValue);
  if (thresholdPercent === undefined) refuse(usageTriggerFaults.invalidThreshold);
  const terms = {
    triggerName: body.triggerName?.trim() || (present.triggerName ?? nameIfNone(thresholdPercent)),
    serviceName: present.serviceName,
    thresholdPercent,
    allowExcess: body.allowExcess ?? present.allowExcess,
    sendSms: body.sendSmsNotification ?? present.sendSms,
    smsPhoneNumbers:
      body.smsPhoneNumbers === undefined
        ? present.smsPhoneNumbers
        : parseContacts(parsePhoneNumbers(body.smsPhoneNumbers), usageTriggerFaults.invalidPhones),
    sendEmail: body.sendEmailNotification ?? present.sendEmail,
    emailAddresses:
      body.emailAddresses === undefined
        ? present.emailAddresses
        : parseContacts(parseMailAddresses(body.emailAddresses), usageTriggerFaults.invalidMails),
  };
  if (terms.sendSms && terms.smsPhoneNumbers.length === 0) refuse(usageTriggerFaults.noPhones);
  if (terms.sendEmail && terms.emailAddresses.length === 0) refuse(usageTriggerFaults.noMailAddresses);
  return terms;
}
