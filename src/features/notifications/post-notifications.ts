import { uniqueContacts } from '../../kernel/contact-list.ts';
import { type Ctx, causeOf } from '../../platform/context/context.ts';
import {
  NOTIFICATIONS_MAX,
  type Notification,
  RECIPIENTS_MAX,
  subjectOf,
  textOf,
  whyNot,
} from './notification.ts';
import { insertNotifications } from './sql-notification.ts';

/** An invalid address is cut to this length. */
const RECIPIENT_KEPT = 254;

const storable = (text: string) => text.toWellFormed().replaceAll('\u0000', '').slice(0, RECIPIENT_KEPT);

/**
 * Call it in the transaction that makes the fact true: both commit together. All notifications are written in
 * one statement. Those without recipients or with a known dedupe key are skipped. Returns the ids of those added.
 */
export async function postNotifications(
  { db, now, newId, log, trace, clock, requestId }: Ctx,
  ecpdId: string,
  notifications: readonly Notification[],
): Promise<readonly string[]> {
  if (notifications.length > NOTIFICATIONS_MAX)
    throw new RangeError(`at most ${NOTIFICATIONS_MAX} notifications in one call`);
  const rows = notifications.map((notification) => {
    const to = uniqueContacts(notification.to);
    if (to.length > RECIPIENTS_MAX)
      log.warn(
        { accountName: notification.accountName, count: to.length },
        'a notification has too many recipients',
      );
    return {
      notificationId: newId(),
      accountName: notification.accountName,
      channel: notification.channel,
      dedupeKey: notification.dedupeKey,
      triggerId: notification.triggerId ?? null,
      subject: subjectOf(notification),
      text: textOf(notification),
      recipients: to.slice(0, RECIPIENTS_MAX).map((recipient) => ({
        recipient: storable(recipient),
        whyNot: whyNot(notification.channel, recipient) ?? null,
      })),
    };
  });
  const addressed = rows.filter(({ recipients }) => recipients.length > 0);
  if (addressed.length === 0) return [];
  const posted = { at: now(), trace: trace ?? null, moveNr: clock.moveNr(), cause: causeOf({ requestId }) };
  return (await insertNotifications(db, ecpdId, addressed, posted)).map(({ id }) => id);
}
