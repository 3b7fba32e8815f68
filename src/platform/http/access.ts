import type { FastifyContextConfig, FastifySchema } from 'fastify';
import type { Ctx, Operator, Tenant } from '../context/context.ts';
import type { FaultKind } from '../context/fault.ts';
import { changesNothing } from './own-pages.ts';

/** The rights that an operator key may have. */
export const OPERATOR_SCOPES = ['read', 'fleet', 'feed', 'callbacks', 'users', 'clock', 'admin'] as const;
export type OperatorScope = (typeof OPERATOR_SCOPES)[number];

/** Whether an account has to do with another one that its session names. Otherwise the session is a stranger to that one. */
export type KnowsAccount = (ctx: Ctx, tenant: Tenant, named: string) => Promise<boolean>;

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
      /** The interface allows leaving out the account if the session has only one. */
      readonly mayBeAbsent: boolean;
      /** If the session has several accounts, a device in the body may determine the account. */
      readonly orOfDevice: boolean;
      /** Either of two accounts may call: if the session may not use the first, the tenant is the other one that knows it. */
      readonly orField?: 'paccountName' | undefined;
      readonly knows?: KnowsAccount | undefined;
    }
  | { readonly kind: 'operator'; readonly scope: OperatorScope }
  /** Only for pages of the console: a signed-in caller, with any account or with the one in the path. */
  | { readonly kind: 'viewer'; readonly of: 'console' | 'account in params'; readonly scope: OperatorScope };

export const publicRoute: Access = { kind: 'public' };
export const withClientCredentials: Access = { kind: 'client-credentials' };
export const withBearer: Access = { kind: 'bearer' };
export const withSession: Access = { kind: 'session' };
export const operatorWith = (scope: OperatorScope): Access => ({ kind: 'operator', scope });

/** Any caller who is signed in to the console. */
export const signedIn: Access = { kind: 'viewer', of: 'console', scope: 'read' };
/** Users of the account in the path, and operators with this scope. */
export const viewerOfAccount = (scope: OperatorScope = 'read'): Access => ({
  kind: 'viewer',
  of: 'account in params',
  scope,
});
export const accountIn = (
  at: 'params' | 'body' | 'query',
  {
    field = 'accountName',
    mayBeAbsent = false,
    orOfDevice = false,
    orField,
    knows,
  }: {
    field?: 'accountName' | 'accountname';
    mayBeAbsent?: boolean;
    orOfDevice?: boolean;
    orField?: 'paccountName';
    knows?: KnowsAccount;
  } = {},
): Access => ({ kind: 'account', at, field, mayBeAbsent, orOfDevice, orField, knows });

/** The options of a route: who may call it, its input and output, and other facts about its calls. */
export const calledBy = <const S extends FastifySchema>(
  access: Access,
  schema: S,
  config: Omit<FastifyContextConfig, 'access'> = {},
) => ({ config: { ...config, access }, schema });

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

/** The scope that an operator needs here; on routes that are not for operators alone, with the cookie. */
export function scopeFor(method: string, config: FastifyContextConfig): OperatorScope {
  const { access, cookie } = config;
  if (access?.kind === 'operator' || access?.kind === 'viewer') return access.scope;
  return cookie || (changesNothing(method, config) ? 'read' : 'fleet');
}
