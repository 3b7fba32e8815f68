import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AccountName, type EcpdId, isAccountName } from '../../kernel/account-name.ts';
import { asWorkOfMove } from '../clock/clock.ts';
import type { Ctx, Operator, Principal, Tenant, Viewer } from '../context/context.ts';
import { type FaultKind, refuse } from '../context/fault.ts';
import { Unreachable } from '../db/failures.ts';
import { type Access, accountIn, hasScope, operatorsOnly, scopeFor, scopeMissing } from './access.ts';
import { NO_STORE_HEADERS, refuseForged } from './own-pages.ts';

/** How a caller is identified; implemented by the features that own tokens and keys. */
export interface Authentication {
  readonly client: (request: FastifyRequest) => string | Promise<string>;
  readonly user: (request: FastifyRequest) => Principal | Promise<Principal>;
  readonly operator: (request: FastifyRequest) => Promise<Operator>;
  /** Whether the console's cookie counts. False if a token or key is sent with it, because then only these count. */
  readonly hasCookie: (request: FastifyRequest) => boolean;
  readonly viewer: (request: FastifyRequest) => Promise<Viewer>;
  /** Whether the database server with the rows of a customer answers. */
  readonly isReachable: (ctx: Ctx, ecpdId: EcpdId) => boolean;
  readonly findTenant: (ctx: Ctx, accountName: AccountName) => Promise<Tenant | undefined>;
  readonly listAccountsOf: (ctx: Ctx, ecpdId: EcpdId) => Promise<readonly AccountName[]>;
}

/** The header in which an operator with a cookie names the account, on routes that do not name one. */
const ACCOUNT_HEADER = 'x-account-name';

const takesCookie = ({ access, cookie }: FastifyContextConfig): boolean =>
  cookie !== false &&
  (access?.kind === 'session' || access?.kind === 'account' || access?.kind === 'operator');

/** An operator acts as a user of all accounts of one profile, which are known once the account is known. */
const actingAs = ({ operator, sessionHash }: Viewer & { kind: 'operator' }): Principal => ({
  username: `operator ${operator.keyName}`,
  sessionHash,
  accounts: new Map(),
});

async function authenticateByCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  who: Authentication,
): Promise<void> {
  reply.headers(NO_STORE_HEADERS);
  refuseForged(request);
  const viewer = await who.viewer(request);
  request.viewer = viewer;
  if (viewer.kind === 'operator') {
    request.operator = viewer.operator;
    request.principal = actingAs(viewer);
  } else {
    if (request.routeOptions.config.access?.kind === 'operator') refuse(operatorsOnly);
    request.principal = viewer.principal;
  }
}

/** Avoids a promise if the value is already known, which is usual. */
const whenKnown = <T>(
  value: T | Promise<T>,
  next: (value: T) => void | Promise<void>,
): void | Promise<void> => (value instanceof Promise ? value.then(next) : next(value));

function authenticate(
  request: FastifyRequest,
  reply: FastifyReply,
  who: Authentication,
): void | Promise<void> {
  const noteClient = (clientId: string) => {
    request.clientId = clientId;
  };
  const { config } = request.routeOptions;
  if (config.access?.kind === 'viewer' || (takesCookie(config) && who.hasCookie(request)))
    return authenticateByCookie(request, reply, who);
  switch (config.access?.kind) {
    case 'public':
    case 'client-credentials':
      return;
    case 'operator':
      return whenKnown(who.operator(request), (operator) => {
        request.operator = operator;
      });
    case 'bearer':
      return whenKnown(who.client(request), noteClient);
    case 'session':
    case 'account':
      return whenKnown(who.client(request), (clientId) => {
        noteClient(clientId);
        return whenKnown(who.user(request), (principal) => {
          request.principal = principal;
        });
      });
    default:
      throw new Error(`route without access rule: ${request.routeOptions.url}`);
  }
}

/** Published documents write the query parameter in different letter case; validation knows only ours. */
function spellQuery(query: Record<string, unknown>, field: string): void {
  if (field in query) return;
  const given = Object.keys(query).find((name) => name.toLowerCase() === field.toLowerCase());
  if (given === undefined) return;
  query[field] = query[given];
  delete query[given];
}

/** The account in the request, or the session's only one. Undefined if validation will refuse the request. */
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

/** The route then finds the account by the device, among the accounts of the session only. */
function namesDevice({ routeOptions, body }: FastifyRequest): boolean {
  const { access } = routeOptions.config;
  const { deviceId } = (body ?? {}) as { deviceId?: unknown };
  return access?.kind === 'account' && access.orOfDevice && deviceId !== undefined && deviceId !== null;
}

function allowedTenant({ principal }: FastifyRequest, accountName: unknown): Tenant | undefined {
  const ecpdId = isAccountName(accountName) ? principal.accounts.get(accountName) : undefined;
  return isAccountName(accountName) && ecpdId !== undefined ? { ecpdId, accountName } : undefined;
}

