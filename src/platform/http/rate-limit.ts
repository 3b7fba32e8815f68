import type { FastifyReply, FastifyRequest } from 'fastify';
import { RecentMap } from '../../kernel/recent-map.ts';
import { refuse } from '../context/fault.ts';

export interface Allowance {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly resetSeconds: number;
}

export type RateLimiter = ReturnType<typeof rateLimiter>;

const KEYS_MAX = 200_000;

/** Generic cell rate: one number per key, no timers. Beyond a limit, the oldest keys are dropped. */
export function rateLimiter(perMinute: number) {
  const intervalMs = 60_000 / perMinute;
  /** By caller, the real time at which its full allowance is available again. */
  const fullAt = new RecentMap<string, number>(KEYS_MAX);
  const nextFullAt = (key: string, nowMs: number) => Math.max(fullAt.get(key) ?? 0, nowMs) + intervalMs;
  /** Returns what `take` would return, but uses nothing up: for limits that count only some of the calls. */
  const peek = (key: string, nowMs: number): Allowance => {
    const next = nextFullAt(key, nowMs);
    const allowed = next - nowMs <= 60_000;
    const owedMs = (allowed ? next : next - intervalMs) - nowMs;
    return {
      allowed,
      remaining: Math.max(0, Math.floor((60_000 - owedMs) / intervalMs)),
      resetSeconds: Math.ceil((allowed ? owedMs : next - nowMs - 60_000) / 1_000),
    };
  };
  return {
    peek,
    take(key: string, nowMs: number): Allowance {
      const answer = peek(key, nowMs);
      if (answer.allowed) fullAt.set(key, nextFullAt(key, nowMs));
      return answer;
    },
  };
}

/** Sends the draft-standard headers, and 429 in the words of the area when the allowance is used up. */
export function limitRate(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  {
    limiter,
    perMinute,
    policy,
    key,
  }: { limiter: RateLimiter; perMinute: number; policy: string; key: string },
): void {
  const { allowed, remaining, resetSeconds } = limiter.take(key, Date.now());
  const headers = {
    'ratelimit-policy': `"${policy}";q=${perMinute};w=60`,
    ratelimit: `"${policy}";r=${remaining};t=${resetSeconds}`,
  };
  reply.headers(headers);
  if (!allowed)
    refuse(request.dialect.faults.tooMany, { headers: { 'retry-after': String(Math.max(1, resetSeconds)) } });
}
