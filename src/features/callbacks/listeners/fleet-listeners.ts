import { type Static, Type } from 'typebox';
import type { Ctx } from '../../../platform/context/context.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { FleetSection, Found } from '../../../platform/fleet-document/section.ts';
import { PROBLEMS_MAX } from '../../../platform/fleet-document/verify-entries.ts';
import { LISTENER_SERVICES } from '../../callback-payloads/index.ts';
import { type CheckAddressText, LISTENER_URL_MAX } from '../send-callback.ts';
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

/** Giving the same credential again counts as no change. */
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

/** The same rule as for an owner who changes the address and keeps the credentials. */
async function findMovedCredentials({ db }: Ctx, ecpdIds: readonly string[]): Promise<readonly Found[]> {
  const detail =
    'moves the listener to another host: its username and password must be given too, or be empty';
  const found: Found[] = [];
  for (const ecpdId of ecpdIds)
    for (const { position, url, keptUrl } of await lockKeepingCredentials(db, ecpdId))
      if (isAnotherHost(url, keptUrl)) found.push({ position, path: '/url', detail });
  return found.slice(0, PROBLEMS_MAX);
}

/** An import resolves no names: the check at each attempt decides. */
export const listenersSection = (checkAddressText: CheckAddressText): FleetSection => ({
  name: 'listeners',
  tenant: 'account',
  scope: 'callbacks',
  entry: Entry,

  check({ url }: Entry) {
    const detail = url === undefined ? undefined : checkAddressText(url);
    return detail === undefined ? [] : [{ path: '/url', detail }];
  },

  /** Stages secrets only in sealed form. An empty credential removes the existing one. */
  prepare({ secrets, chance }, { username, password, ...entry }: Entry) {
    const seal = (text: string, part: 'username' | 'password' | 'secret') =>
      text === '' ? null : secrets.seal(text, sealContext(entry, part));
    return {
      ...entry,
      ...(username !== undefined && { usernameSealed: seal(username, 'username') }),
      ...(password !== undefined && { passwordSealed: seal(password, 'password') }),
      secretSealed: seal(newWebhookSecret(chance), 'secret'),
    };
  },

  verify: [
    { path: '/serviceName', unique: sql`s.body->>'accountName', s.body->>'serviceName'` },
    { find: findMovedCredentials },
  ],

  async write(ctx, ecpdId) {
    await dropUnchangedCredentials(ctx, ecpdId);
    await upsertListeners(ctx.db, ecpdId, ctx.now());
  },

  export: {
    select: sql`x.account_name as "accountName", x.service_name as "serviceName", x.url, x.legacy`,
    from: sql`callback_listener x`,
    key: ['ecpd_id', 'account_name', 'service_name'],
  },
});