/** The named account comes first, because it acts as the home account. */
async function actForProfileOf(request: FastifyRequest, tenant: Tenant, who: Authentication): Promise<void> {
  const { ecpdId, accountName } = tenant;
  const others = await who.listAccountsOf(request.ctx, ecpdId);
  const accounts = new Map([accountName, ...others].map((name) => [name, ecpdId]));
  request.principal = { ...request.principal, accounts };
}

type AccountAccess = Access & { kind: 'account' };
const IN_PARAMS = accountIn('params') as AccountAccess;

function accessToAccount({ routeOptions: { config } }: FastifyRequest): AccountAccess | undefined {
  if (config.access?.kind === 'account') return config.access;
  return config.access?.kind === 'viewer' && config.access.of === 'account in params' ? IN_PARAMS : undefined;
}

/** Signed-in operators may name any account. */
async function checkAccountOfOperator(request: FastifyRequest, who: Authentication): Promise<void> {
  const { ctx, routeOptions, dialect, headers } = request;
  const access = accessToAccount(request);
  if (access === undefined && routeOptions.config.access?.kind !== 'session') return;
  const name = access === undefined ? headers[ACCOUNT_HEADER] : namedAccount(request, access);
  if (name === undefined)
    return access === undefined
      ? refuse(dialect.faults.accountMissing, { cause: ACCOUNT_HEADER })
      : undefined;
  const found = isAccountName(name) ? await who.findTenant(ctx, name) : undefined;
  if (found === undefined) return refuse(unknownAccount(request, access));
  const tenant = { ecpdId: found.ecpdId, accountName: found.accountName };
  if (routeOptions.config.access?.kind !== 'viewer') await actForProfileOf(request, tenant, who);
  if (access !== undefined) request.tenant = tenant;
}

const unknownAccount = (
  { dialect: { faults } }: FastifyRequest,
  access: AccountAccess | undefined,
): FaultKind =>
  access?.at === 'body' || access?.at === 'query' ? faults.accountUnknownInBody : faults.accountUnknownInPath;

/** Runs before the body is validated, so that an unauthorised caller learns nothing about valid bodies. */
function checkAccount(request: FastifyRequest, who: Authentication): void | Promise<void> {
  if (request.viewer?.kind === 'operator') return checkAccountOfOperator(request, who);
  const access = accessToAccount(request);
  if (access === undefined) return;
  const name = namedAccount(request, access);
  if (name === undefined) return;
  const allowed = allowedTenant(request, name);
  if (allowed === undefined) return checkOtherAccount(request, access, name, who);
  request.tenant = allowed;
}

async function checkOtherAccount(
  request: FastifyRequest,
  access: AccountAccess,
  name: string,
  who: Authentication,
): Promise<void> {
  const { orField, knows } = access;
  const place = request[access.at] as Record<string, unknown>;
  const other = orField === undefined ? undefined : allowedTenant(request, place[orField]);
  if (other === undefined || !isAccountName(name) || !(await knows?.(request.ctx, other, name)))
    return refuseAccount(request, access, name, who);
  request.tenant = other;
}

async function refuseAccount(
  request: FastifyRequest,
  access: AccountAccess,
  name: string,
  who: Authentication,
): Promise<void> {
  if (isAccountName(name) && (await who.findTenant(request.ctx, name)) !== undefined)
    refuse(request.dialect.faults.denied, {
      log: { accountName: name, username: request.principal.username },
    });
  refuse(unknownAccount(request, access));
}

/** Runs after validation, and after the call is in the audit log, so that refused attempts of a key are there too. */
function requireAccess(request: FastifyRequest, who: Authentication): void {
  const { routeOptions, operator, tenant, method, dialect, ctx } = request;
  // Refused at once: a wait would take a connection from all other callers.
  if (tenant !== undefined && !who.isReachable(ctx, tenant.ecpdId)) throw new Unreachable();
  if (routeOptions.config.access?.kind === 'account' && tenant === undefined && !namesDevice(request))
    refuse(dialect.faults.accountMissing);
  if (operator === undefined) return;
  const scope = scopeFor(method, routeOptions.config);
  if (!hasScope(operator, scope)) refuse(scopeMissing, { reason: `${scope} is needed` });
}

/** Changes are recorded in the caller's name from here on. */
function nameActor(request: FastifyRequest): void {
  const { operator, principal, ctx } = request;
  if (operator !== undefined)
    request.ctx = {
      ...ctx,
      actor: { kind: 'operator', name: operator.keyName },
      // One of our own programs calls because of a step of the clock.
      ...(operator.isOwnProgram && { clock: asWorkOfMove(ctx.clock) }),
    };
  else if (principal !== undefined)
    request.ctx = { ...request.ctx, actor: { kind: 'user', name: principal.username } };
}

export function guard(app: FastifyInstance, who: Authentication): void {
  app.addHook('onRequest', (request, reply, done) => {
    const known = authenticate(request, reply, who);
    if (known !== undefined) return known.then(() => nameActor(request));
    nameActor(request);
    return void done();
  });
  app.addHook('preValidation', (request, _reply, done) => checkAccount(request, who) ?? void done());
  app.addHook('preHandler', (request, _reply, done) => {
    requireAccess(request, who);
    done();
  });
}
