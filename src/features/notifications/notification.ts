import { isMailAddress } from '../../kernel/mail-address.ts';
import { isPhoneNumber } from '../../kernel/phone-number.ts';

export const CHANNELS = ['mail', 'sms'] as const;
export type Channel = (typeof CHANNELS)[number];

/** A message to people, sent once because a fact became true. */
export interface Notification {
  readonly accountName: string;
  readonly channel: Channel;
  /** Mail addresses or phone numbers. Invalid ones are recorded as failed; nothing is thrown. */
  readonly to: readonly string[];
  /** For a mail only. */
  readonly subject?: string;
  readonly text: string;
  readonly triggerId?: string;
  /** Names the fact, for example a firing. A profile and channel accept each key once. */
  readonly dedupeKey: string;
}

/** Limit for one call, which is one statement. */
export const NOTIFICATIONS_MAX = 10_000;
/** Limit for one notification. A notification group has at most half as many. */
export const RECIPIENTS_MAX = 2_000;
const SUBJECT_MAX = 200;
const MAIL_TEXT_MAX = 20_000;
/** Three parts of a concatenated message in the GSM alphabet. */
const SMS_TEXT_MAX = 459;
/** In the GSM alphabet. An ellipsis is not, and would more than halve the text that fits into a part. */
const CUT_MARK = '...';

function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const short = text.slice(0, max - CUT_MARK.length).toWellFormed();
  return `${short.replace(/\ufffd$/u, '')}${CUT_MARK}`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const CONTROLS_BUT_LINES = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** One line, because a line break would end the header. */
export const subjectOf = ({ channel, subject }: Pick<Notification, 'channel' | 'subject'>): string | null =>
  channel === 'sms' || subject === undefined
    ? null
    : cut(subject.toWellFormed().replace(CONTROLS, ' ').trim(), SUBJECT_MAX);

/** The same text is stored and sent. */
export const textOf = ({ channel, text }: Pick<Notification, 'channel' | 'text'>): string =>
  cut(text.toWellFormed().replace(CONTROLS_BUT_LINES, ''), channel === 'sms' ? SMS_TEXT_MAX : MAIL_TEXT_MAX);

const CHECKS = { mail: isMailAddress, sms: isPhoneNumber } as const;

/** Why nothing can be sent to the recipient; undefined if something can. */
export const whyNot = (channel: Channel, recipient: string): string | undefined => {
  if (CHECKS[channel](recipient)) return undefined;
  return channel === 'mail' ? 'is no mail address' : 'is no phone number';
};
