import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type AccountName, isAccountName } from '../../kernel/account-name.ts';
import { asWorkOfMove } from '../clock/clock.ts';
import type { Ctx, Operator, Principal, Tenant, Viewer } from '../context/context.ts';
import { type FaultKind, refuse } from '../context/fault.ts';

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
      /** Where a device that the body names says which account is meant, when the session has several. */
      readonly orOfDevice: boolean;
      /** Where either of two accounts may call: the tenant is the other one if the session may not use the first. */
      readonly orField?: 'paccountName' | undefined;
    }
  | { readonly kind: 'operator'; readonly scope: OperatorScope }
  | {
      /** The console's own session: of a user, or of an operator whose key has the scope. */
      readonly kind: 'viewer';
      readonly of: 'console' | 'account in params' | 'operator';
      readonly scope: OperatorScope;
    };

export const publicRoute: Access = { kind: 'public' };
export const withClientCredentials: Access = { kind: 'client-credentials' };
export const withBearer: Access = { kind: 'bearer' };
export const withSession: Access = { kind: 'session' };
export const operatorWith = (scope: OperatorScope): Access => ({ kind: 'operator', scope });

/** Whoever is signed in to the console. */
export const signedIn: Access = { kind: 'viewer', of: 'console', scope: 'read' };
/** Users of the account in the path, and operators; `scope` is what these need. */
export const viewerOfAccount = (scope: OperatorScope = 'read'): Access => ({
  kind: 'viewer',
  of: 'account in params',
  scope,
});
/** Operators only. */
export const viewerAsOperator = (scope: OperatorScope): Access => ({ kind: 'viewer', of: 'operator', scope });

export const accountIn = (
  at: 'params' | 'body' | 'query',
  {
    field = 'accountName',
    mayBeAbsent = false,
    orOfDevice = false,
    orField,
  }: {
    field?: 'accountName' | 'accountname';
    mayBeAbsent?: boolean;
    orOfDevice?: boolean;
    orField?: 'paccountName';
  } = {},
): Access => ({ kind: 'account', at, field, mayBeAbsent, orOfDevice, orField });

export const scopeMissing: FaultKind = {
  status: 403,
  code: 'scope_missing',
  message: 'The operator key does not have the scope for this call',
};

export const operatorsOnly: FaultKind = {
  status: 403,
  code: 'operators_only',
  message: 'Only operators may do this',
};

export const hasScope = ({ scopes }: Operator, scope: OperatorScope): boolean =>
  scopes.has(scope) || scopes.has('admin');

/** How a caller proves who it is; the features that own tokens and keys fulfil it. */
export interface Authentication {
  readonly client: (request: FastifyRequest) => string | Promise<string>;
  readonly user: (request: FastifyRequest) => Principal | Promise<Principal>;
  readonly operator: (request: FastifyRequest) => Promise<Operator>;
  readonly viewer: (request: FastifyRequest) => Promise<Viewer>;
  readonly findTenant: (ctx: Ctx, accountName: AccountName) => Promise<Tenant | undefined>;
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
    case 'viewer':
      request.viewer = await who.viewer(request);
      if (request.viewer.kind === 'user') request.principal = request.viewer.principal;
      else request.operator = request.viewer.operator;
      return;
    default:
      throw new Error(`route without access rule: ${request.routeOptions.url}`);
  }
}

/** Published documents write the name of the query in more than one letter case; validation knows only ours. */
function spellQuery(query: Record<string, unknown>, field: string): void {
  if (field in query) return;
  const given = Object.keys(query).find((name) => name.toLowerCase() === field.toLowerCase());
  if (given === undefined) return;
  query[field] = query[given];
  delete query[given];
}

/** The account the request names, or the session's only one. Undefined when validation is going to refuse it. */
function namedAccount(request: FastifyRequest, access: Access & { kind: 'account' }): string | undefined {
  const place = request[access.at] as Record<string, unknown> | undefined;
  if (access.at === 'query' && place !== undefined) spellQuery(place, access.field);
  const given = place?.[access.field];
  if (given !== undefined && given !== null) return typeof given === 'string' ? given : undefined;
  if (!access.mayBeAbsent) return undefined;
  const [only, ...others] = request.principal.accounts.keys();
  if (only !== undefined && others.length === 0) return only;
  if (namesDevice(request)) return undefined;
  return refuse(request.dialect.faults.multipleAccounts);
}

