import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';

const asked = new WeakSet<IncomingMessage>();

/**
 * As `rewriteUrl`, lets the routes of GET answer HEAD. A second route for each would take a seventh of the time that it
 * takes to compose the API.
 */
export function routeHeadLikeGet(raw: IncomingMessage): string {
  if (raw.method === 'HEAD') {
    asked.add(raw);
    raw.method = 'GET';
  }
  return raw.url ?? '';
}

const isStream = (payload: unknown): payload is Readable =>
  typeof payload === 'object' && payload !== null && 'destroy' in payload;

/** The headers describe the body that is left out. */
function leaveOut(reply: FastifyReply, payload: unknown): null {
  if (isStream(payload)) payload.destroy();
  else if (typeof payload === 'string' || payload instanceof Uint8Array)
    reply.header('content-length', Buffer.byteLength(payload));
  return null;
}

/** Call it before other hooks are added, which see the method that was asked for. */
export function leaveOutBodiesOfHead(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    if (asked.has(raw)) raw.method = 'HEAD';
    done();
  });
  app.addHook('onSend', ({ raw }, reply, payload, done) =>
    done(null, asked.has(raw) ? leaveOut(reply, payload) : payload),
  );
}
