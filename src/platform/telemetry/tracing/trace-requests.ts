import type { FastifyInstance, FastifyReply } from 'fastify';
import { noTracing, type Tracing } from './tracing.ts';

/** A refusal is a correct answer; only errors of the service are failures. */
function failureOf({ writableFinished, statusCode }: FastifyReply['raw']): string | undefined {
  if (!writableFinished) return 'closed before the end of the answer';
  return statusCode >= 500 ? `answered ${statusCode}` : undefined;
}

/** One span for each request of a mount, from its first byte to the end of its answer, as parent of the work it causes. */
export function traceRequests(scope: FastifyInstance, tracing: Tracing): void {
  if (tracing === noTracing) return;
  scope.addHook('onRequest', async (request, reply) => {
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
    request.ctx = { ...request.ctx, trace: span.traceparent };
    // Not onResponse, which never fires if the caller disconnects before the end of the answer.
    reply.raw.once('close', () => {
      span.end({
        failure: failureOf(reply.raw),
        attributes: {
          'http.response.status_code': reply.raw.headersSent ? reply.raw.statusCode : undefined,
          'linekeeper.account': request.tenant?.accountName,
        },
      });
    });
  });
}
