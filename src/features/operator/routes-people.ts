import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { refuse } from '../../platform/context/fault.ts';
import * as sessions from '../sessions/index.ts';
import { operatorFaults } from './errors.ts';
import { createKey } from './keys.ts';
import { doneOr, PAGE_KEYS, paged, pageKey, withScope } from './route.ts';
import {
  ClientParams,
  Done,
  PageQuery,
  Scopes,
  UserParams,
  WireClient,
  WireKey,
  WireUser,
} from './schemas.ts';
import { deleteKey, listKeys } from './sql.ts';

const NamedQuery = Type.Object({
  ...PageQuery.properties,
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 128, description: 'A prefix of the name' })),
});

/** Calls that change one user or client and return only their success. */
const USER_SWITCHES = [
  ['unlock', 'operatorUnlockUser', 'Ends the lock of a user after failed logins', sessions.unlockUser],
  ['disable', 'operatorDisableUser', 'Disables a user and ends its sessions', sessions.disableUser],
  ['enable', 'operatorEnableUser', 'Enables a disabled user', sessions.enableUser],
] as const;
const CLIENT_SWITCHES = [
  ['disable', 'operatorDisableClient', 'Disables a client and revokes its token', sessions.disableClient],
  ['enable', 'operatorEnableClient', 'Enables a disabled client', sessions.enableClient],
] as const;

export const peopleRoutes: FastifyPluginAsyncTypebox = async (api) => {
  for (const [verb, operationId, summary, act] of USER_SWITCHES)
    api.post(
      `/users/:username/${verb}`,
      withScope('users', { operationId, summary, params: UserParams, response: { 200: Done } }),
      ({ ctx, params }) => doneOr(act(ctx, params.username), operatorFaults.noUser),
    );
  for (const [verb, operationId, summary, act] of CLIENT_SWITCHES)
    api.post(
      `/clients/:clientId/${verb}`,
      withScope('users', { operationId, summary, params: ClientParams, response: { 200: Done } }),
      ({ ctx, params }) => doneOr(act(ctx, params.clientId), operatorFaults.noClient),
    );

  api.get(
    '/users',
    withScope('read', {
      operationId: 'operatorListUsers',
      summary: 'Lists web-services users with their accounts',
      querystring: Type.Object({ ...NamedQuery.properties, accountName: Type.Optional(Type.String()) }),
      response: { 200: Type.Array(WireUser) },
    }),
    async ({ ctx, query: { page, limit = 100, accountName, search } }, reply) => {
      const after = pageKey(page, PAGE_KEYS.name) ?? '';
      const rows = await sessions.listUsers(ctx.db, { after, accountName, search, limit });
      return paged(reply, rows, limit, (row) => row.username);
    },
  );

  api.post(
    '/users/:username/password',
    withScope(
      'users',
      {
        operationId: 'operatorResetPassword',
        summary: 'Gives a user a new password, shown once; its sessions end',
        params: UserParams,
        response: { 200: Type.Object({ newPassword: Type.String() }) },
      },
      { idempotencyKey: false },
    ),
    async ({ ctx, params }) => ({
      newPassword: (await sessions.resetPasswordOf(ctx, params.username)) ?? refuse(operatorFaults.noUser),
    }),
  );

  api.get(
    '/clients',
    withScope('read', {
      operationId: 'operatorListClients',
      summary: 'Lists applications',
      querystring: NamedQuery,
      response: { 200: Type.Array(WireClient) },
    }),
    async ({ ctx, query: { page, limit = 100, search } }, reply) =>
      paged(
        reply,
        await sessions.listClients(ctx.db, { after: pageKey(page, PAGE_KEYS.name) ?? '', search, limit }),
        limit,
        (row) => row.clientId,
      ),
  );

  api.post(
    '/clients/:clientId/rotate',
    withScope(
      'users',
      {
        operationId: 'operatorRotateClientSecret',
        summary:
          'Gives a client a new secret, shown once; the old one stays valid for 24 hours unless atOnce',
        params: ClientParams,
        body: Type.Object({ atOnce: Type.Optional(Type.Boolean()) }),
        response: { 200: Type.Object({ clientId: Type.String(), clientSecret: Type.String() }) },
      },
      { idempotencyKey: false },
    ),
    async ({ ctx, params: { clientId }, body }) => {
      const secret = await sessions.rotateClientSecret(ctx, clientId, { atOnce: body.atOnce ?? false });
      return { clientId, clientSecret: secret ?? refuse(operatorFaults.noClient) };
    },
  );
};

export const keyRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '/keys',
    withScope('admin', {
      operationId: 'operatorListKeys',
      summary: 'Lists operator keys by name, without the keys themselves',
      response: { 200: Type.Array(WireKey) },
    }),
    ({ ctx }) => listKeys(ctx.db),
  );

  api.post(
    '/keys',
    withScope(
      'admin',
      {
        operationId: 'operatorCreateKey',
        summary: 'Creates a named operator key, shown once',
        body: Type.Object({ name: Type.String({ pattern: '^[A-Za-z0-9._-]{1,64}$' }), scopes: Scopes }),
        response: { 201: Type.Object({ name: Type.String(), key: Type.String(), scopes: Scopes }) },
      },
      { idempotencyKey: false },
    ),
    async ({ ctx, body: { name, scopes } }, reply) => {
      const key = await createKey(ctx, { name, scopes });
      reply.code(201);
      return { name, key, scopes };
    },
  );

  api.delete(
    '/keys/:name',
    withScope('admin', {
      operationId: 'operatorDeleteKey',
      summary: 'Deletes an operator key',
      params: Type.Object({ name: Type.String({ maxLength: 64 }) }),
      response: { 200: Done },
    }),
    ({ ctx, params }) => doneOr(deleteKey(ctx.db, params.name), operatorFaults.noSuchKey),
  );
};
