import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AccountName, type EcpdId, isAccountName } from '../../kernel/account-name.ts';
import type { Principal, Tenant } from '../../platform/context/context.ts';
import type { FaultKind } from '../../platform/context/fault.ts';
import { keepText } from '../../platform/http/kept-text.ts';
import { changesNothing } from '../../platform/http/own-pages.ts';
import type { Call, Caller, Reason } from './call.ts';
import type { CallQueue } from './call-queue.ts';
import type { Recordings } from './recordings.ts';

/** Where a refusal is documented, by its kind and the area that answered. */
type FindRule = (kind: FaultKind, area: string) => string | undefined;

interface RecordDeps {
  readonly basePath: string;
  readonly queue: CallQueue;
  /** Undefined if all calls are logged. */
  readonly recordings: Recordings | undefined;
  readonly findRule: FindRule;
}

function callerOf({ operator, principal, clientId }: FastifyRequest): Caller | null {
  if (operator !== undefined) return { kind: 'operator', name: operator.keyName };
  if (principal !== undefined) return { kind: 'user', name: principal.username };
  return clientId === undefined ? null : { kind: 'client', name: clientId };
}

/** An operator names an account in the path, the query or the body. It is resolved when the call is written. */
function namedByOperator({ params, body, query }: FastifyRequest): string | undefined {
  for (const part of [params, query, body]) {
    const name = (part as { accountName?: unknown } | undefined | null)?.accountName;
    if (isAccountName(name)) return name;
  }
  return undefined;
}

/** The owner of a user's call without an account name: the user's only account, or the only profile. */
function ownerOf({ accounts }: Principal): Pick<Call, 'accountName' | 'ecpdId'> {
  const profiles = new Set<EcpdId>(accounts.values());
  const [ecpdId] = profiles.size === 1 ? profiles : [];
  const [accountName] = accounts.size === 1 ? accounts.keys() : ([] as AccountName[]);
  return { accountName, ecpdId };
}

function belongsTo(request: FastifyRequest): Pick<Call, 'accountName' | 'ecpdId'> {
  const { operator, principal } = request;
  const tenant = request.tenant as Tenant | undefined;
  if (tenant !== undefined) return tenant;
  if (operator !== undefined) return { accountName: namedByOperator(request), ecpdId: undefined };
  return principal === undefined ? { accountName: undefined, ecpdId: undefined } : ownerOf(principal);
}

function reasonOf({ refused, dialect }: FastifyRequest, findRule: FindRule): Reason | undefined {
  if (refused === undefined) return undefined;
  const { kind, detail } = refused;
  const words = detail.reason ?? detail.named?.slice(0, 10).join(', ');
  const rule = findRule(kind, dialect.name);
  return {
    ...{ code: kind.code, message: kind.message },
    ...(words !== undefined && { detail: words }),
    ...(rule !== undefined && { rule }),
  };
}

const operationOf = ({ routeOptions: { schema } }: FastifyRequest): string | undefined =>
  (schema as { operationId?: string } | undefined)?.operationId;

/** Calls of the interface and the operator API. Not pages and probes, nor automatic calls of the service and open pages. */
function isLogged(request: FastifyRequest, { statusCode }: FastifyReply, path: string): boolean {
  const { operator, viewer, method, routeOptions, is404 } = request;
  const { config } = routeOptions;
  if (config.logged === false || operator?.isOwnProgram || path.startsWith('/console/')) return false;
  if (is404) return statusCode >= 400 && method !== 'OPTIONS' && path.startsWith('/');
  if (operationOf(request) === undefined) return false;
  return viewer === undefined || !changesNothing(method, config);
}

type RecordCall = (request: FastifyRequest, reply: FastifyReply, answer: unknown) => void;

/** The call to log, or undefined if it is not logged. `answer` is the body sent, or undefined if there is no answer. */
function callOf(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: unknown,
  { basePath, findRule }: RecordDeps,
): Call | undefined {
  const path = request.url.startsWith(basePath) ? request.url.slice(basePath.length) : '';
  if (!isLogged(request, reply, path)) return undefined;
  return {
    at: request.calledAt,
    requestId: request.id,
    operation: operationOf(request) ?? null,
    method: request.method,
    path: keepText(path),
    status: answer === undefined ? null : reply.statusCode,
    durationMs: Math.round(reply.elapsedTime * 100) / 100,
    caller: callerOf(request),
    ...belongsTo(request),
    request: request.bodyText,
    answer: typeof answer === 'string' ? keepText(answer) : undefined,
    reason: reasonOf(request, findRule),
    injected: request.injected,
  };
}

/** Records before the answer is sent, so a client that has the answer finds the call in the log. */
export function recordCalls(app: FastifyInstance, deps: RecordDeps): RecordCall {
  const { queue, recordings } = deps;
  const record: RecordCall = (request, reply, answer) => {
    if (recordings !== undefined && !(recordings.areAny() && recordings.has(belongsTo(request).accountName)))
      return;
    const call = callOf(request, reply, answer, deps);
    if (call === undefined) return;
    if (!queue.isStopped) return queue.add(call);
    // The call itself replaced the database, so the queue it belonged to has stopped.
    const { ctx } = request;
    queue.write(ctx.db, call).catch((err: unknown) => ctx.log.warn({ err }, 'a call is missing in the log'));
  };
  // An erasure must also cover the calls before it that are not yet written.
  app.addHook('preHandler', ({ method, operator }, _reply, done) => {
    if (method === 'DELETE' && operator !== undefined) queue.flush().then(() => done(), done);
    else done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    record(request, reply, payload ?? null);
    done();
  });
  return record;
}
