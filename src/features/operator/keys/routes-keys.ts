import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { refuse } from '../../../platform/context/fault.ts';
import { operatorWith } from '../../../platform/http/access.ts';
import { operatorFaults } from '../errors.ts';
import { Done, Scopes, WireKey } from '../schemas.ts';
import { deleteKey, listKeys } from '../sql.ts';
import { createKey } from './create-key.ts';

export const keyRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '/keys',
    {
      config: { access: operatorWith('admin') },
      schema: {
        operationId: 'operatorListKeys',
        summary: 'Operator keys by name; never the keys themselves',
        response: { 200: Type.Array(WireKey) },
      },
    },
    ({ ctx }) => listKeys(ctx.db),
  );

  api.post(
    '/keys',
    {
      config: { access: operatorWith('admin'), cookie: false, idempotencyKey: false },
      schema: {
        operationId: 'operatorCreateKey',
        summary: 'A new named operator key, shown once',
        body: Type.Object({ name: Type.String({ pattern: '^[A-Za-z0-9._-]{1,64}$' }), scopes: Scopes }),
        response: { 201: Type.Object({ name: Type.String(), key: Type.String(), scopes: Scopes }) },
      },
    },
    async ({ ctx, body: { name, scopes } }, reply) => {
      const key = await createKey(ctx, { name, scopes });
      reply.code(201);
      return { name, key, scopes };
    },
  );

  api.delete(
    '/keys/:name',
    {
      config: { access: operatorWith('admin') },
      schema: {
        operationId: 'operatorDeleteKey',
        summary: 'Ends an operator key',
        params: Type.Object({ name: Type.String({ maxLength: 64 }) }),
        response: { 200: Done },
      },
    },
    async ({ ctx, params }) =>
      (await deleteKey(ctx.db, params.name)) ? { success: true } : refuse(operatorFaults.noSuchKey),
  );
};
