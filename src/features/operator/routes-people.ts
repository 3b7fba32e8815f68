import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Ctx } from '../../platform/context/context.ts';
import { type FaultKind, refuse } from '../../platform/context/fault.ts';
import { operatorWith } from '../../platform/http/access.ts';
import * as sessions from '../sessions/index.ts';
import { operatorFaults } from './errors.ts';
import { PAGE_KEYS, paged, pageKey } from './paging.ts';
import { ClientParams, Done, PageQuery, UserParams, WireClient, WireUser } from './schemas.ts';

const doneOr = async (done: Promise<boolean>, otherwise: FaultKind) =>
  (await done) ? { success: true } : refuse(otherwise);

/** Calls that change one user or one client and answer only that they did. */
interface Switch {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly act: (ctx: Ctx, name: string) => Promise<boolean>;
}

const USER_SWITCHES: readonly Switch[] = [
  {
    path: '/users/:username/unlock',
    operationId: 'operatorUnlockUser',
    summary: 'Ends the lock of a user after failed logins',
    act: sessions.unlockUser,
  },
  {
    path: '/users/:username/disable',
    operationId: 'operatorDisableUser',
    summary: 'Disables a user and ends its sessions',
    act: sessions.disableUser,
  },
  {
    path: '/users/:username/enable',
    operationId: 'operatorEnableUser',
    summary: 'Enables a disabled user',
    act: sessions.enableUser,
  },
];

const CLIENT_SWITCHES: readonly Switch[] = [
  {
    path: '/clients/:clientId/disable',
    operationId: 'operatorDisableClient',
    summary: 'Disables a client and revokes its token',
    act: sessions.disableClient,
  },
  {
    path: '/clients/:clientId/enable',
    operationId: 'operatorEnableClient',
    summary: 'Enables a disabled client',
    act: sessions.enableClient,
  },
];

export const peopleRoutes: FastifyPluginAsyncTypebox = async (api) => {
  const config = { access: operatorWith('users') };
  for (const { path, operationId, summary, act } of USER_SWITCHES) {
    const schema = { operationId, summary, params: UserParams, response: { 200: Done } };
    api.post(path, { config, schema }, ({ ctx, params }) =>
      doneOr(act(ctx, params.username), operatorFaults.noUser),
    );
  }
  for (const { path, operationId, summary, act } of CLIENT_SWITCHES) {
    const schema = { operationId, summary, params: ClientParams, response: { 200: Done } };
    api.post(path, { config, schema }, ({ ctx, params }) =>
      doneOr(act(ctx, params.clientId), operatorFaults.noClient),
    );
  }

  api.get(
    '/users',
    {
      config: { access: operatorWith('read') },
      schema: {
        operationId: 'operatorListUsers',
        summary: 'Web-services users with their accounts',
        querystring: Type.Object({ ...PageQuery.properties, accountName: Type.Optional(Type.String()) }),
        response: { 200: Type.Array(WireUser) },
      },
    },
    async ({ ctx, query: { page, limit = 100, accountName } }, reply) => {
      const after = pageKey(page, PAGE_KEYS.name) ?? '';
      const rows = await sessions.listUsers(ctx.db, { after, accountName, limit });
      return paged(reply, rows, limit, (row) => row.username);
    },
  );

  api.post(
    '/users/:username/password',
    {
      config: { access: operatorWith('users'), cookie: false, idempotencyKey: false },
      schema: {
        operationId: 'operatorResetPassword',
        summary: 'Gives a user a new password, shown once; its sessions end',
        params: UserParams,
        response: { 200: Type.Object({ newPassword: Type.String() }) },
      },
    },
    async ({ ctx, params }) => ({
      newPassword: (await sessions.resetPasswordOf(ctx, params.username)) ?? refuse(operatorFaults.noUser),
    }),
  );

  api.get(
    '/clients',
    {
      config: { access: operatorWith('read') },
      schema: {
        operationId: 'operatorListClients',
        summary: 'Applications',
        querystring: PageQuery,
        response: { 200: Type.Array(WireClient) },
      },
    },
    async ({ ctx, query: { page, limit = 100 } }, reply) =>
      paged(
        reply,
        await sessions.listClients(ctx.db, { after: pageKey(page, PAGE_KEYS.name) ?? '', limit }),
        limit,
        (row) => row.clientId,
      ),
  );

  api.post(
    '/clients/:clientId/rotate',
    {
      config: { access: operatorWith('users'), cookie: false, idempotencyKey: false },
      schema: {
        operationId: 'operatorRotateClientSecret',
        summary:
          'Gives a client a new secret, shown once; the old one stays valid for 24 hours unless atOnce',
        params: ClientParams,
        body: Type.Object({ atOnce: Type.Optional(Type.Boolean()) }),
        response: { 200: Type.Object({ clientId: Type.String(), clientSecret: Type.String() }) },
      },
    },
    async ({ ctx, params: { clientId }, body }) => {
      const secret = await sessions.rotateClientSecret(ctx, clientId, { atOnce: body.atOnce ?? false });
      return { clientId, clientSecret: secret ?? refuse(operatorFaults.noClient) };
    },
  );
};
