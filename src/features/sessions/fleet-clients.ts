import { type Static, Type } from 'typebox';
import { sql } from '../../platform/db/sql.ts';
import type { FleetSection } from '../../platform/fleet-document/section.ts';
import { announceAccessChange } from './access-changes.ts';
import { findClient } from './sql-client.ts';
import { auditClientChanges } from './sql-import.ts';
import { hashImported } from './verify-secret.ts';

const Entry = Type.Object(
  {
    clientId: Type.String({ pattern: '^[^:\\s]{1,128}$' }),
    clientSecret: Type.Optional(Type.String({ minLength: 8, maxLength: 256 })),
  },
  { additionalProperties: false },
);
type Entry = Static<typeof Entry>;

export const clientsSection: FleetSection = {
  name: 'clients',
  tenant: 'none',
  isLast: true,
  scope: 'users',
  entry: Entry,

  /** The secret is staged as its hash. An unchanged secret keeps its hash. */
  async prepare(ctx, { clientId, clientSecret }: Entry) {
    if (clientSecret === undefined) return { clientId };
    const known = (await findClient(ctx.db, clientId))?.secretHash;
    const secretHash = await hashImported(ctx, clientSecret, known);
    return secretHash === undefined ? { clientId } : { clientId, secretHash };
  },

  verify: [{ path: '/clientId', unique: sql`s.body->>'clientId'` }],

  /** A client without a secret exists but cannot ask for tokens until the operator gives it one. */
  async write(ctx) {
    const { db, now } = ctx;
    await auditClientChanges(ctx);
    await db.exec(sql`
      insert into client (client_id, secret_hash, created_at)
      select s.body->>'clientId', s.body->>'secretHash', ${now()} from staged_entry s where s.section = 'clients'
      on conflict (client_id) do update set
        secret_hash = coalesce(excluded.secret_hash, client.secret_hash),
        previous_secret_hash = case when excluded.secret_hash is null then client.previous_secret_hash end,
        previous_secret_until = case when excluded.secret_hash is null then client.previous_secret_until end`);
    // A client whose secret was replaced needs a new token.
    await db.exec(sql`
      update client_token set revoked_at = ${now()} where revoked_at is null and client_id in (
        select s.body->>'clientId' from staged_entry s where s.section = 'clients' and s.body ? 'secretHash')`);
    await announceAccessChange(db, { what: 'everything' });
  },

  export: {
    select: sql`x.client_id as "clientId"`,
    from: sql`client x`,
    key: ['client_id'],
    where: () => sql`false`,
  },
};
