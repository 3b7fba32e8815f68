import { parseMailAddresses } from '../../../kernel/contact-list.ts';
import { SEVERITIES, type TriggerNotification } from '../rule.ts';
import {
  anySpelling,
  at,
  fail,
  isTrue,
  optional,
  type Place,
  type Reading,
  readChoice,
  readFlag,
  readInteger,
  reading,
  readList,
  readObject,
  readText,
} from './read-values.ts';

const RECIPIENTS_MAX = 1_000;
const REMINDERS_MAX = 1_000;
const SMS_NUMBER = /^[0-9]{10}$/;
const readCount = readInteger(0, REMINDERS_MAX);
const readInterval = readChoice(['Hourly', 'Daily', 'Weekly']);
const readAddressText = readText(RECIPIENTS_MAX * 256);

function readAddresses(place: Place): readonly string[] {
  const { valid, wrong } = parseMailAddresses(readAddressText(place));
  if (wrong.length > 0) fail(place, `holds ${wrong[0]!.slice(0, 100)}, which is no e-mail address`);
  if (valid.length > RECIPIENTS_MAX) fail(place, `holds more than ${RECIPIENTS_MAX} addresses`);
  return valid;
}

function readSmsNumber(entry: Place): { number: string; carrier: string } {
  const number = readText(20)(at(entry, 'number'));
  if (!SMS_NUMBER.test(number)) fail(at(entry, 'number'), 'must have 10 digits');
  return { number, carrier: readText(100)(at(entry, 'carrier')) };
}

const factorIn = (place: Place): Place =>
  anySpelling(place, 'notificationFrequencyFactor', 'notificationFequencyFactor');

/** How many reminders the notification speaks of, wanted or not. */
export const readReminderCount = (notification: object): number | undefined =>
  reading(() => optional(factorIn({ path: '', value: notification }), readCount)).value;

/** The number and the interval are checked whenever they are there, and needed only when reminders are wanted. */
function readReminders(place: Place): TriggerNotification['reminders'] {
  const factor = factorIn(place);
  const every = at(place, 'notificationFrequencyInterval');
  const wanted = isTrue(at(place, 'reminder'));
  const count = wanted ? readCount(factor) : optional(factor, readCount);
  const interval = wanted ? readInterval(every) : optional(every, readInterval);
  return wanted && count && interval ? { count, interval } : undefined;
}

function readPresent(place: Place): TriggerNotification {
  const email = isTrue(at(place, 'emailNotification'));
  const groupName = optional(at(place, 'notificationGroupName'), readText(100));
  const emailRecipients = optional(at(place, 'externalEmailRecipients'), readAddresses) ?? [];
  if (email && groupName === undefined && emailRecipients.length === 0)
    fail(at(place, 'emailNotification'), 'needs externalEmailRecipients or notificationGroupName');
  const sms = isTrue(at(place, 'smsNotification'));
  return {
    type: readChoice(['PerEvent', 'DailySummary'])(at(place, 'notificationType')),
    callback: readFlag(at(place, 'callback')),
    email,
    groupName,
    reminders: readReminders(place),
    emailRecipients,
    sms,
    // Forms send an empty entry where no SMS is wanted.
    smsNumbers: sms ? readList(RECIPIENTS_MAX, readSmsNumber)(at(place, 'smsNumbers')) : [],
    severity: optional(at(place, 'severity'), readChoice(SEVERITIES)) ?? 'Notice',
  };
}

export const readNotification = (notification: unknown): Reading<TriggerNotification> =>
  reading(() => readPresent(readObject({ path: '/notification', value: notification })));
