import type { Db } from '../../../platform/db/db.ts';
import { sql, trusted } from '../../../platform/db/sql.ts';
import { LISTENER_COLUMNS, type ListenerRow } from './sql-listener.ts';

/** Ids of the keys that sealed a listener's secrets; see SecretBox. */
const KEY_IDS =
  trusted(`array_remove(array[split_part(username_sealed, '.', 1), split_part(password_sealed, '.', 1),
  split_part(secret_sealed, '.', 1), split_part(previous_secret_sealed, '.', 1)], null)`);

/** Listeners by the key that opens their secrets: only the first, an older one, or one that is not configured. */
export type SealedCounts = Readonly<Record<'current' | 'older' | 'missing', number>>;

export const countSealed = (
  db: Db,
  keys: { readonly currentKeyId: string; readonly keyIds: readonly string[] },
) =>
  db.one<SealedCounts>(sql`
    select (count(*) filter (where ids <@ array[${keys.currentKeyId}]::text[]))::int as current,
      (count(*) filter (where ids <@ ${keys.keyIds}::text[] and not ids <@ array[${keys.currentKeyId}]::text[]))::int as older,
      (count(*) filter (where not ids <@ ${keys.keyIds}::text[]))::int as missing
    from (select ${KEY_IDS} as ids from callback_listener) sealed`);

export const listMissingKeys = (db: Db, keyIds: readonly string[]) =>
  db.many<{ keyId: string; listeners: number }>(sql`
    select key_id as "keyId", count(distinct (ecpd_id, account_name, service_name))::int as listeners
    from callback_listener cross join lateral unnest(${KEY_IDS}) as sealed (key_id)
    where key_id <> all(${keyIds}::text[]) group by key_id order by key_id limit 20`);

/** Includes listeners whose rotated secret no longer signs: it is deleted, whatever key sealed it. */
const isToReseal = (keyId: string, now: Date) =>
  sql`(not ${KEY_IDS} <@ array[${keyId}]::text[] or previous_secret_until <= ${now})`;

interface ResealQuery {
  readonly keyId: string;
  readonly now: Date;
  readonly limit: number;
}

/** Covers all profiles and takes no locks. */
export const listProfilesToReseal = (
  db: Db,
  { keyId, now, limit, after }: ResealQuery & { after: string | undefined },
): Promise<string[]> =>
  db.values<string>(sql`
    select distinct ecpd_id as "ecpdId" from callback_listener
    where ecpd_id > ${after ?? ''} and ${isToReseal(keyId, now)} order by 1 limit ${limit}`);

export const listToReseal = (
  db: Db,
  ecpdId: string,
  { keyId, now, limit, after }: ResealQuery & { after: ListenerRow | undefined },
) =>
  db.many<ListenerRow>(sql`
    select ${LISTENER_COLUMNS} from callback_listener
    where ecpd_id = ${ecpdId} and ${isToReseal(keyId, now)}
      and (account_name, service_name) > (${after?.accountName ?? ''}, ${after?.serviceName ?? ''})
    order by account_name, service_name limit ${limit}`);

interface Resealing {
  readonly before: ListenerRow;
  readonly after: ListenerRow;
}

/**
 * Fenced: skips a listener that is being changed, or has changed since it was read. It never waits, so it cannot
 * delay a registration or an import. The listener itself does not change: `updated_at` stays.
 */
export const updateSealed = (db: Db, ecpdId: string, resealings: readonly Resealing[]) =>
  db.exec(sql`
    with input as (
      select * from unnest(
        ${resealings.map((r) => r.before.accountName)}::text[], ${resealings.map((r) => r.before.serviceName)}::text[],
        ${resealings.map((r) => r.before.usernameSealed)}::text[], ${resealings.map((r) => r.after.usernameSealed)}::text[],
        ${resealings.map((r) => r.before.passwordSealed)}::text[], ${resealings.map((r) => r.after.passwordSealed)}::text[],
        ${resealings.map((r) => r.before.secretSealed)}::text[], ${resealings.map((r) => r.after.secretSealed)}::text[],
        ${resealings.map((r) => r.before.previousSecretSealed)}::text[], ${resealings.map((r) => r.after.previousSecretSealed)}::text[],
        ${resealings.map((r) => r.after.previousSecretUntil)}::timestamptz[])
      as r (account_name, service_name, username_old, username_new, password_old, password_new, secret_old, secret_new,
            previous_old, previous_new, previous_until)),
    held as materialized (
      select i.* from callback_listener l join input i using (account_name, service_name)
      where l.ecpd_id = ${ecpdId}
        and (l.username_sealed, l.password_sealed, l.secret_sealed, l.previous_secret_sealed)
          is not distinct from (i.username_old, i.password_old, i.secret_old, i.previous_old)
      for update of l skip locked)
    update callback_listener l set username_sealed = h.username_new, password_sealed = h.password_new,
      secret_sealed = h.secret_new, previous_secret_sealed = h.previous_new, previous_secret_until = h.previous_until
    from held h where l.ecpd_id = ${ecpdId} and l.account_name = h.account_name and l.service_name = h.service_name`);
