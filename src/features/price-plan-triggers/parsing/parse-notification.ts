import { parseMailAddresses } from '../../../kernel/contact-list.ts';
import { SEVERITIES, type TriggerNotification } from '../rule.ts';
import {
  anySpelling,
  at,
  fail,
  isTrue,
  optional,
  type Parsed,
  type Place,
  parseChoice,
  parseFlag,
  parseInteger,
  parseList,
  parseObject,
  parseText,
  parsing,
} from './parse-values.ts';

const RECIPIENTS_MAX = 1_000;
const REMINDERS_MAX = 1_000;
const SMS_NUMBER = /^[0-9]{10}$/;
const parseCount = parseInteger(0, REMINDERS_MAX);
const parseInterval = parseChoice(['Hourly', 'Daily', 'Weekly']);
const parseAddressText = parseText(RECIPIENTS_MAX * 256);

function parseAddresses(place: Place): readonly string[] {
  const { valid, wrong } = parseMailAddresses(parseAddressText(place));
  if (wrong.length > 0) fail(place, `holds ${wrong[0]!.slice(0, 100)}, which is no e-mail address`);
  if (valid.length > RECIPIENTS_MAX) fail(place, `holds more than ${RECIPIENTS_MAX} addresses`);
  return valid;
}

function parseSmsNumber(entry: Place): { number: string; carrier: string } {
  const number = parseText(20)(at(entry, 'number'));
  if (!SMS_NUMBER.test(number)) fail(at(entry, 'number'), 'must have 10 digits');
  return { number, carrier: parseText(100)(at(entry, 'carrier')) };
}

const factorIn = (place: Place): Place =>
  anySpelling(place, 'notificationFrequencyFactor', 'notificationFequencyFactor');

/** The number of reminders in the notification, whether reminders are enabled or not. */
export const parseReminderCount = (notification: object): number | undefined =>
  parsing(() => optional(factorIn({ path: '', value: notification }), parseCount)).value;

/** The number and the interval are always checked, but required only if reminders are enabled. */
function parseReminders(place: Place): TriggerNotification['reminders'] {
  const factor = factorIn(place);
  const every = at(place, 'notificationFrequencyInterval');
  const wanted = isTrue(at(place, 'reminder'));
  const count = wanted ? parseCount(factor) : optional(factor, parseCount);
  const interval = wanted ? parseInterval(every) : optional(every, parseInterval);
  return wanted && count && interval ? { count, interval } : undefined;
}

function parsePresent(place: Place): TriggerNotification {
  const email = isTrue(at(place, 'emailNotification'));
  const groupName = optional(at(place, 'notificationGroupName'), parseText(100));
  const emailRecipients = optional(at(place, 'externalEmailRecipients'), parseAddresses) ?? [];
  if (email && groupName === undefined && emailRecipients.length === 0)
    fail(at(place, 'emailNotification'), 'needs externalEmailRecipients or notificationGroupName');
  const sms = isTrue(at(place, 'smsNotification'));
  return {
    type: parseChoice(['PerEvent', 'DailySummary'])(at(place, 'notificationType')),
    callback: parseFlag(at(place, 'callback')),
    email,
    groupName,
    reminders: parseReminders(place),
    emailRecipients,
    sms,
    // Forms send an empty entry if SMS is off.
    smsNumbers: sms ? parseList(RECIPIENTS_MAX, parseSmsNumber)(at(place, 'smsNumbers')) : [],
    severity: optional(at(place, 'severity'), parseChoice(SEVERITIES)) ?? 'Notice',
  };
}

export const parseNotification = (notification: unknown): Parsed<TriggerNotification> =>
  parsing(() => parsePresent(parseObject({ path: '/notification', value: notification })));
