import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { listAudit } from '../../../../platform/context/audit.ts';
import { viewerAsOperator } from '../../../../platform/http/access.ts';
import { WireAuditEntry } from '../../../operator/index.ts';
import { OptionalText, PageQuery } from '../../schemas.ts';

export const auditRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '/audit',
    {
      config: { access: viewerAsOperator('read') },
      schema: {
        operationId: 'consoleListAudit',
        summary: 'Who did what, newest first',
        querystring: Type.Object({
          accountName: OptionalText,
          actor: OptionalText,
          action: OptionalText,
          page: Type.Optional(Type.String({ pattern: '^[0-9]{1,18}$' })),
          limit: PageQuery.properties.limit,
        }),
        response: {
          200: Type.Object({ entries: Type.Array(WireAuditEntry), next: Type.Optional(Type.String()) }),
        },
      },
    },
    async ({ ctx, query: { page, limit = 100, ...filter } }) => {
      const before = page === undefined ? undefined : BigInt(page);
      const entries = await listAudit(ctx.db, { ...filter, before, limit });
      const last = entries.at(-1);
      return { entries, ...(last?.isFollowed && { next: last.id }) };
    },
  );
};
