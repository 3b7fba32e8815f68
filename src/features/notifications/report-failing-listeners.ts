import { type Ctx, inTx } from '../../platform/context/context.ts';
import { sql } from '../../platform/db/sql.ts';
import { type FailingListener, listFailingListeners, WAITING_COUNTED_MAX } from '../callbacks/index.ts';
import type { Notification } from './notification.ts';
import { postNotifications } from './post-notifications.ts';

const PAGE = 500;

interface Contact {
  readonly accountName: string;
  readonly email: string;
  readonly timeZone: string;
}

/** A readable time in the reader's time zone, with the zone's name. */
const timeIn = (timeZone: string, at: Date): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'medium', timeStyle: 'long' }).format(at);

/** Only the host: paths and queries may contain secrets. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'an unreadable address');

const waitingWords = (waiting: number): string =>
  waiting >= WAITING_COUNTED_MAX ? `${WAITING_COUNTED_MAX} or more` : String(waiting);

/** One mail each time a listener starts to fail, however often the job checks it. */
function failingListenerMail(
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
      `Result:            ${lastFailure}`,
      `Messages waiting:  ${waitingWords(waiting)}`,
      '',
      'Each message is tried four times, 300 seconds apart, and then fails. You can resend failed messages for',
      '30 days once the listener works again. You get no further mail about this listener until then.',
      '',
    ].join('\n'),
    dedupeKey: `listener-failing ${accountName} ${serviceName} ${failingSince.toISOString()}`,
  };
}

/** Accounts without a contact are left out. */
const listContacts = ({ db }: Ctx, ecpdId: string, accountNames: readonly string[]) =>
  db.many<Contact>(sql`
    select account_name as "accountName", contact_email as email, time_zone as "timeZone" from account
    where ecpd_id = ${ecpdId} and account_name = any(${accountNames}::text[]) and contact_email is not null`);

const reportProfile = (outer: Ctx, ecpdId: string, failing: readonly FailingListener[]) =>
  inTx(outer, async (ctx) => {
    const names = [...new Set(failing.map(({ accountName }) => accountName))];
    const contacts = new Map(
      (await listContacts(ctx, ecpdId, names)).map((each) => [each.accountName, each]),
    );
    const mails = failing.flatMap((listener) => {
      const contact = contacts.get(listener.accountName);
      return contact === undefined ? [] : [failingListenerMail(listener, contact)];
    });
    await postNotifications(ctx, ecpdId, mails);
  });

/**
 * Mails the contacts of accounts whose listeners have failed for `afterMs`. Safe to repeat: one mail per failure.
 * The stored mail marks a failure as reported, so failures old enough for that mail to be deleted are skipped.
 */
export async function reportFailingListeners(ctx: Ctx, afterMs: number, keptMs: number): Promise<void> {
  const failingBefore = new Date(ctx.now().getTime() - afterMs);
  const failingAfter = new Date(failingBefore.getTime() - keptMs);
  let page: readonly FailingListener[];
  let after: FailingListener | undefined;
  do {
    page = await listFailingListeners(ctx.db, { failingAfter, failingBefore, after, limit: PAGE });
    for (const [ecpdId, failing] of Map.groupBy(page, (each) => each.ecpdId))
      await reportProfile(ctx, ecpdId, failing);
    after = page.at(-1);
  } while (page.length === PAGE);
}
