import type { Db } from '../../../platform/db/db.ts';
import { sql, trusted } from '../../../platform/db/sql.ts';
import { stagedOf } from '../../../platform/fleet-document/verify-entries.ts';
import { CALLBACK_CHANNEL, newsOf } from '../messages/sql-message.ts';

type Credential = 'username' | 'password';

/** The listener `l` of an entry `s`. */
const isSame = (ecpdId: string) => sql`l.ecpd_id = ${ecpdId} and l.account_name = s.body->>'accountName'
      and l.service_name = s.body->>'serviceName'`;

interface Resealed {
  readonly position: number;
  readonly accountName: string;
  readonly serviceName: string;
  readonly staged: string;
  readonly kept: string;
}

/** Listeners that have a credential and are given it again. */
export const listResealed = (db: Db, ecpdId: string, credential: Credential) =>
  db.many<Resealed>(sql`
    with ${stagedOf('listeners', ecpdId)}
    select s.position, l.account_name as "accountName", l.service_name as "serviceName",
      s.body->>${`${credential}Sealed`} as staged, l.${trusted(credential)}_sealed as kept
    from staged s join callback_listener l on ${isSame(ecpdId)}
    where s.body->>${`${credential}Sealed`} is not null and l.${trusted(credential)}_sealed is not null`);

/** The entry no longer mentions the credential, so the listener keeps it as sealed. */
export const deleteStagedCredentials = (db: Db, credential: Credential, positions: readonly number[]) =>
  db.exec(sql`
    update staged_entry set body = body - ${`${credential}Sealed`}::text
    where section = 'listeners' and position = any(${positions}::int[])`);

interface MovedListener {
  readonly position: number;
  readonly url: string;
  readonly keptUrl: string | null;
}

/** Listeners that are given an address and keep a credential. They stay locked until the transaction ends. */
export const lockKeepingCredentials = (db: Db, ecpdId: string) =>
  db.many<MovedListener>(sql`
    with ${stagedOf('listeners', ecpdId)}
    select s.position, s.body->>'url' as url, l.url as "keptUrl"
    from staged s join callback_listener l on ${isSame(ecpdId)}
    where s.body ? 'url'
      and ((l.username_sealed is not null and not s.body ? 'usernameSealed')
        or (l.password_sealed is not null and not s.body ? 'passwordSealed'))
    order by l.account_name, l.service_name for no key update of l`);

/** Announces existing listeners that changed: a worker may have fetched messages for the old address. */
export const upsertListeners = (db: Db, ecpdId: string, now: Date) =>
  db.exec(sql`
    with ${stagedOf('listeners', ecpdId)},
    merged as materialized (
      select s.body->>'accountName' as account_name, s.body->>'serviceName' as service_name,
        coalesce(s.body->>'url', l.url) as url,
        case when s.body ? 'usernameSealed' then s.body->>'usernameSealed' else l.username_sealed end as username_sealed,
        case when s.body ? 'passwordSealed' then s.body->>'passwordSealed' else l.password_sealed end as password_sealed,
        coalesce(l.secret_sealed, s.body->>'secretSealed') as secret_sealed,
        coalesce((s.body->>'legacy')::boolean, l.legacy, false) as legacy,
        ${now}::timestamptz as created_at, ${now}::timestamptz as updated_at
      from staged s left join callback_listener l on ${isSame(ecpdId)}),
    written as (
      insert into callback_listener as l (ecpd_id, account_name, service_name, url, username_sealed, password_sealed,
        secret_sealed, legacy, created_at, updated_at)
      select p.ecpd_id, merged.* from merged join profile p on p.ecpd_id = ${ecpdId}
      on conflict (ecpd_id, account_name, service_name) do update set url = excluded.url,
        username_sealed = excluded.username_sealed, password_sealed = excluded.password_sealed,
        legacy = excluded.legacy, updated_at = excluded.updated_at
      where (l.url, l.username_sealed, l.password_sealed, l.legacy)
        is distinct from (excluded.url, excluded.username_sealed, excluded.password_sealed, excluded.legacy)
      returning ecpd_id, account_name, service_name, xmax <> 0 as was_there)
    select pg_notify(${CALLBACK_CHANNEL}, ${newsOf('listener')}) from written where was_there`);
