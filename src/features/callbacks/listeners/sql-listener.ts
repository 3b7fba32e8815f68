import type { Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { sql, trusted } from '../../../platform/db/sql.ts';
import type { ListenerService } from '../../callback-payloads/index.ts';

export interface ListenerRow {
  readonly accountName: string;
  readonly serviceName: ListenerService;
  readonly url: string | null;
  readonly usernameSealed: string | null;
  readonly passwordSealed: string | null;
  readonly secretSealed: string;
  readonly previousSecretSealed: string | null;
  readonly previousSecretUntil: Date | null;
  readonly legacy: boolean;
  readonly paused: boolean;
}

/** A listener with an address. */
export interface OpenListener extends ListenerRow {
  readonly url: string;
}

export const LISTENER_COLUMNS = trusted(`account_name as "accountName", service_name as "serviceName", url,
  username_sealed as "usernameSealed", password_sealed as "passwordSealed", secret_sealed as "secretSealed",
  previous_secret_sealed as "previousSecretSealed", previous_secret_until as "previousSecretUntil", legacy, paused`);

export const listListeners = (db: Db, { ecpdId, accountName }: Tenant) =>
  db.many<ListenerRow>(sql`
    select ${LISTENER_COLUMNS} from callback_listener
    where ecpd_id = ${ecpdId} and account_name = ${accountName} order by service_name`);

export const findListener = (db: Db, { ecpdId, accountName }: Tenant, serviceName: string) =>
  db.maybe<ListenerRow>(sql`
    select ${LISTENER_COLUMNS} from callback_listener
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and service_name = ${serviceName}`);

/** Locks the listener until the transaction ends, so that two registrations cannot mix. */
export const lockListener = (db: Db, { ecpdId, accountName }: Tenant, serviceName: string) =>
  db.maybe<ListenerRow>(sql`
    select ${LISTENER_COLUMNS} from callback_listener
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and service_name = ${serviceName} for update`);

export const upsertListener = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  listener: Omit<ListenerRow, 'accountName' | 'legacy' | 'paused'>,
  now: Date,
) =>
  db.exec(sql`
    insert into callback_listener (ecpd_id, account_name, service_name, url, username_sealed, password_sealed,
      secret_sealed, previous_secret_sealed, previous_secret_until, created_at, updated_at)
    values (${ecpdId}, ${accountName}, ${listener.serviceName}, ${listener.url}, ${listener.usernameSealed},
      ${listener.passwordSealed}, ${listener.secretSealed}, ${listener.previousSecretSealed},
      ${listener.previousSecretUntil}, ${now}, ${now})
    on conflict (ecpd_id, account_name, service_name) do update set url = excluded.url,
      username_sealed = excluded.username_sealed, password_sealed = excluded.password_sealed,
      secret_sealed = excluded.secret_sealed, previous_secret_sealed = excluded.previous_secret_sealed,
      previous_secret_until = excluded.previous_secret_until, updated_at = excluded.updated_at`);

export const deleteListener = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  serviceName: string,
): Promise<boolean> =>
  (await db.exec(sql`
    delete from callback_listener
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and service_name = ${serviceName}`)) === 1;

export const setListenerPaused = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  serviceName: ListenerService,
  { paused, now }: { paused: boolean; now: Date },
) =>
  db.exec(sql`
    update callback_listener set paused = ${paused},
      updated_at = case when paused = ${paused} then updated_at else ${now} end
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and service_name = ${serviceName}`);

/** Accounts of a profile with a listener for this service; no other account needs its unsolicited callbacks. */
export const listListeningAccounts = (
  db: Db,
  ecpdId: string,
  serviceName: ListenerService,
): Promise<readonly string[]> =>
  db.values<string>(sql`
    select account_name as "accountName" from callback_listener
    where ecpd_id = ${ecpdId} and service_name = ${serviceName} and url is not null`);

export const countListenersOf = (db: Db, ecpdId: string): Promise<number> =>
  db.value<number>(sql`select count(*)::int as count from callback_listener where ecpd_id = ${ecpdId}`);
