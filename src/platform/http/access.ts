import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type AccountName, isAccountName } from '../../kernel/account-name.ts';
import type { Ctx, Operator, Principal } from '../context.ts';
import { type FaultKind, refuse } from '../fault.ts';

/** What an operator key may be allowed to do. */
export const OPERATOR_SCOPES = ['read', 'fleet', 'feed', 'callbacks', 'users', 'clock', 'admin'] as const;
export type OperatorScope = (typeof OPERATOR_SCOPES)[number];

/** Who may call a route. Every route declares one; test/audit/routes.test.ts lists them all. */
export type Access =
  | { readonly kind: 'public' }
  | { readonly kind: 'client-credentials' }
  | { readonly kind: 'bearer' }
  | { readonly kind: 'session' }
  | {
      readonly kind: 'account';
      readonly at: 'params' | 'body' | 'query';
      readonly field: 'accountName' | 'accountname';
      /** Where the interface allows leaving the account out when the session has only one. */
      readonly mayBeAbsent: boolean;
    }
  | { readonly kind: 'operator'; readonly scope: OperatorScope };

export const publicRoute: Access = { kind: 'public' };
export const withClientCredentials: Access = { kind: 'client-credentials' };
export const withBearer: Access = { kind: 'bearer' };
export const withSession: Access = { kind: 'session' };
export const operatorWith = (scope: OperatorScope): Access => ({ kind: 'operator', scope });

export const accountIn = (
  at: 'params' | 'body' | 'query',
  {
    field = 'accountName',
    mayBeAbsent = false,
  }: { field?: 'accountName' | 'accountname'; mayBeAbsent?: boolean } = {},
): Access => ({ kind: 'account', at, field, mayBeAbsent });

export const scopeMissing: FaultKind = {
  status: 403,
  code: 'scope_missing',
  message: 'The operator key does not have the scope for this call',
};

/** How a caller proves who it is; the features that own tokens and keys fulfil it. */
export interface Authentication {
  readonly client: (request: FastifyRequest) => string | Promise<string>;
  readonly user: (request: FastifyRequest) => Principal | Promise<Principal>;
  readonly operator: (request: FastifyRequest) => Promise<Operator>;
  readonly accountExists: (ctx: Ctx, accountName: AccountName) => Promise<boolean>;
}

async function authenticate(request: FastifyRequest, who: Authentication): Promise<void> {
  const access = request.routeOptions.config.access;
  switch (access?.kind) {
    case 'public':
    case 'client-credentials':
      return;
    case 'operator':
      request.operator = await who.operator(request);
      return;
    case 'bearer':
      request.clientId = await who.client(request);
      return;
    case 'session':
    case 'account':
      request.clientId = await who.client(request);
      request.principal = await who.user(request);
      return;
    default:
      throw new Error(`route without access rule: ${request.routeOptions.url}`);
  }
}

/** The account the request names, or the session's only one. Undefined when validation is going to refuse it. */
function namedAccount(request: FastifyRequest, access: Access & { kind: 'account' }): string | undefined {
  const place = request[access.at] as Record<string, unknown> | undefined;
  const given = place?.[access.field];
  if (given !== undefined && given !== null) return typeof given === 'string' ? given : undefined;
  if (!access.mayBeAbsent) return undefined;
  const [only, ...others] = request.principal.accounts.keys();
  if (only === undefined || others.length > 0) refuse(request.dialect.faults.multipleAccounts);
  return only;
}

/** Runs before the body is validated: a stranger learns nothing about what a valid body would do. */
async function checkAccount(request: FastifyRequest, who: Authentication): Promise<void> {
  const access = request.routeOptions.config.access;
  if (access?.kind !== 'account') return;
  const name = namedAccount(request, access);
  if (name === undefined) return;
  const ecpdId = isAccountName(name) ? request.principal.accounts.get(name) : undefined;
  if (isAccountName(name) && ecpdId !== undefined) {
    request.tenant = { ecpdId, accountName: name };
    return;
  }
  const { faults } = request.dialect;
  if (isAccountName(name) && (await who.accountExists(request.ctx, name))) {
    refuse(faults.denied, { log: { accountName: name, username: request.principal.username } });
  }
  refuse(access.at === 'params' ? faults.accountUnknownInPath : faults.accountUnknownInBody);
}

/** After validation, and after the call was written to the audit log: a key's refused attempts are there too. */
async function requireAccess(request: FastifyRequest): Promise<void> {
  const access = request.routeOptions.config.access;
  if (access?.kind === 'account' && request.tenant === undefined)
    refuse(request.dialect.faults.accountMissing);
  if (access?.kind !== 'operator') return;
  const { scopes } = request.operator;
  if (!scopes.has(access.scope) && !scopes.has('admin'))
    refuse(scopeMissing, { reason: `${access.scope} is needed` });
}

export function guard(app: FastifyInstance, who: Authentication): void {
  app.addHook('onRequest', (request) => authenticate(request, who));
  app.addHook('preValidation', (request) => checkAccount(request, who));
  app.addHook('preHandler', requireAccess);
}
