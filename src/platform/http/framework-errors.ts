import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Fault, refuse } from '../context/fault.ts';
import { gatewayBody, sendFault } from './dialect.ts';
import { m2mDialect } from './dialects.ts';
import { gatewayFaults } from './faults.ts';
import { STATUS_CODES } from './node-http.ts';
import type { UnreadBodies } from './unread-bodies.ts';

/** Answers a path that the router cannot decode; no hook has seen such a request. */
export function refuseUnroutable(request: FastifyRequest, reply: FastifyReply, bodies: UnreadBodies): void {
  reply.header('x-request-id', request.id);
  const headers = bodies.endsConnection(request.raw) ? { connection: 'close' } : {};
  sendFault(new Fault(gatewayFaults.noResource, { headers }), m2mDialect, request, reply);
}

/** Longer than any name or identifier. The router itself takes parts of any length, so that each area can refuse them. */
const PARAM_MAX = 256;

/** Call it after the authentication of the caller, like every check of an area. */
export function refuseLongParams(scope: FastifyInstance): void {
  scope.addHook('onRequest', ({ params, dialect }, _reply, done) => {
    for (const [name, value] of Object.entries(params as Record<string, string>))
      if (value.length > PARAM_MAX)
        refuse(dialect.faults.invalid, {
          reason: `${name} must not have more than ${PARAM_MAX} characters`,
          cause: name,
        });
    done();
  });
}

function kindOf(code: string | undefined) {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return gatewayFaults.tooSlow;
  return code === 'HPE_HEADER_OVERFLOW' ? gatewayFaults.headersTooLarge : gatewayFaults.unreadable;
}

/** Input that is not HTTP never becomes a request: this writes the answer to the connection and ends it. */
export function refuseUnreadable(
  { code }: NodeJS.ErrnoException,
  socket: Socket,
  bodies: UnreadBodies,
): void {
  if (bodies.isEnding(socket)) return;
  if (code === 'ECONNRESET' || !socket.writable || bodies.isAnswering(socket)) {
    socket.destroy();
    return;
  }
  const kind = kindOf(code);
  const body = JSON.stringify(gatewayBody(kind));
  const head = [
    `HTTP/1.1 ${kind.status} ${STATUS_CODES[kind.status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
  ];
  bodies.endInOrder(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
}
