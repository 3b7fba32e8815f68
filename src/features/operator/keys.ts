import { timingSafeEqual } from 'node:crypto';
import type { Chance } from '../../platform/chance/chance.ts';
import type { Ctx, Operator } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { hashToken, randomToken } from '../../platform/crypto/token.ts';
import { OPERATOR_SCOPES, type OperatorScope } from '../../platform/http/access.ts';
import type { Authentication } from '../../platform/http/guard.ts';
import { operatorFaults } from './errors.ts';
import { findKey, insertKey, isKeyName } from './sql.ts';

/** The key from the settings; it cannot be listed, deleted or limited. */
const FIRST_KEY_NAME = 'first';
/** Generated at each start and known only to the sandbox's simulator. */
const SIMULATOR_KEY_NAME = 'simulator';
const isReservedName = (name: string): boolean => name === FIRST_KEY_NAME || name === SIMULATOR_KEY_NAME;

const TRIES_MAX = 1_000;

const BEARER = /^Bearer +(\S{1,512}) *$/i;

/** The operator of a key, by its hash; undefined if the key is unknown or deleted. */
export type FindOperator = (ctx: Ctx, keyHash: string) => Promise<Operator | undefined>;

export function operatorFinder(
  firstKey: string,
  simulatorKey: string | undefined,
  /** Temporary keys, valid as long as the program they were given to. */
  findPlayer: (keyHash: string) => Operator | undefined = () => undefined,
): FindOperator {
  const first: Operator = { keyName: FIRST_KEY_NAME, scopes: new Set(OPERATOR_SCOPES) };
  const simulator: Operator = {
    keyName: SIMULATOR_KEY_NAME,
    scopes: new Set(['read', 'feed']),
    isOwnProgram: true,
  };
  const known = [
    { hash: Buffer.from(hashToken(firstKey)), operator: first },
    ...(simulatorKey === undefined
      ? []
      : [{ hash: Buffer.from(hashToken(simulatorKey)), operator: simulator }]),
  ];
  return async ({ db }, keyHash) => {
    const own = known.find(({ hash }) => timingSafeEqual(Buffer.from(keyHash), hash));
    if (own !== undefined) return own.operator;
    const player = findPlayer(keyHash);
    if (player !== undefined) return player;
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

/** The prefix shows what a key found somewhere is for, and lets the log redact it. */
export const makeOperatorKey = (chance: Chance): string => `lk_op_${randomToken(chance)}`;

/** Returns the key, which is shown once. Only its hash is stored. */
export async function createKey(
  ctx: Ctx,
  { name, scopes }: { readonly name: string; readonly scopes: OperatorScope[] },
): Promise<string> {
  if (isReservedName(name)) refuse(operatorFaults.keyExists);
  for (let tries = 1; ; tries++) {
    const key = makeOperatorKey(ctx.chance);
    const row = { name, keyHash: hashToken(key), scopes, createdAt: ctx.now(), createdBy: ctx.actor.name };
    if (await insertKey(ctx.db, row)) return key;
    // After a restore, a seed repeats keys, and those made before are still there.
    if (tries === TRIES_MAX || (await isKeyName(ctx.db, name))) refuse(operatorFaults.keyExists);
  }
}
