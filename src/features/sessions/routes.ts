import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { refuse } from '../../platform/context/fault.ts';
import { calledBy, withClientCredentials } from '../../platform/http/access.ts';
import { gatewayFaults } from '../../platform/http/faults.ts';
import { parseEveryBodyAsForm } from '../../platform/http/json-body.ts';
import type { Allowance } from '../../platform/http/rate-limit.ts';
import { oauthFaults } from './errors.ts';
import {
  type ClientCredentials,
  issueToken,
  type ProvenClient,
  proveClient,
  revokeToken,
} from './issue-token.ts';
import { NAMES_TRIED_MAX } from './limits.ts';
import { loginLimiter } from './login-allowance.ts';
import type { SessionPolicy } from './routes-session.ts';
import { TokenAnswer, TokenForm } from './schemas.ts';

export { type SessionPolicy, sessionRoutes } from './routes-session.ts';

function basicCredentials({ headers }: FastifyRequest): ClientCredentials {
  if (headers.authorization === undefined) return refuse(gatewayFaults.missing);
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(headers.authorization)?.[1];
  if (encoded === undefined) return refuse(gatewayFaults.missing);
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) return refuse(oauthFaults.invalidClient);
  return { clientId: text.slice(0, colon), clientSecret: text.slice(colon + 1) };
}

/** Mounted at /ts/v1. The only routes that accept forms. */
export const tokenRoutes =
  ({ loginsPerMinute, heardChanges }: SessionPolicy): FastifyPluginAsyncTypebox =>
  async (api) => {
    parseEveryBodyAsForm(api);
    const failures = loginLimiter(loginsPerMinute);
    const failuresOfAddress = loginLimiter(NAMES_TRIED_MAX * loginsPerMinute);
    const refuseUnless = ({ allowed, resetSeconds }: Allowance) => {
      if (!allowed)
        refuse(oauthFaults.tooMany, { headers: { 'retry-after': String(Math.max(1, resetSeconds)) } });
    };

    /** Only failures use up the allowance: clients may request their token as often as they like. */
    const checkCaller = async (request: FastifyRequest): Promise<ProvenClient> => {
      const credentials = basicCredentials(request);
      const isLimited = loginsPerMinute > 0;
      const { db } = request.ctx;
      const [address, key] = [`token ${request.ip}`, `token ${request.ip} ${credentials.clientId}`];
      if (isLimited) refuseUnless(await failuresOfAddress.peek(db, address));
      if (isLimited) refuseUnless(await failures.peek(db, key));
      const proven = await proveClient(request.ctx, credentials);
      if (isLimited && !proven) await failuresOfAddress.take(db, address);
      // Concurrent guesses may have used up the allowance. Then a right secret must look like a wrong one.
      if (isLimited) refuseUnless(await (proven ? failures.peek(db, key) : failures.take(db, key)));
      return proven ?? refuse(oauthFaults.invalidClient);
    };

    const issue = async (
      request: FastifyRequest<{ Body: Static<typeof TokenForm> }>,
      reply: FastifyReply,
    ) => {
      const client = await checkCaller(request);
      const grant = request.body?.grant_type;
      if (grant === undefined) refuse(oauthFaults.invalidRequest);
      if (grant !== 'client_credentials') refuse(oauthFaults.unsupportedGrant);
      const { accessToken, expiresInSeconds } = await issueToken(request.ctx, client);
      reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });
      return {
        access_token: accessToken,
        token_type: 'Bearer',
        expires_in: expiresInSeconds,
        scope: 'default',
      };
    };
    // Some generated clients request the token at the root of the area.
    for (const [url, operationId] of [
      ['/oauth2/token', 'issueToken'],
      ['/', 'issueTokenAtRoot'],
    ] as const)
      api.post(
        url,
        calledBy(withClientCredentials, {
          operationId,
          summary: 'Issues a bearer token for the client credentials of an application',
          consumes: ['application/x-www-form-urlencoded'],
          body: TokenForm,
          response: { 200: TokenAnswer },
        }),
        issue,
      );

    api.post(
      '/oauth2/revoke',
      calledBy(withClientCredentials, {
        operationId: 'revokeToken',
        summary: 'Revokes a bearer token; the next token request gets a new one',
        consumes: ['application/x-www-form-urlencoded'],
        body: TokenForm,
        response: { 200: Type.Unsafe<undefined>({ type: 'null' }) },
      }),
      async (request, reply) => {
        const { clientId } = await checkCaller(request);
        const token = request.body?.token ?? refuse(oauthFaults.missingToken);
        await revokeToken(request.ctx, clientId, token);
        await heardChanges();
        return reply.header('revokedaccesstoken', token).send(undefined);
      },
    );
  };
