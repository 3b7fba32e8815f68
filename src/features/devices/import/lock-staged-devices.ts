import type { Ctx } from '../../../platform/context/context.ts';
import { sql } from '../../../platform/db/sql.ts';

/**
 * Before the merge reads devices, in statements of their own: what it reads afterwards stays so until it is written, and a
 * change that somebody made meanwhile is merged with and not undone. Accounts first, as whoever changes devices or deletes
 * an account does: nobody waits for another in a circle.
 */
export async function lockStagedDevices({ db }: Ctx, ecpdIds: readonly string[]): Promise<void> {
  for (const ecpdId of ecpdIds) {
    await db.exec(sql`
      select from account a
      where a.ecpd_id = ${ecpdId} and a.account_name in (
        select s.body->>'accountName' from staged_device s where s.ecpd_id = ${ecpdId})
      order by a.account_name for key share`);
  }
  for (const ecpdId of ecpdIds) {
    await db.exec(sql`
      select from device d
      where d.ecpd_id = ${ecpdId} and d.device_id in (
        select s.device_id from staged_device s where s.ecpd_id = ${ecpdId})
      order by d.device_id for no key update`);
    await forgetDeletedDevices(db, ecpdId);
  }
}

/** A device that was deleted since it was looked up comes as a new one: its identifiers go into the directory again. */
const forgetDeletedDevices = (db: Ctx['db'], ecpdId: string) =>
  db.exec(sql`
    update staged_identifier i set device_id = null
    from staged_device s
    where s.ecpd_id = ${ecpdId} and s.known_id is not null and i.position = s.position and i.device_id is not null
      and not exists (select from device d where d.ecpd_id = ${ecpdId} and d.device_id = s.known_id)`);
