import { type FailingListener, WAITING_COUNTED_MAX } from '../callbacks/index.ts';
import type { Notification } from './notification.ts';

export interface Contact {
  readonly accountName: string;
  readonly email: string;
  readonly timeZone: string;
}

/** A time for people: theirs, with its zone. */
const timeIn = (timeZone: string, at: Date): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'medium', timeStyle: 'long' }).format(at);

/** The host alone: paths and queries may hold what is secret. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'an unreadable address');

const waitingWords = (waiting: number): string =>
  waiting >= WAITING_COUNTED_MAX ? `${WAITING_COUNTED_MAX} or more` : String(waiting);

/** One for each time a listener begins to fail, however often it is looked at. */
export function failingListenerMail(
  { accountName, serviceName, url, failingSince, lastFailedAt, lastFailure, waiting }: FailingListener,
  { email, timeZone }: Contact,
): Notification {
  const host = hostOf(url);
  return {
    accountName,
    channel: 'mail',
    to: [email],
    subject: `Callbacks of ${serviceName} for account ${accountName} are failing`,
    text: [
      `The listener of account ${accountName} for ${serviceName} at ${host} has acknowledged no callback`,
      `since ${timeIn(timeZone, failingSince)}.`,
      '',
      `Account:           ${accountName}`,
      `Service:           ${serviceName}`,
      `Listener:          ${host}`,
      `Failing since:     ${timeIn(timeZone, failingSince)}`,
      `Last attempt:      ${timeIn(timeZone, lastFailedAt)}`,
      `What came of it:   ${lastFailure}`,
      `Messages waiting:  ${waitingWords(waiting)}`,
      '',
      'Each message is tried four times, 300 seconds apart, and has then failed. Failed messages can be sent',
      'again for 30 days once the listener works. This is the only mail until it has worked again.',
      '',
    ].join('\n'),
    dedupeKey: `listener-failing ${accountName} ${serviceName} ${failingSince.toISOString()}`,
  };
}
