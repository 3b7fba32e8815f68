import { timingSafeEqual } from 'node:crypto';
import type { Operator } from '../../platform/context.ts';
import { hashToken } from '../../platform/crypto/token.ts';
import { refuse } from '../../platform/fault.ts';
import { type Authentication, OPERATOR_SCOPES } from '../../platform/http/access.ts';
import { operatorFaults } from './errors.ts';
import { findKey } from './sql.ts';

/** The key from the settings; it cannot be listed, deleted or limited. */
export const FIRST_KEY_NAME = 'first';

const BEARER = /^Bearer +(\S{1,512}) *$/i;

export function authenticateOperators(firstKey: string): Pick<Authentication, 'operator'> {
  const firstHash = Buffer.from(hashToken(firstKey));
  const first: Operator = { keyName: FIRST_KEY_NAME, scopes: new Set(OPERATOR_SCOPES) };

  return {
    async operator(request) {
      const { authorization } = request.headers;
      if (authorization === undefined)
        return refuse(operatorFaults.noKey, { headers: { 'www-authenticate': 'Bearer' } });
      const key = BEARER.exec(authorization)?.[1] ?? refuse(operatorFaults.wrongKey);
      const keyHash = hashToken(key);
      if (timingSafeEqual(Buffer.from(keyHash), firstHash)) return first;
      const found = (await findKey(request.ctx.db, keyHash)) ?? refuse(operatorFaults.wrongKey);
      return { keyName: found.name, scopes: new Set(found.scopes) };
    },
  };
}
