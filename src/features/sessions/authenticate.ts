import type { FastifyRequest } from 'fastify';
import { isUuid } from '../../kernel/uuid.ts';
import type { Principal, Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { hashToken } from '../../platform/crypto/token.ts';
import { gatewayFaults } from '../../platform/http/faults.ts';
import type { Authentication } from '../../platform/http/guard.ts';
import type { LiveAccess } from './live-access.ts';

const BEARER = /^Bearer +([\w.~+/=-]{1,512}) *$/i;

export function bearerOf(authorization: string | undefined): string {
  if (authorization === undefined || authorization.trim() === '') return refuse(gatewayFaults.missing);
  return BEARER.exec(authorization)?.[1] ?? refuse(gatewayFaults.invalid);
}

/** Returns without a promise if both tokens are cached, which is nearly always the case. */
export function authenticateCallers(
  access: LiveAccess,
  sessionHeader: string,
): Pick<Authentication, 'client' | 'user'> {
  const header = sessionHeader.toLowerCase();
  const clientOrRefuse = (clientId: string | undefined) => clientId ?? refuse(gatewayFaults.invalid);

  return {
    client(request) {
      const token = bearerOf(request.headers.authorization);
      const found = access.client(hashToken(token), request.ctx.now().getTime());
      return found instanceof Promise ? found.then(clientOrRefuse) : clientOrRefuse(found);
    },

    user(request: FastifyRequest): Principal | Promise<Principal> {
      const { faults } = request.dialect;
      const token = request.headers[header];
      if (typeof token !== 'string' || token === '') return refuse(faults.sessionMissing);
      if (!isUuid(token)) return refuse(faults.sessionInvalid);
      const principalOrRefuse = (check: Awaited<ReturnType<LiveAccess['session']>>): Principal => {
        if (check === 'expired') return refuse(faults.sessionExpired);
        return check === 'invalid' ? refuse(faults.sessionInvalid) : check.principal;
      };
      const found = access.session(hashToken(token), request.ctx.now().getTime());
      return found instanceof Promise ? found.then(principalOrRefuse) : principalOrRefuse(found);
    },
  };
}

/** For calls that only the account itself may make. Its users are those with the account first in their list. */
export function isHomeAccount({ accounts }: Principal, { accountName }: Tenant): boolean {
  const [home] = accounts.keys();
  return home === accountName;
}
