import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { calledBy, withBearer, withSession } from '../../platform/http/access.ts';
import { limitRate, rateLimiter } from '../../platform/http/rate-limit.ts';
import { logIn, logOut, resetOwnPassword } from './log-in.ts';
import type { LockPolicy } from './prove-password.ts';
import { LoginBody, ResetAnswer, ResetBody, SessionAnswer } from './schemas.ts';

export interface SessionPolicy extends LockPolicy {
  /** Passwords a minute per user and address, and wrong secrets a minute per client and address; 0 is no limit. */
  readonly loginsPerMinute: number;
  readonly sessionHeader: string;
  /** Resolves when this process has heard its own change: whoever ends a token can rely on it at once. */
  readonly heardChanges: () => Promise<void>;
}

/** Mounted at /m2m/v1. */
export const sessionRoutes =
  (policy: SessionPolicy): FastifyPluginAsyncTypebox =>
  async (api) => {
    const { loginsPerMinute } = policy;
    const limiter = rateLimiter(loginsPerMinute);
    const header = policy.sessionHeader.toLowerCase();
    /** One allowance for every place where a password can be tried. */
    const limitTries = (request: FastifyRequest, reply: FastifyReply, username: string) => {
      if (loginsPerMinute === 0) return;
      const key = `${username} ${request.ip}`;
      limitRate({ request, reply }, { limiter, perMinute: loginsPerMinute, policy: 'login', key });
    };

    api.post(
      '/session/login',
      calledBy(withBearer, {
        operationId: 'logIn',
        summary: 'A session for a web-services user; 20 minutes after its last use it expires',
        body: LoginBody,
        response: { 200: SessionAnswer },
      }),
      async (request, reply) => {
        const { ctx, body, clientId } = request;
        limitTries(request, reply, body.username);
        reply.header('cache-control', 'no-store');
        return { sessionToken: await logIn(ctx, { ...body, clientId }, policy) };
      },
    );

    api.post(
      '/session/logout',
      calledBy(
        withSession,
        { operationId: 'logOut', summary: 'Ends the session', response: { 200: SessionAnswer } },
        { cookie: false, idempotencyKey: false },
      ),
      async ({ ctx, principal, headers }) => {
        await logOut(ctx, principal.sessionHash);
        await policy.heardChanges();
        return { sessionToken: String(headers[header]) };
      },
    );

    api.put(
      '/session/password/actions/reset',
      calledBy(
        withSession,
        {
          operationId: 'resetPassword',
          summary: "Replaces the user's password by a new one that the service makes up; other sessions end",
          body: ResetBody,
          response: { 200: ResetAnswer },
        },
        { cookie: false, idempotencyKey: false },
      ),
      async (request, reply) => {
        const { ctx, principal, body } = request;
        limitTries(request, reply, principal.username);
        reply.header('cache-control', 'no-store');
        const newPassword = await resetOwnPassword(ctx, principal, body.oldPassword, policy);
        await policy.heardChanges();
        return { newPassword };
      },
    );
  };
