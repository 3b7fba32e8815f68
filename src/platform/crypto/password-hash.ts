import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** log2 of the cost of a guess in time and memory: 32 MiB. Lower costs are for tests and sandboxes. */
export const SAFE_COST = 15;
export const COST_MIN = 10;
export const COST_MAX = 20;
const [BLOCK_SIZE, PARALLELISM] = [8, 1];
const KEY_BYTES = 32;

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt as never);

const run = (password: string, salt: Buffer, [ln, r, p]: readonly [number, number, number]) =>
  derive(password.normalize('NFKC'), salt, KEY_BYTES, { N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r });

/** The cost is stored with each hash, so it can be raised. */
export async function hashPassword(password: string, cost: number): Promise<string> {
  const salt = randomBytes(16);
  const key = await run(password, salt, [cost, BLOCK_SIZE, PARALLELISM]);
  const costs = `ln=${cost},r=${BLOCK_SIZE},p=${PARALLELISM}`;
  return `$scrypt$${costs}$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

const SHAPE = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/;

export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const match = SHAPE.exec(hash);
  const [ln, r, p] = [Number(match?.[1]), Number(match?.[2]), Number(match?.[3])];
  if (match === null || ln > COST_MAX) return false;
  const key = await run(password, Buffer.from(match[4]!, 'base64url'), [ln, r, p]);
  return timingSafeEqual(key, Buffer.from(match[5]!, 'base64url'));
}
