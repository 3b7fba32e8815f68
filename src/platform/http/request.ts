import 'fastify';
import type { IncomingMessage } from 'node:http';
import type { Chance } from '../chance/chance.ts';
import type { Ctx, Operator, Principal, Tenant, Viewer } from '../context/context.ts';
import type { Fault } from '../context/fault.ts';
import type { Access, OperatorScope } from './access.ts';
import type { Dialect } from './dialect.ts';

declare module 'fastify' {
  interface FastifyRequest {
    ctx: Ctx;
    /** Domain time. */
    calledAt: Date;
    dialect: Dialect;
    /** On routes that need a bearer token. */
    clientId: string;
    /** On routes that need a session. */
    principal: Principal;
    /** On routes that name an account. */
    tenant: Tenant;
    /** Where the console's cookie says who calls; then the principal is there too, and of operators the operator. */
    viewer: Viewer;
    /** On operator routes. */
    operator: Operator;
    /** The beginning of the body, as it was sent, where that was JSON; of a form its fields. */
    bodyText: string | undefined;
    /** Why it was refused, where it was. */
    refused: Fault | undefined;
    /** What was done to it on purpose, in a sandbox. */
    injected: object | undefined;
  }
  interface FastifyContextConfig {
    access?: Access;
    /** False on logins and what ends them: no cookie opens them. Else the scope that an operator's cookie needs here, if not `read` to read and `fleet` to change. */
    cookie?: false | OperatorScope;
    /** True on queries by POST or PATCH, which change nothing: they take no Idempotency-Key either. */
    query?: true;
    /** False on calls whose answer must not be kept, or that may be made twice. True on routes of the console that take one. */
    idempotencyKey?: boolean | 'afterwards';
    /**
     * On routes whose answer may be as old as the replica is allowed to be: they only read, and nothing that decides
     * whether somebody may do or see something.
     */
    reads?: 'replica';
    /** True on routes that pages of the console call by themselves, and cannot say so: calling them is no use of the session. */
    unattended?: true;
    /** False where a call says nothing about anybody, and is made again and again: it has no line in the audit log. */
    audited?: false;
    /**
     * False where the time says nothing about callers: probes and scrapes are quick and many, and a probe's 503 is no
     * failed call; a stream lasts as long as somebody watches.
     */
    timed?: false;
    /** False on routes that read the log of requests, which would else be full of them. */
    logged?: false;
    /** False on routes that never fail on purpose. */
    injectable?: false;
  }
}

const SHAPE = /^[A-Za-z0-9_-]{1,64}$/;

/** A caller's own id is kept when it is harmless; it travels into logs, jobs and callback headers. */
export function requestIdOf(
  { method, url, headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  chance: Chance,
): string {
  for (const name of ['x-request-id', 'x-correlator']) {
    const given = headers[name];
    if (typeof given === 'string' && SHAPE.test(given)) return given;
  }
  return chance.of(() => `request id ${method} ${url}`).newId();
}
