import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { refuse } from '../../platform/fault.ts';
import { withBearer, withClientCredentials, withSession } from '../../platform/http/access.ts';
import { gatewayFaults } from '../../platform/http/faults.ts';
import { parseEveryBodyAsForm } from '../../platform/http/json-body.ts';
import { limitRate, rateLimiter } from '../../platform/http/rate-limit.ts';
import { resetOwnPassword } from './change-password.ts';
import { oauthFaults } from './errors.ts';
import { type ClientCredentials, checkClient, issueToken, revokeToken } from './issue-token.ts';
import { type LockPolicy, logIn, logOut } from './log-in.ts';
import { LoginBody, ResetAnswer, ResetBody, SessionAnswer, TokenAnswer, TokenForm } from './schemas.ts';

export interface SessionPolicy extends LockPolicy {
  /** Logins a minute per user and address, and token requests a minute per client and address; 0 is no limit. */
  readonly loginsPerMinute: number;
  readonly sessionHeader: string;
  /** Resolves when this process has heard its own change: whoever ends a token can rely on it at once. */
  readonly heardChanges: () => Promise<void>;
}

function basicCredentials({ headers }: FastifyRequest): ClientCredentials {
  if (headers.authorization === undefined) return refuse(gatewayFaults.missing);
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(headers.authorization)?.[1];
  if (encoded === undefined) return refuse(gatewayFaults.missing);
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) return refuse(oauthFaults.invalidClient);
  return { clientId: text.slice(0, colon), clientSecret: text.slice(colon + 1) };
}

/** Mounted at /ts/v1/oauth2: the only routes that take forms. */
export const tokenRoutes =
  ({ loginsPerMinute, heardChanges }: SessionPolicy): FastifyPluginAsyncTypebox =>
  async (api) => {
    parseEveryBodyAsForm(api);
    const limiter = rateLimiter(loginsPerMinute);

    const checkCaller = async (request: FastifyRequest): Promise<string> => {
      const credentials = basicCredentials(request);
      try {
        await checkClient(request.ctx, credentials);
      } catch (error) {
        // Only failures count: applications ask for their token as often as they like.
        const key = `${credentials.clientId} ${request.ip}`;
        if (loginsPerMinute > 0 && !limiter.take(key, Date.now()).allowed)
          refuse(oauthFaults.tooMany, { headers: { 'retry-after': '60' } });
        throw error;
      }
      return credentials.clientId;
    };

    api.post(
      '/token',
      {
        config: { access: withClientCredentials },
        schema: {
          operationId: 'issueToken',
          summary: 'A bearer token for an application, by its client credentials',
          consumes: ['application/x-www-form-urlencoded'],
          body: TokenForm,
          response: { 200: TokenAnswer },
        },
      },
      async (request, reply) => {
        const clientId = await checkCaller(request);
        const grant = request.body?.grant_type;
        if (grant === undefined) refuse(oauthFaults.invalidRequest);
        if (grant !== 'client_credentials') refuse(oauthFaults.unsupportedGrant);
        const { accessToken, expiresInSeconds } = await issueToken(request.ctx, clientId);
        reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });
        return {
          access_token: accessToken,
          token_type: 'Bearer',
          expires_in: expiresInSeconds,
          scope: 'default',
        };
      },
    );

    api.post(
      '/revoke',
      {
        config: { access: withClientCredentials },
        schema: {
          operationId: 'revokeToken',
          summary: 'Ends a bearer token; its next request gets a new one',
          consumes: ['application/x-www-form-urlencoded'],
          body: TokenForm,
          response: { 200: Type.Null() },
        },
      },
      async (request, reply) => {
        const clientId = await checkCaller(request);
        const token = request.body?.token ?? refuse(oauthFaults.missingToken);
        await revokeToken(request.ctx, clientId, token);
        await heardChanges();
        reply.header('revokedaccesstoken', token);
        return null;
      },
    );
  };

/** Mounted at /m2m/v1. */
export const sessionRoutes =
  (policy: SessionPolicy): FastifyPluginAsyncTypebox =>
  async (api) => {
    const { loginsPerMinute } = policy;
    const limiter = rateLimiter(loginsPerMinute);
    const header = policy.sessionHeader.toLowerCase();

    api.post(
      '/session/login',
      {
        config: { access: withBearer },
        schema: {
          operationId: 'logIn',
          summary: 'A session for a web-services user; 20 minutes after its last use it expires',
          body: LoginBody,
          response: { 200: SessionAnswer },
        },
      },
      async (request, reply) => {
        const { ctx, body, clientId, ip } = request;
        if (loginsPerMinute > 0) {
          const key = `${body.username} ${ip}`;
          limitRate({ request, reply }, { limiter, perMinute: loginsPerMinute, policy: 'login', key });
        }
        reply.header('cache-control', 'no-store');
        return { sessionToken: await logIn(ctx, { ...body, clientId }, policy) };
      },
    );

    api.post(
      '/session/logout',
      {
        config: { access: withSession, idempotencyKey: false },
        schema: { operationId: 'logOut', summary: 'Ends the session', response: { 200: SessionAnswer } },
      },
      async ({ ctx, principal, headers }) => {
        await logOut(ctx, principal.sessionHash);
        await policy.heardChanges();
        return { sessionToken: String(headers[header]) };
      },
    );

    api.put(
      '/session/password/actions/reset',
      {
        config: { access: withSession, idempotencyKey: false },
        schema: {
          operationId: 'resetPassword',
          summary: "Replaces the user's password by a new one that the service makes up; other sessions end",
          body: ResetBody,
          response: { 200: ResetAnswer },
        },
      },
      async ({ ctx, principal, body }, reply) => {
        reply.header('cache-control', 'no-store');
        const newPassword = await resetOwnPassword(ctx, principal, body.oldPassword);
        await policy.heardChanges();
        return { newPassword };
      },
    );
  };
