import { type Static, Type } from 'typebox';
import type { Ctx } from '../../../platform/context/context.ts';
import { sql } from '../../../platform/db/sql.ts';
import { PROBLEMS_MAX, reportDuplicates } from '../../../platform/fleet-document/merge.ts';
import {
  EXPORT_PAGE,
  type FleetSection,
  inPages,
  type Staging,
} from '../../../platform/fleet-document/section.ts';
import { type CheckAddressText, LISTENER_URL_MAX } from '../send-callback.ts';
import { LISTENER_SERVICES } from '../service-names.ts';
import { isAnotherHost, isSameSealed, newWebhookSecret, sealContext } from './listener-secrets.ts';
import {
  deleteStagedCredentials,
  listResealed,
  lockKeepingCredentials,
  upsertListeners,
} from './sql-merge.ts';

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

/** The same rule as where an owner keeps the credentials while changing the address. */
async function reportMovedCredentials({ db }: Ctx, staging: Staging): Promise<void> {
  for (const ecpdId of await staging.profilesOf('listeners')) {
    const moved = (await lockKeepingCredentials(db, ecpdId)).filter(({ url, keptUrl }) =>
      isAnotherHost(url, keptUrl),
    );
    staging.report(
      'listeners',
      moved.slice(0, PROBLEMS_MAX).map(({ position }) => ({
        position,
        path: '/url',
        detail:
          'moves the listener to another host: its username and password must be given too, or be empty',
      })),
    );
  }
}

/** No name is resolved during an import: that is done at every attempt, and decides. */
export const listenersSection = (checkAddressText: CheckAddressText): FleetSection => ({
  name: 'listeners',
  tenant: 'account',
  scope: 'callbacks',
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

  async verify(ctx, staging) {
    await reportDuplicates(ctx, staging, 'listeners', {
      path: '/serviceName',
      key: sql`s.body->>'accountName', s.body->>'serviceName'`,
    });
    await reportMovedCredentials(ctx, staging);
  },

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
