import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { calledBy, withBearer, withSession } from '../../platform/http/access.ts';
import { limitRate } from '../../platform/http/rate-limit.ts';
import { logIn, logOut, resetOwnPassword } from './log-in.ts';
import { loginLimiter } from './login-allowance.ts';
import type { LockPolicy } from './prove-password.ts';
import { LoginBody, ResetAnswer, ResetBody, SessionAnswer } from './schemas.ts';

export interface SessionPolicy extends LockPolicy {
  /** Passwords per minute for each user and address, and wrong secrets for each client and address; 0 is no limit. */
  readonly loginsPerMinute: number;
  readonly sessionHeader: string;
  /** Resolves when this process has applied its own change, so that a token is invalid once the call that ends it returns. */
  readonly heardChanges: () => Promise<void>;
}

/** Mounted at /m2m/v1. */
export const sessionRoutes =
  (policy: SessionPolicy): FastifyPluginAsyncTypebox =>
  async (api) => {
    const { loginsPerMinute } = policy;
    const limiter = loginLimiter(loginsPerMinute);
    const header = policy.sessionHeader.toLowerCase();
    /** All routes that accept a password share one allowance. */
    const limitTries = async (request: FastifyRequest, reply: FastifyReply, username: string) => {
      if (loginsPerMinute === 0) return;
      const allowance = await limiter.take(request.ctx.db, `login ${username} ${request.ip}`);
      limitRate({ request, reply }, allowance, { perMinute: loginsPerMinute, policy: 'login' });
    };

    api.post(
      '/session/login',
      calledBy(withBearer, {
        operationId: 'logIn',
        summary: 'Starts a session for a web-services user; it expires 20 minutes after its last use',
        body: LoginBody,
        response: { 200: SessionAnswer },
      }),
      async (request, reply) => {
        const { ctx, body, clientId } = request;
        await limitTries(request, reply, body.username);
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
          summary: "Replaces the user's password with one that the service generates; other sessions end",
          body: ResetBody,
          response: { 200: ResetAnswer },
        },
        { cookie: false, idempotencyKey: false },
      ),
      async (request, reply) => {
        const { ctx, principal, body } = request;
        await limitTries(request, reply, principal.username);
        reply.header('cache-control', 'no-store');
        const newPassword = await resetOwnPassword(ctx, principal, body.oldPassword, policy);
        await policy.heardChanges();
        return { newPassword };
      },
    );
  };
