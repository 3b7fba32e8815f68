import type { Ctx } from '../../../platform/context/context.ts';
import { refuse } from '../../../platform/context/fault.ts';
import { hashToken, randomToken } from '../../../platform/crypto/token.ts';
import type { OperatorScope } from '../../../platform/http/access.ts';
import { operatorFaults } from '../errors.ts';
import { insertKey } from '../sql.ts';
import { isReservedName } from './authenticate-operator.ts';

/** Whoever finds one can tell by its beginning what it opens; the log leaves out what begins so. */
export const makeOperatorKey = (): string => `lk_op_${randomToken()}`;

/** Answers the key, which is told once: only its hash is kept. */
export async function createKey(
  ctx: Ctx,
  { name, scopes }: { readonly name: string; readonly scopes: OperatorScope[] },
): Promise<string> {
  const key = makeOperatorKey();
  const row = { name, keyHash: hashToken(key), scopes, createdAt: ctx.now(), createdBy: ctx.actor.name };
  if (isReservedName(name) || !(await insertKey(ctx.db, row))) refuse(operatorFaults.keyExists);
  return key;
}
