import { writeAudited } from '../../platform/context/audit.ts';
import type { Ctx } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { type Query, sql } from '../../platform/db/sql.ts';
import type { Found } from '../../platform/fleet-document/section.ts';
import { PROBLEMS_MAX } from '../../platform/fleet-document/verify-entries.ts';

/** A user may have ten thousand accounts. An audit line names the first ones gained or lost, and counts all. */
const NAMES_MAX = 100;

const named = (names: Query, without: Query): Query => sql`
  array(select unnest(${names}) except select unnest(${without}) order by 1 limit ${NAMES_MAX})`;

/**
 * Call it before the staged users are written, in the same transaction. An import can take over a user just as a new
 * password can, so each new or changed user gets its own audit line, however long the document is.
 */
export const auditUserChanges = (ctx: Ctx): Promise<number> =>
  writeAudited(
    ctx,
    undefined,
    'importUser',
    () => sql`staged_user as (
    select s.body->>'username' as username, u.username is null as is_new, s.body ? 'passwordHash' as gets_password,
        k.names as had,
        case when s.body ? 'accounts' then array(select jsonb_array_elements_text(s.body->'accounts'))
             else k.names end as has
      from staged_entry s
      left join ws_user u on u.username = s.body->>'username'
      cross join lateral (select array(
        select a.account_name from user_account a where a.username = s.body->>'username' order by a.position) as names) k
      where s.section = 'users')`,
    sql`select t.username as target, null as account_name,
          case when not t.is_new
               then jsonb_build_object('homeAccount', t.had[1], 'accounts', cardinality(t.had)) end as before,
          jsonb_build_object('homeAccount', t.has[1], 'accounts', cardinality(t.has),
            'accountsGiven', ${named(sql`t.has`, sql`t.had`)}, 'accountsTaken', ${named(sql`t.had`, sql`t.has`)},
            'passwordChanged', t.gets_password) as after
        from staged_user t where t.is_new or t.gets_password or t.had <> t.has`,
  );

/** As for users: call it before the staged clients are written. */
export const auditClientChanges = (ctx: Ctx): Promise<number> =>
  writeAudited(
    ctx,
    undefined,
    'importClient',
    () => sql`staged_client as (
    select s.body->>'clientId' as client_id, c.client_id is null as is_new, s.body ? 'secretHash' as gets_secret
      from staged_entry s left join client c on c.client_id = s.body->>'clientId'
      where s.section = 'clients')`,
    sql`select t.client_id as target, null as account_name, null::jsonb as before,
          jsonb_build_object('isNew', t.is_new, 'secretChanged', t.gets_secret) as after
        from staged_client t where t.is_new or t.gets_secret`,
  );

/** Staged users that name an account that exists in no profile. */
export const findUnknownAccounts = (db: Db) =>
  db.many<Found>(sql`
    with named as materialized (
      select s.position, n.name from staged_entry s cross join jsonb_array_elements_text(s.body->'accounts') as n (name)
      where s.section = 'users'),
    known as materialized (
      select a.account_name from account_directory a 
      where a.account_name in (select name from named) and a.closed_at is null)
    select distinct position, '/accounts' as path, 'names an account that does not exist' as detail from named
    where name not in (select account_name from known) order by position limit ${PROBLEMS_MAX}`);
