import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { Fault, type FaultDetail, type FaultKind, refuse } from '../context/fault.ts';
import { isUnavailable } from '../db/failures.ts';
import { Crowded } from '../flow-control/fair-slots.ts';
import { NOT_STORABLE } from '../json/storable-text.ts';
import { GATEWAY_DESCRIPTIONS, type GeneralFaults, gatewayFaults } from './faults.ts';
import { MalformedJson } from './json-body.ts';

/** How one area of the interface formats a refusal. Domain code does not know which dialect applies. */
export interface Dialect {
  readonly name: string;
  readonly contentType?: string;
  /** Schema of a refusal, for the API description. */
  readonly errorSchema: TSchema;
  readonly faults: GeneralFaults;
  readonly body: (kind: FaultKind, detail: FaultDetail, request: FastifyRequest) => object;
}

const isGateway = (kind: FaultKind): boolean => 'gateway' in kind;

export const gatewayBody = ({ code, message }: FaultKind) => ({
  fault: { code, message, description: GATEWAY_DESCRIPTIONS[code] },
});

/** PostgreSQL's errors for U+0000 in text and in jsonb, for input that json-body.ts does not check. */
const NOT_STORABLE_STATES: ReadonlySet<unknown> = new Set(['22021', '22P05']);

/** Converts any thrown error to a row of the catalogue. */
export function toFault(error: FastifyError | Error, faults: GeneralFaults): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof MalformedJson)
    return new Fault(faults.malformed, { cause: error.message }, { cause: error });
  if ('validation' in error && error.validation) {
    const [first] = error.validation as {
      instancePath: string;
      message?: string;
      params: Record<string, unknown>;
    }[];
    const field = fieldOf(first?.instancePath ?? '', first?.params);
    const isMissing = first?.params['missingProperty'] !== undefined;
    const words = isMissing ? 'is required' : (first?.message ?? 'is not as expected');
    const reason = `${field === '' ? 'the body' : field} ${words}`;
    return new Fault(faults.invalid, { reason, cause: field }, { cause: error });
  }
  if ('code' in error && NOT_STORABLE_STATES.has(error.code))
    return new Fault(faults.invalid, { reason: NOT_STORABLE }, { cause: error });
  if (isUnavailable(error) || error instanceof Crowded)
    return new Fault(faults.unavailable, { headers: { 'retry-after': '1' } }, { cause: error });
  const status = 'statusCode' in error ? error.statusCode : undefined;
  if (status === 413) return new Fault(faults.tooLarge, {}, { cause: error });
  if (status === 415) return new Fault(faults.unsupportedMedia, {}, { cause: error });
  if (status !== undefined && status < 500)
    return new Fault(faults.invalid, { reason: error.message }, { cause: error });
  return new Fault(faults.internal, {}, { cause: error });
}

function fieldOf(instancePath: string, params: Record<string, unknown> = {}): string {
  const path = instancePath.split('/').slice(1);
  const missing = params['missingProperty'];
  return [...path, ...(typeof missing === 'string' ? [missing] : [])].join('.');
}

export function renderFault(fault: Fault, dialect: Dialect, request: FastifyRequest): object {
  return isGateway(fault.kind) ? gatewayBody(fault.kind) : dialect.body(fault.kind, fault.detail, request);
}

/** Fastify closes the connection after a body that it could not read; here the rest is dropped instead (unread-bodies.ts). */
function keepConnection(reply: FastifyReply): void {
  const { raw } = reply;
  if (!reply.hasHeader('connection')) return;
  const isLast = !raw.shouldKeepAlive || raw.getHeader('connection') === 'close';
  reply.header('connection', isLast ? 'close' : 'keep-alive');
}

/** How an unidentified caller can identify itself: RFC 9110 requires this with every such 401. */
function challengeOf(kind: FaultKind, { routeOptions }: FastifyRequest): string | undefined {
  if (kind.status !== 401) return undefined;
  if (routeOptions.config.access?.kind === 'client-credentials') return 'Basic realm="Linekeeper"';
  return isGateway(kind) ? 'Bearer' : undefined;
}

export function sendFault(
  fault: Fault,
  dialect: Dialect,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { kind, detail } = fault;
  request.refused = fault;
  const level = kind.status >= 500 ? 'error' : 'debug';
  request.log[level]({ err: fault.cause ?? fault, code: kind.code, ...detail.log }, 'refused');
  keepConnection(reply);
  const challenge = challengeOf(kind, request);
  reply
    .code(kind.status)
    .headers({ ...(challenge !== undefined && { 'www-authenticate': challenge }), ...detail.headers });
  if (isGateway(kind))
    return reply.type('application/json; charset=utf-8').serializer(JSON.stringify).send(gatewayBody(kind));
  return reply
    .type(dialect.contentType ?? 'application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(dialect.body(kind, detail, request));
}

const GatewayError = Type.Object({
  fault: Type.Object({ code: Type.String(), message: Type.String(), description: Type.String() }),
});

/** Describes the refusals of the area in every operation; `sendFault` formats them. */
export function describeRefusals(scope: FastifyInstance, dialect: Dialect): void {
  const refused = { description: 'Refused; nothing was changed' };
  const failed = { description: 'Failed; the same call may succeed later' };
  const { name, errorSchema, contentType } = dialect;
  const refusals =
    contentType === undefined
      ? { '4xx': Type.Union([errorSchema, GatewayError], refused), '5xx': Type.Union([errorSchema], failed) }
      : describeByType(contentType.split(';')[0]!, errorSchema, refused, failed);
  scope.addHook('onRoute', ({ schema }) => {
    if (schema === undefined || schema.operationId === undefined) return;
    schema.tags ??= [name];
    schema.response = { ...refusals, ...(schema.response as object) };
  });
}

/** If refusals have a content type of their own, it distinguishes them from those of the gateway. */
function describeByType(type: string, errorSchema: TSchema, refused: object, failed: object) {
  const own = { [type]: { schema: errorSchema } };
  return {
    '4xx': { ...refused, content: { ...own, 'application/json': { schema: GatewayError } } },
    '5xx': { ...failed, content: own },
  };
}

export function speak(scope: FastifyInstance, dialect: Dialect): void {
  scope.addHook('onRequest', (request, _reply, done) => {
    request.dialect = dialect;
    done();
  });
  scope.setErrorHandler<FastifyError | Fault>((error, request, reply) =>
    sendFault(toFault(error, dialect.faults), dialect, request, reply),
  );
}

/** Answers a path without a route; returns undefined if it does not handle it. */
export type AnswerElsewhere = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined;

/** Runs before a body is read, so that a request for an unknown path does not cause megabytes of parsing. */
export function refuseUnknownPaths(app: FastifyInstance, otherwise: AnswerElsewhere = () => undefined): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return void done();
    if (otherwise(request, reply) === undefined) refuse(gatewayFaults.noResource);
  });
  app.setNotFoundHandler(() => refuse(gatewayFaults.noResource));
}