/** The route then finds the account by the device, and only among those of the session. */
function namesDevice({ routeOptions, body }: FastifyRequest): boolean {
  const { access } = routeOptions.config;
  const { deviceId } = (body ?? {}) as { deviceId?: unknown };
  return access?.kind === 'account' && access.orOfDevice && deviceId !== undefined && deviceId !== null;
}

/** Operators see every account; a user's are in the session. */
async function checkViewedAccount(request: FastifyRequest, who: Authentication): Promise<void> {
  const { ctx, viewer, dialect } = request;
  const { accountName } = request.params as { accountName: string };
  if (!isAccountName(accountName)) refuse(dialect.faults.accountUnknownInPath);
  const ecpdId = viewer.kind === 'user' ? viewer.principal.accounts.get(accountName) : undefined;
  const found = ecpdId === undefined ? await who.findTenant(ctx, accountName) : { ecpdId, accountName };
  if (found === undefined) return refuse(dialect.faults.accountUnknownInPath);
  if (ecpdId === undefined && viewer.kind === 'user') {
    const { username } = viewer.principal;
    refuse(dialect.faults.denied, { log: { accountName, username } });
  }
  request.tenant = { ecpdId: found.ecpdId, accountName };
}

function allowedTenant({ principal }: FastifyRequest, accountName: unknown): Tenant | undefined {
  const ecpdId = isAccountName(accountName) ? principal.accounts.get(accountName) : undefined;
  return isAccountName(accountName) && ecpdId !== undefined ? { ecpdId, accountName } : undefined;
}

/** Runs before the body is validated: a stranger learns nothing about what a valid body would do. */
async function checkAccount(request: FastifyRequest, who: Authentication): Promise<void> {
  const access = request.routeOptions.config.access;
  if (access?.kind === 'viewer') {
    if (access.of === 'account in params') await checkViewedAccount(request, who);
    if (access.of === 'operator' && request.viewer.kind === 'user') refuse(operatorsOnly);
    return;
  }
  if (access?.kind !== 'account') return;
  const name = namedAccount(request, access);
  if (name === undefined) return;
  const place = request[access.at] as Record<string, unknown>;
  const other = access.orField !== undefined && isAccountName(name) ? place[access.orField] : undefined;
  const allowed = allowedTenant(request, name) ?? allowedTenant(request, other);
  if (allowed !== undefined) {
    request.tenant = allowed;
    return;
  }
  const { faults } = request.dialect;
  if (isAccountName(name) && (await who.findTenant(request.ctx, name)) !== undefined) {
    refuse(faults.denied, { log: { accountName: name, username: request.principal.username } });
  }
  refuse(access.at === 'params' ? faults.accountUnknownInPath : faults.accountUnknownInBody);
}

/** After validation, and after the call was written to the audit log: a key's refused attempts are there too. */
async function requireAccess(request: FastifyRequest): Promise<void> {
  const access = request.routeOptions.config.access;
  if (access?.kind === 'account' && request.tenant === undefined && !namesDevice(request))
    refuse(request.dialect.faults.accountMissing);
  if (access?.kind === 'viewer' && request.viewer.kind === 'user') return;
  if (access?.kind !== 'operator' && access?.kind !== 'viewer') return;
  if (!hasScope(request.operator, access.scope))
    refuse(scopeMissing, { reason: `${access.scope} is needed` });
}

/** From here on changes are written down in the caller's name. */
function nameActor(request: FastifyRequest): void {
  const { operator, principal, ctx } = request;
  if (operator !== undefined)
    request.ctx = {
      ...ctx,
      actor: { kind: 'operator', name: operator.keyName },
      // A program of ours calls because a step of the clock has told it to.
      ...(operator.isOwnProgram && { clock: asWorkOfMove(ctx.clock) }),
    };
  else if (principal !== undefined)
    request.ctx = { ...request.ctx, actor: { kind: 'user', name: principal.username } };
}

export function guard(app: FastifyInstance, who: Authentication): void {
  app.addHook('onRequest', async (request) => {
    await authenticate(request, who);
    nameActor(request);
  });
  app.addHook('preValidation', (request) => checkAccount(request, who));
  app.addHook('preHandler', requireAccess);
}
