import 'fastify';
import type { Ctx, Principal, Tenant } from '../context.ts';
import type { Access } from './access.ts';
import type { Dialect } from './dialect.ts';

/** Who calls the operator API: the name of the key, and what it may do. */
export interface Operator {
  readonly keyName: string;
  readonly scopes: ReadonlySet<string>;
}

declare module 'fastify' {
  interface FastifyRequest {
    ctx: Ctx;
    dialect: Dialect;
    /** On routes that need a bearer token. */
    clientId: string;
    /** On routes that need a session. */
    principal: Principal;
    /** On routes that name an account. */
    tenant: Tenant;
    /** On operator routes. */
    operator: Operator;
  }
  interface FastifyContextConfig {
    access?: Access;
    /** False on calls that change nothing, or whose answer must not be kept. */
    idempotencyKey?: false;
    /** True on the stand-ins that answer 405. */
    methodNotAllowed?: true;
  }
}
