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
    /** Set if the console's cookie identifies the caller; then the principal is set too, and for operators the operator. */
    viewer: Viewer;
    /** On operator routes. */
    operator: Operator;
    /** The first part of the body as sent, if it was JSON; for a form, its fields. */
    bodyText: string | undefined;
    /** The reason for a refusal. */
    refused: Fault | undefined;
    /** A fault that was injected on purpose, in a sandbox. */
    injected: object | undefined;
  }
  interface FastifyContextConfig {
    access?: Access;
    /**
     * False on logins and logouts, which accept no cookie. Otherwise the scope that an operator's cookie needs; by default
     * `read` to read and `fleet` to change.
     */
    cookie?: false | OperatorScope;
    /** True on queries by POST or PATCH, which change nothing and take no Idempotency-Key. */
    query?: true;
    /** False on calls whose answer must not be kept, or that may run twice. True on console routes that take a key. */
    idempotencyKey?: boolean | 'afterwards';
    /**
     * On routes whose answer may be as old as the replica may be: they only read, and never decide whether somebody may do
     * or see something.
     */
    reads?: 'replica';
    /** True on routes that console pages call without a user action: such calls do not extend the session. */
    unattended?: true;
    /** False for repeated calls that reveal nothing about any person: they have no line in the audit log. */
    audited?: false;
    /**
     * False if the duration is not meaningful for callers: probes and scrapes are quick and many, and the 503 of a probe is not a
     * failed call; a stream lasts as long as a client watches.
     */
    timed?: false;
    /** False on routes that read the log of requests, which would otherwise fill it. */
    logged?: false;
  }
}

const SHAPE = /^[A-Za-z0-9_-]{1,64}$/;

/** A caller's own id is kept if it is harmless; it is passed on to logs, jobs and callback headers. */
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
