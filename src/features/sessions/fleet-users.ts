import { type Static, Type } from 'typebox';
import { sql } from '../../platform/db/sql.ts';
import type { FleetSection } from '../../platform/fleet-document/section.ts';
import { announceAccessChange } from './access-changes.ts';
import { PASSWORD_MAX, USERNAME_MAX } from './limits.ts';
import { auditUserChanges, findUnknownAccounts } from './sql-import.ts';
import { findUser } from './sql-user.ts';
import { hashImported } from './verify-secret.ts';

const Entry = Type.Object(
  {
    username: Type.String({ minLength: 1, maxLength: USERNAME_MAX }),
    password: Type.Optional(Type.String({ minLength: 8, maxLength: PASSWORD_MAX })),
    accounts: Type.Optional(Type.Array(Type.String(), { maxItems: 10_000, uniqueItems: true })),
  },
  { additionalProperties: false },
);
type Entry = Static<typeof Entry>;

export const usersSection: FleetSection = {
  name: 'users',
  tenant: 'none',
  isLast: true,
  scope: 'users',
  entry: Entry,

  /** The password is staged as its hash. An unchanged password keeps its hash and ends no session. */
  async prepare(ctx, { password, ...entry }: Entry) {
    if (password === undefined) return entry;
    const known = (await findUser(ctx.db, entry.username))?.passwordHash;
    const passwordHash = await hashImported(ctx, password, known);
    return passwordHash === undefined ? entry : { ...entry, passwordHash };
  },

  verify: [
    { path: '/username', unique: sql`s.body->>'username'` },
    { find: ({ db }) => findUnknownAccounts(db) },
  ],

  async write(ctx) {
    const { db, now } = ctx;
    await auditUserChanges(ctx);
    await db.exec(sql`
      insert into ws_user (username, password_hash, created_at)
      select s.body->>'username', s.body->>'passwordHash', ${now()} from staged_entry s where s.section = 'users'
      on conflict (username) do update set password_hash = coalesce(excluded.password_hash, ws_user.password_hash)`);
    await db.exec(sql`
      update session set ended_at = ${now()} where ended_at is null and username in (
        select s.body->>'username' from staged_entry s where s.section = 'users' and s.body ? 'passwordHash')`);
    // A given list of accounts replaces the old one: an account left out of it loses access.
    await db.exec(sql`
      delete from user_account where username in (
        select s.body->>'username' from staged_entry s where s.section = 'users' and s.body ? 'accounts')`);
    await db.exec(sql`
      insert into user_account (username, account_name, ecpd_id, position)
      select s.body->>'username', a.account_name, a.ecpd_id, n.position - 1
      from staged_entry s, jsonb_array_elements_text(s.body->'accounts') with ordinality as n (name, position)
      join account_directory a on a.account_name = n.name and a.closed_at is null
      where s.section = 'users'`);
    await announceAccessChange(db, { what: 'everything' });
  },

  export: {
    select: sql`x.username,
      coalesce(array_agg(a.account_name order by a.position) filter (where a.username is not null), '{}') as accounts`,
    from: sql`ws_user x left join user_account a on a.username = x.username`,
    key: ['username'],
    groupBy: sql`x.username`,
    where: ({ accountName }) => sql`a.account_name = ${accountName}`,
  },
};
