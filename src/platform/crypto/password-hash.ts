import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** Memory-hard: log2 of the cost, block size, parallelism. The cost is stored with each hash, so it can be raised. */
export interface HashCost {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** 32 MiB for each guess. */
export const DEFAULT_COST: HashCost = { ln: 15, r: 8, p: 1 };
const LN_MAX = 20;
const KEY_BYTES = 32;

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt as never);

const run = (password: string, salt: Buffer, { ln, r, p }: HashCost) =>
  derive(password.normalize('NFKC'), salt, KEY_BYTES, { N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r });

export async function hashPassword(password: string, cost: HashCost = DEFAULT_COST): Promise<string> {
  const salt = randomBytes(16);
  const key = await run(password, salt, cost);
  return `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

const SHAPE = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/;

export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const match = SHAPE.exec(hash);
  const [ln, r, p] = [Number(match?.[1]), Number(match?.[2]), Number(match?.[3])];
  if (match === null || ln > LN_MAX) return false;
  const key = await run(password, Buffer.from(match[4]!, 'base64url'), { ln, r, p });
  return timingSafeEqual(key, Buffer.from(match[5]!, 'base64url'));
}
