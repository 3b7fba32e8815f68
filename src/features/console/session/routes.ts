import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { refuse } from '../../../platform/context/fault.ts';
import { publicRoute, signedIn } from '../../../platform/http/access.ts';
import { CREDENTIALS_MAX_BYTES } from '../../../platform/http/json-body.ts';
import { limitRate, rateLimiter } from '../../../platform/http/rate-limit.ts';
import { type LockPolicy, NAMES_TRIED_MAX } from '../../sessions/index.ts';
import { consoleFaults } from '../errors.ts';
import { Done, OptionalText, SignInBody, WireAccounts, WireSession } from '../schemas.ts';
import { type CookieRules, clearCookie, setCookie } from './cookie.ts';
import type { ViewerDeps } from './find-viewer.ts';
import { signInOperator, signInUser, signOut } from './sign-in.ts';
import { listViewedAccounts } from './sql-accounts.ts';
import { accountsOf, nameOf } from './viewed-accounts.ts';

export interface SignInDeps extends ViewerDeps, CookieRules {
  readonly policy: LockPolicy & { readonly loginsPerMinute: number };
  readonly sandbox: boolean;
  readonly version: string;
  /** Told when a session ends, so that its live connections end with it. */
  readonly onSignOut: (sessionHash: string) => void;
}

const ACCOUNTS_PAGE = 50;

export const sessionRoutes =
  (deps: SignInDeps): FastifyPluginAsyncTypebox =>
  async (api) => {
    const { policy, findOperator, realNow } = deps;
    const limiter = rateLimiter(policy.loginsPerMinute);
    const limiterOfAddress = rateLimiter(NAMES_TRIED_MAX * policy.loginsPerMinute);
    const limitTries = (request: FastifyRequest, reply: FastifyReply, who: string) => {
      const perMinute = policy.loginsPerMinute;
      if (perMinute === 0) return;
      const { ip } = request;
      const ofAddress = { limiter: limiterOfAddress, perMinute: NAMES_TRIED_MAX * perMinute };
      limitRate({ request, reply }, { ...ofAddress, policy: 'login', key: ip });
      limitRate({ request, reply }, { limiter, perMinute, policy: 'login', key: `${who} ${ip}` });
    };

    api.post(
      '/sign-in',
      {
        bodyLimit: CREDENTIALS_MAX_BYTES,
        config: { access: publicRoute },
        schema: {
          operationId: 'consoleSignIn',
          summary:
            'Starts a session of the console, for a web-services user or an operator; the cookie holds it',
          body: SignInBody,
          response: { 200: Done },
        },
      },
      async (request, reply) => {
        const { ctx, body } = request;
        const { username, password, operatorKey } = body;
        let token: string;
        if (username !== undefined && password !== undefined) {
          limitTries(request, reply, `user ${username}`);
          token = await signInUser(ctx, { username, password }, policy, realNow());
        } else {
          if (operatorKey === undefined) return refuse(consoleFaults.credentialsMissing);
          limitTries(request, reply, 'operator');
          token = await signInOperator(ctx, operatorKey, findOperator, realNow());
        }
        setCookie(request, reply, deps, token);
        return { success: true };
      },
    );

    api.post(
      '/sign-out',
      {
        config: { access: signedIn },
        schema: { operationId: 'consoleSignOut', summary: 'Ends the session', response: { 200: Done } },
      },
      async (request, reply) => {
        await signOut(request.ctx, request.viewer.sessionHash);
        deps.onSignOut(request.viewer.sessionHash);
        clearCookie(request, reply, deps);
        return { success: true };
      },
    );

    api.get(
      '/session',
      {
        config: { access: signedIn },
        schema: {
          operationId: 'consoleReadSession',
          summary: 'Who is signed in',
          response: { 200: WireSession },
        },
      },
      async ({ ctx, viewer }) => {
        const among = accountsOf(viewer);
        const page = { among, search: undefined, after: '', limit: 1 };
        const home = among?.[0] ?? (await listViewedAccounts(ctx.db, page))[0]?.accountName;
        return {
          kind: viewer.kind,
          name: nameOf(viewer),
          scopes: viewer.kind === 'operator' ? [...viewer.operator.scopes] : [],
          homeAccount: home ?? null,
          sandbox: deps.sandbox,
          version: deps.version,
          now: ctx.now(),
        };
      },
    );

    api.get(
      '/accounts',
      {
        config: { access: signedIn },
        schema: {
          operationId: 'consoleListAccounts',
          summary: 'Accounts that the viewer may look at, by name',
          querystring: Type.Object({ search: OptionalText, page: OptionalText }),
          response: { 200: WireAccounts },
        },
      },
      async ({ ctx, viewer, query: { search, page = '' } }) => {
        const asked = { among: accountsOf(viewer), search, after: page, limit: ACCOUNTS_PAGE };
        const accounts = await listViewedAccounts(ctx.db, asked);
        const last = accounts.at(-1);
        return { accounts, ...(accounts.length === ACCOUNTS_PAGE && last && { next: last.accountName }) };
      },
    );
  };
