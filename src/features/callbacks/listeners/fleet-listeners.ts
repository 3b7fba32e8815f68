import { type Static, Type } from 'typebox';
import type { Ctx } from '../../../platform/context.ts';
import { sql } from '../../../platform/db/sql.ts';
import { reportDuplicates } from '../../../platform/fleet-document/merge.ts';
import { EXPORT_PAGE, type FleetSection, inPages } from '../../../platform/fleet-document/section.ts';
import { type CheckAddressText, LISTENER_URL_MAX } from '../send-callback.ts';
import { LISTENER_SERVICES } from '../service-names.ts';
import { isSameSealed, newWebhookSecret, sealContext } from './listener-secrets.ts';
import { deleteStagedCredentials, listResealed, upsertListeners } from './sql-merge.ts';

const Credential = Type.String({ maxLength: 40 });

const Entry = Type.Object(
  {
    accountName: Type.String(),
    serviceName: Type.Enum([...LISTENER_SERVICES]),
    url: Type.Optional(Type.String({ maxLength: LISTENER_URL_MAX })),
    username: Type.Optional(Credential),
    password: Type.Optional(Credential),
    legacy: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
type Entry = Static<typeof Entry>;

interface Exported {
  readonly ecpdId: string;
  readonly accountName: string;
  readonly serviceName: string;
}

/** An operator who gives the same credential again has changed nothing. */
async function dropUnchangedCredentials({ db, secrets }: Ctx, ecpdId: string): Promise<void> {
  for (const credential of ['username', 'password'] as const) {
    const unchanged = (await listResealed(db, ecpdId, credential)).filter((listener) =>
      isSameSealed(secrets, listener.staged, listener.kept, sealContext(listener, credential)),
    );
    await deleteStagedCredentials(
      db,
      credential,
      unchanged.map(({ position }) => position),
    );
  }
}

/** No name is resolved during an import: that is done at every attempt, and decides. */
export const listenersSection = (checkAddressText: CheckAddressText): FleetSection => ({
  name: 'listeners',
  tenant: 'account',
  entry: Entry,

  check({ url }: Entry) {
    const detail = url === undefined ? undefined : checkAddressText(url);
    return detail === undefined ? [] : [{ path: '/url', detail }];
  },

  /** Nothing secret is staged in the open. An empty credential stands for none, and takes away the one there was. */
  prepare({ secrets }, { username, password, ...entry }: Entry) {
    const seal = (text: string, part: 'username' | 'password' | 'secret') =>
      text === '' ? null : secrets.seal(text, sealContext(entry, part));
    return {
      ...entry,
      ...(username !== undefined && { usernameSealed: seal(username, 'username') }),
      ...(password !== undefined && { passwordSealed: seal(password, 'password') }),
      secretSealed: seal(newWebhookSecret(), 'secret'),
    };
  },

  verify: (ctx, staging) =>
    reportDuplicates(ctx, staging, 'listeners', {
      path: '/serviceName',
      key: sql`s.body->>'accountName', s.body->>'serviceName'`,
    }),

  async write(ctx, staging) {
    for (const ecpdId of await staging.profilesOf('listeners')) {
      await dropUnchangedCredentials(ctx, ecpdId);
      await upsertListeners(ctx.db, ecpdId, ctx.now());
    }
  },

  export: async function* (db, { ecpdId, accountName }) {
    const rows = inPages<Exported>((after) =>
      db.many(sql`
        select ecpd_id as "ecpdId", account_name as "accountName", service_name as "serviceName", url, legacy
        from callback_listener
        where (ecpd_id, account_name, service_name)
            > (${after?.ecpdId ?? ''}, ${after?.accountName ?? ''}, ${after?.serviceName ?? ''})
          and ${accountName === undefined ? sql`true` : sql`ecpd_id = ${ecpdId} and account_name = ${accountName}`}
        order by ecpd_id, account_name, service_name limit ${EXPORT_PAGE}`),
    );
    for await (const { ecpdId: _, ...listener } of rows) yield listener;
  },
});
