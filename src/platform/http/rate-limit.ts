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

export const WINDOW_MS = 60_000;

/** The answer to a caller whose full allowance is available again in `owedBeforeMs`. */
export function allowanceOf(owedBeforeMs: number, perMinute: number): Allowance {
  const intervalMs = WINDOW_MS / perMinute;
  const nextMs = Math.max(owedBeforeMs, 0) + intervalMs;
  // A clock of microseconds does not always add up.
  const allowed = Math.floor(nextMs) <= WINDOW_MS;
  const owedMs = allowed ? nextMs : nextMs - intervalMs;
  return {
    allowed,
    remaining: Math.max(0, Math.floor((WINDOW_MS - owedMs) / intervalMs)),
    resetSeconds: Math.ceil((allowed ? owedMs : nextMs - WINDOW_MS) / 1_000),
  };
}

/**
 * Generic cell rate: one number per key, no timers, counted by this process alone. For callers that are known: beyond a
 * limit, the oldest keys are dropped.
 */
export function rateLimiter(perMinute: number) {
  const intervalMs = WINDOW_MS / perMinute;
  /** By caller, the real time at which its full allowance is available again. */
  const fullAt = new RecentMap<string, number>(KEYS_MAX);
  return {
    take(key: string, nowMs: number): Allowance {
      const owedMs = Math.max(0, (fullAt.get(key) ?? 0) - nowMs);
      const answer = allowanceOf(owedMs, perMinute);
      if (answer.allowed) fullAt.set(key, nowMs + owedMs + intervalMs);
      return answer;
    },
  };
}

/** Sends the draft-standard headers, and 429 in the words of the area when the allowance is used up. */
export function limitRate(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { allowed, remaining, resetSeconds }: Allowance,
  { perMinute, policy }: { readonly perMinute: number; readonly policy: 'calls' | 'login' },
): void {
  const headers = {
    'ratelimit-policy': `"${policy}";q=${perMinute};w=60`,
    ratelimit: `"${policy}";r=${remaining};t=${resetSeconds}`,
  };
  reply.headers(headers);
  if (!allowed)
    refuse(request.dialect.faults.tooMany, { headers: { 'retry-after': String(Math.max(1, resetSeconds)) } });
}
