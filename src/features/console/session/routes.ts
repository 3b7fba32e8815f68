import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { refuse } from '../../../platform/context/fault.ts';
import { calledBy, publicRoute, signedIn } from '../../../platform/http/access.ts';
import { CREDENTIALS_MAX_BYTES } from '../../../platform/http/json-body.ts';
import { NO_STORE_HEADERS, refuseForged } from '../../../platform/http/own-pages.ts';
import { limitRate } from '../../../platform/http/rate-limit.ts';
import { type LockPolicy, loginLimiter, NAMES_TRIED_MAX } from '../../sessions/index.ts';
import { consoleFaults } from '../errors.ts';
import { Done, TextOrNull, Timestamp } from '../schemas.ts';
import { type CookieRules, clearCookie, setCookie } from './cookie.ts';
import type { ViewerDeps } from './find-viewer.ts';
import { signInOperator, signInUser } from './sign-in.ts';
import { deleteSession } from './sql-session.ts';
import { accountsOf, listViewedAccounts, nameOf } from './viewed-accounts.ts';

export interface SignInDeps extends ViewerDeps, CookieRules {
  readonly policy: LockPolicy & { readonly loginsPerMinute: number };
  readonly sandbox: boolean;
  readonly version: string;
  /** Whether domain time is frozen. */
  readonly isFrozen: () => boolean;
  /** A change of more lines than these asks the user to type their number. */
  readonly confirmLines: number;
  /** Called at the end of a session, to close its live connections. */
  readonly onSignOut: (sessionHash: string) => void;
}

const SignInBody = Type.Object({
  username: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  password: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  operatorKey: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
});

const WireSession = Type.Object({
  kind: Type.Enum(['user', 'operator']),
  name: Type.String(),
  scopes: Type.Array(Type.String(), { description: 'Scopes of the operator key; empty for users' }),
  homeAccount: TextOrNull,
  sandbox: Type.Boolean({ description: 'Whether the clock can be moved' }),
  frozen: Type.Boolean({ description: 'Whether the clock is frozen between moves' }),
  version: Type.String(),
  confirmLines: Type.Integer({
    description: 'Irreversible changes of more lines than these ask the user to type their number',
  }),
  now: Timestamp,
});

function triesLimiter(perMinute: number) {
  const ofName = loginLimiter(perMinute);
  const ofAddress = loginLimiter(NAMES_TRIED_MAX * perMinute);
  return async (request: FastifyRequest, reply: FastifyReply, who: string) => {
    if (perMinute === 0) return;
    const { ip, ctx } = request;
    for (const [limiter, key] of [
      [ofAddress, `console ${ip}`],
      [ofName, `console ${ip} ${who}`],
    ] as const)
      limitRate({ request, reply }, await limiter.take(ctx.db, key), {
        perMinute: limiter.perMinute,
        policy: 'login',
      });
  };
}

export const sessionRoutes =
  (deps: SignInDeps): FastifyPluginAsyncTypebox =>
  async (api) => {
    const { policy, findOperator, realNow } = deps;
    const limitTries = triesLimiter(policy.loginsPerMinute);

    api.post(
      '/sign-in',
      {
        bodyLimit: CREDENTIALS_MAX_BYTES,
        config: { access: publicRoute },
        // There is no cookie yet, but another site's form must not sign a user in either.
        onRequest: async (request, reply) => {
          reply.headers(NO_STORE_HEADERS);
          refuseForged(request);
        },
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
          await limitTries(request, reply, `user ${username}`);
          token = await signInUser(ctx, { username, password }, policy, realNow());
        } else {
          if (operatorKey === undefined) return refuse(consoleFaults.credentialsMissing);
          await limitTries(request, reply, 'operator');
          token = await signInOperator(ctx, operatorKey, findOperator, realNow());
        }
        setCookie(request, reply, deps, token);
        return { success: true };
      },
    );

    api.post(
      '/sign-out',
      calledBy(signedIn, {
        operationId: 'consoleSignOut',
        summary: 'Ends the session',
        response: { 200: Done },
      }),
      async (request, reply) => {
        const { ctx, viewer } = request;
        await deleteSession(ctx.db, viewer.sessionHash);
        deps.onSignOut(viewer.sessionHash);
        clearCookie(request, reply, deps);
        return { success: true };
      },
    );

    api.get(
      '/session',
      calledBy(signedIn, {
        operationId: 'consoleReadSession',
        summary: 'Who is signed in',
        response: { 200: WireSession },
      }),
      async ({ ctx, viewer }) => {
        const own = accountsOf(viewer);
        const home = own?.[0] ?? (await listViewedAccounts(ctx.db, own, { limit: 1 }))[0]?.accountName;
        return {
          kind: viewer.kind,
          name: nameOf(viewer),
          scopes: viewer.kind === 'operator' ? [...viewer.operator.scopes] : [],
          homeAccount: home ?? null,
          sandbox: deps.sandbox,
          frozen: deps.isFrozen(),
          version: deps.version,
          confirmLines: deps.confirmLines,
          now: ctx.now(),
        };
      },
    );
  };
