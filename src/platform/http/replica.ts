import type { FastifyInstance, RouteHandlerMethod } from 'fastify';
import type { Db } from '../db/db.ts';

/**
 * The handlers of routes that say `reads: 'replica'`, and nothing else of a request: who may call is decided before them,
 * and what is written down about a call after them, on the primary.
 */
export function readFromReplica(app: FastifyInstance, db: Db): void {
  const wrap = (handler: RouteHandlerMethod): RouteHandlerMethod =>
    async function reading(request, reply) {
      const { ctx, viewer } = request;
      // Who changes something in the console looks at it right after.
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
