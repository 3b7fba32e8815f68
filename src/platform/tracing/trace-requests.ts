import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Span, Tracing } from './tracing.ts';

/** One span for each request of a mount, from its first byte to the end of its answer; what it gives rise to belongs to it. */
export function traceRequests(scope: FastifyInstance, tracing: Tracing): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  scope.addHook('onRequest', async (request) => {
    const span = tracing.begin(`${request.method} ${request.routeOptions.url ?? ''}`, {
      kind: 'server',
      parent: [request.headers['traceparent']].flat()[0],
      attributes: {
        'http.request.method': request.method,
        'http.route': request.routeOptions.url,
        'linekeeper.request_id': request.id,
      },
    });
    if (span === undefined) return;
    spans.set(request, span);
    request.ctx = { ...request.ctx, trace: span.traceparent };
  });
  scope.addHook('onResponse', async (request, reply) => {
    spans.get(request)?.end({
      // What was refused was refused rightly; only what we could not do is a failure.
      failure: reply.statusCode >= 500 ? `answered ${reply.statusCode}` : undefined,
      attributes: {
        'http.response.status_code': reply.statusCode,
        'linekeeper.account': request.tenant?.accountName,
      },
    });
  });
}
