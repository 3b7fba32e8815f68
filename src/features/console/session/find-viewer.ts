import type { FastifyRequest } from 'fastify';
import type { AccountName, EcpdId } from '../../../kernel/account-name.ts';
import type { Ctx, Viewer } from '../../../platform/context/context.ts';
import { refuse } from '../../../platform/context/fault.ts';
import { hashToken } from '../../../platform/crypto/token.ts';
import { consoleDialect } from '../../../platform/http/dialects.ts';
import type { Authentication } from '../../../platform/http/guard.ts';
import type { FindOperator } from '../../operator/index.ts';
import { findUserAccess } from '../../sessions/index.ts';
import { IDLE_MS, LIFE_MS, tokenIn } from './cookie.ts';
import { proofOf } from './sign-in.ts';
import { type ConsoleSession, findSession, recordUse } from './sql-session.ts';

/** The use of a session is written at most this often. */
const USE_RECORDED_MS = 60_000;

export interface ViewerDeps {
  readonly findOperator: FindOperator;
  /** Sessions run on real time, so that moving the domain clock signs no one out. */
  readonly realNow: () => Date;
}

/**
 * Read at each call: a disabled user, a new password, a lost account and a deleted key take effect with the next click. A
 * browser calls a few times a second at most, so nothing is cached.
 */
async function viewerOf(
  ctx: Ctx,
  sessionHash: string,
  { username, operatorKeyHash, passwordProof }: ConsoleSession,
  findOperator: FindOperator,
): Promise<Viewer | undefined> {
  if (operatorKeyHash !== null) {
    const operator = await findOperator(ctx, operatorKeyHash);
    return operator && { kind: 'operator', sessionHash, operator };
  }
  const user = username === null ? undefined : await findUserAccess(ctx.db, username);
  if (username === null || typeof user?.passwordHash !== 'string') return undefined;
  if (proofOf(user.passwordHash) !== passwordProof) return undefined;
  const accounts = new Map<AccountName, EcpdId>(user.accounts.map((a) => [a.accountName, a.ecpdId]));
  return { kind: 'user', sessionHash, principal: { username, sessionHash, accounts } };
}

const isExpired = ({ createdAt, lastUsedAt }: ConsoleSession, now: Date): boolean =>
  now.getTime() - lastUsedAt.getTime() > IDLE_MS || now.getTime() - createdAt.getTime() > LIFE_MS;

/** The viewer of a session, without counting as its use. For connections that stay open. */
export async function findViewer(
  ctx: Ctx,
  sessionHash: string,
  { findOperator, realNow }: ViewerDeps,
): Promise<Viewer | undefined> {
  const session = await findSession(ctx.db, sessionHash);
  if (session === undefined || isExpired(session, realNow())) return undefined;
  return viewerOf(ctx, sessionHash, session, findOperator);
}

/** The same in every area, so that a page recognises the end of its session. */
const { sessionMissing, sessionInvalid, sessionExpired } = consoleDialect.faults;

export function authenticateViewers(
  { findOperator, realNow }: ViewerDeps,
  sessionHeader: string,
): Pick<Authentication, 'hasCookie' | 'viewer'> {
  const header = sessionHeader.toLowerCase();
  /** A token or a key alone decides who calls, as if there were no cookie. */
  const tokenOf = ({ headers }: FastifyRequest): string | undefined =>
    headers.authorization === undefined && headers[header] === undefined
      ? tokenIn(headers.cookie)
      : undefined;
  return {
    hasCookie: (request) => tokenOf(request) !== undefined,

    async viewer(request) {
      const { ctx, headers, routeOptions } = request;
      const sessionHash = hashToken(tokenOf(request) ?? refuse(sessionMissing));
      const session = (await findSession(ctx.db, sessionHash)) ?? refuse(sessionInvalid);
      const now = realNow();
      if (isExpired(session, now)) return refuse(sessionExpired);
      const viewer = (await viewerOf(ctx, sessionHash, session, findOperator)) ?? refuse(sessionInvalid);
      // A page that no user touches says so. Its own reads do not count as use.
      const attended = headers['x-unattended'] === undefined && routeOptions.config.unattended !== true;
      if (attended && now.getTime() - session.lastUsedAt.getTime() > USE_RECORDED_MS)
        await recordUse(ctx.db, sessionHash, now);
      return viewer;
    },
  };
}
