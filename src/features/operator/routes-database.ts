import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { withScope } from './route.ts';

const WireDatabase = Type.Object({
  distributed: Type.Boolean(),
  workers: Type.Array(
    Type.Object({
      name: Type.String(),
      answers: Type.Boolean(),
      since: Type.String({ format: 'date-time', description: 'When it started or stopped answering' }),
    }),
  ),
});

export const databaseRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '/database',
    withScope('read', {
      operationId: 'operatorReadDatabase',
      summary: 'Shows whether the database is distributed, and which of its workers answer',
      response: { 200: WireDatabase },
    }),
    async ({ ctx: { db } }) => ({
      distributed: db.sharded,
      workers: db.servers.list().map(({ since, ...worker }) => ({ ...worker, since: since.toISOString() })),
    }),
  );
};
