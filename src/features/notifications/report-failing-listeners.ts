import { type Ctx, inTx } from '../../platform/context/context.ts';
import { sql } from '../../platform/db/sql.ts';
import { type FailingListener, listFailingListeners } from '../callbacks/index.ts';
import { type Contact, failingListenerMail } from './failing-listener.ts';
import { postNotifications } from './post-notifications.ts';

const PAGE = 500;

/** Those of the accounts that have one. */
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
 * Mails the contacts of accounts whose listeners have failed for so long. Safe to repeat: one mail for each failure.
 * A mail is known for as long as it is kept, so a failure is not looked at any more when its mail may be gone.
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
