import { timingSafeEqual } from 'node:crypto';
import type { Ctx, Operator } from '../../platform/context.ts';
import { hashToken } from '../../platform/crypto/token.ts';
import { refuse } from '../../platform/fault.ts';
import { type Authentication, OPERATOR_SCOPES } from '../../platform/http/access.ts';
import { operatorFaults } from './errors.ts';
import { findKey } from './sql.ts';

/** The key from the settings; it cannot be listed, deleted or limited. */
export const FIRST_KEY_NAME = 'first';

const BEARER = /^Bearer +(\S{1,512}) *$/i;

/** Who a key belongs to, by its hash; undefined when it is not known or no longer. */
export type FindOperator = (ctx: Ctx, keyHash: string) => Promise<Operator | undefined>;

export function operatorFinder(firstKey: string): FindOperator {
  const firstHash = Buffer.from(hashToken(firstKey));
  const first: Operator = { keyName: FIRST_KEY_NAME, scopes: new Set(OPERATOR_SCOPES) };
  return async ({ db }, keyHash) => {
    if (timingSafeEqual(Buffer.from(keyHash), firstHash)) return first;
    const found = await findKey(db, keyHash);
    return found && { keyName: found.name, scopes: new Set(found.scopes) };
  };
}

export const authenticateOperators = (findOperator: FindOperator): Pick<Authentication, 'operator'> => ({
  async operator({ ctx, headers: { authorization } }) {
    if (authorization === undefined)
      return refuse(operatorFaults.noKey, { headers: { 'www-authenticate': 'Bearer' } });
    const key = BEARER.exec(authorization)?.[1] ?? refuse(operatorFaults.wrongKey);
    return (await findOperator(ctx, hashToken(key))) ?? refuse(operatorFaults.wrongKey);
  },
});
