import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isAccountName } from '../../kernel/account-name.ts';
import type { Principal, Tenant } from '../../platform/context/context.ts';
import { Fault, type FaultKind, refuse } from '../../platform/context/fault.ts';
import { type Dialect, sendFault } from '../../platform/http/dialect.ts';
import { gatewayFaults } from '../../platform/http/faults.ts';
import { injectedFaults } from './errors.ts';
import type { CalledFacts, FaultRules, Injection } from './fault-rule.ts';

interface InjectDeps {
  readonly rules: FaultRules;
  readonly basePath: string;
  /** Ends the call's session, or its bearer token if it has no session. */
  readonly expire: (request: FastifyRequest) => Promise<void>;
  /** Called for a call that gets no answer. */
  readonly unanswered: (request: FastifyRequest, reply: FastifyReply) => void;
}

function factsOf(request: FastifyRequest, basePath: string): CalledFacts {
  const { routeOptions, url, operator, params } = request;
  const tenant = request.tenant as Tenant | undefined;
  const named = (params as { accountName?: unknown } | undefined)?.accountName;
  return {
    operation: (routeOptions.schema as { operationId?: string } | undefined)?.operationId,
    path: url.slice(basePath.length).split('?', 1)[0]!,
    accountName: tenant?.accountName ?? (isAccountName(named) ? named : undefined),
    byOperator: operator !== undefined,
  };
}

/** The area's own error for the status; for other statuses, an error that says it was on purpose. */
function kindFor({ faults }: Dialect, status: number): FaultKind {
  const usual = {
    401: gatewayFaults.invalid,
    429: faults.tooMany,
    500: faults.internal,
    503: faults.unavailable,
  };
  return usual[status as keyof typeof usual] ?? { ...injectedFaults.onPurpose, status };
}

const LATER = new Set([429, 503]);

function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  { status = 500, body }: Injection,
): FastifyReply {
  if (body !== undefined)
    return reply
      .code(status)
      .type('application/json; charset=utf-8')
      .serializer(JSON.stringify)
      .send(body as object);
  if (status < 400) return reply.code(status).send();
  const headers = LATER.has(status) ? { 'retry-after': '1' } : {};
  return sendFault(new Fault(kindFor(request.dialect, status), { headers }), request.dialect, request, reply);
}

const cut = ({ raw }: FastifyRequest): void => void raw.socket.destroy();

/** Returns whether the call is over. */
async function inject(
  request: FastifyRequest,
  reply: FastifyReply,
  injection: Injection,
  deps: InjectDeps,
): Promise<boolean> {
  const { delayMs = 0, drop, status, expireToken } = injection;
  if (delayMs > 0) await sleep(delayMs);
  if (expireToken) {
    await deps.expire(request);
    const hasSession = (request.principal as Principal | undefined) !== undefined;
    refuse(hasSession ? request.dialect.faults.sessionExpired : gatewayFaults.invalid);
  }
  if (status !== undefined) answer(request, reply, injection);
  else if (drop === 'before') {
    deps.unanswered(request, reply);
    reply.hijack();
    cut(request);
  } else return false;
  return true;
}

/**
 * Whoever may set rules must not be able to fake that a key was deleted, that a log is empty, or that rules, clock or data
 * were restored.
 */
const OUT_OF_REACH = /\/operator\/v1\/(?:keys|audit|requests|faults|clock|reset|snapshots)(?:\/|$)/;

const isInjectable = ({ operator, routeOptions: { url = '' } }: FastifyRequest): boolean =>
  !operator?.isOwnProgram && !OUT_OF_REACH.test(url);

/**
 * Call it after the caller and the account are checked, and before the call is audited, so that its entry names the injection.
 * Without rules the cost per call is negligible.
 */
export function chooseFaults(scope: FastifyInstance, { rules, basePath }: InjectDeps): void {
  scope.addHook('preValidation', (request, _reply, done) => {
    if (!rules.isEmpty() && isInjectable(request))
      request.injected = rules.choose(factsOf(request, basePath));
    done();
  });
}

/** Call it after the call is audited. */
export function injectFaults(scope: FastifyInstance, deps: InjectDeps): void {
  scope.addHook('preValidation', (request, reply, done) => {
    const injection = request.injected as Injection | undefined;
    if (injection === undefined) return done();
    inject(request, reply, injection, deps).then((isOver) => void (isOver || done()), done);
  });
  scope.addHook('onSend', (request, _reply, _payload, done) => {
    if ((request.injected as Injection | undefined)?.drop === 'after') cut(request);
    done();
  });
}
