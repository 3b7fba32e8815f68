import type { FastifyInstance, RouteHandlerMethod } from 'fastify';
import type { Db } from '../db/db.ts';

/**
 * Runs the handlers of routes with `reads: 'replica'` on the replica. Everything else of a request uses the primary: the
 * access check before the handler, and the records about the call after it.
 */
export function readFromReplica(app: FastifyInstance, db: Db): void {
  const wrap = (handler: RouteHandlerMethod): RouteHandlerMethod =>
    async function reading(request, reply) {
      const { ctx, viewer } = request;
      // Console users read their own changes right after they made them.
      if (viewer !== undefined) return handler.call(this, request, reply);
      request.ctx = { ...ctx, db };
      try {
        return await handler.call(this, request, reply);
      } finally {
        request.ctx = ctx;
      }
    };
  app.addHook('onRoute', (route) => {
    if (route.config?.reads === 'replica') route.handler = wrap(route.handler);
  });
}
