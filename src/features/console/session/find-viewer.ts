import type { FastifyRequest } from 'fastify';
import type { AccountName, EcpdId } from '../../../kernel/account-name.ts';
import type { Ctx, Viewer } from '../../../platform/context/context.ts';
import { refuse } from '../../../platform/context/fault.ts';
import { hashToken } from '../../../platform/crypto/token.ts';
import type { Authentication } from '../../../platform/http/access.ts';
import type { FindOperator } from '../../operator/index.ts';
import { findUserAccess } from '../../sessions/index.ts';
import { IDLE_MS, LIFE_MS, USE_RECORDED_MS } from '../limits.ts';
import { tokenIn } from './cookie.ts';
import { proofOf } from './sign-in.ts';
import { type ConsoleSession, findSession, recordUse } from './sql-session.ts';

export interface ViewerDeps {
  readonly findOperator: FindOperator;
  /** Sessions run on real time: moving the domain's clock must not sign anybody out. */
  readonly realNow: () => Date;
}

/**
 * Read at each call: whoever was disabled, got another password, lost an account or whose key was deleted is out with
 * the next click. A browser asks a few times a second at most, so nothing needs to be remembered.
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

/** Whether the session still is what it was; asking is no use of it. For connections that stay open. */
export async function findViewer(
  ctx: Ctx,
  sessionHash: string,
  { findOperator, realNow }: ViewerDeps,
): Promise<Viewer | undefined> {
  const session = await findSession(ctx.db, sessionHash);
  if (session === undefined || isExpired(session, realNow())) return undefined;
  return viewerOf(ctx, sessionHash, session, findOperator);
}

export const authenticateViewers = ({
  findOperator,
  realNow,
}: ViewerDeps): Pick<Authentication, 'viewer'> => ({
  async viewer({ ctx, dialect: { faults }, headers, routeOptions: { config } }: FastifyRequest) {
    const sessionHash = hashToken(tokenIn(headers.cookie) ?? refuse(faults.sessionMissing));
    const session = (await findSession(ctx.db, sessionHash)) ?? refuse(faults.sessionInvalid);
    const now = realNow();
    if (isExpired(session, now)) return refuse(faults.sessionExpired);
    const viewer = await viewerOf(ctx, sessionHash, session, findOperator);
    if (viewer === undefined) return refuse(faults.sessionInvalid);
    // A page that nobody looks at says so: what it reads by itself is no use.
    const attended = headers['x-unattended'] === undefined && config.unattended !== true;
    if (attended && now.getTime() - session.lastUsedAt.getTime() > USE_RECORDED_MS)
      await recordUse(ctx.db, sessionHash, now);
    return viewer;
  },
});
