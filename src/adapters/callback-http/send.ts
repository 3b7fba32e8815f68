import {
  ATTEMPT_TIMEOUT_LEAST_MS,
  type OutgoingCallback,
  type SendCallback,
  type SendOutcome,
} from '../../features/callbacks/index.ts';
import type { Target } from './address-rules.ts';
import { Attempt, type Post } from './attempt.ts';
import type { OriginPools } from './origin-pools.ts';
import type { Reason } from './reasons.ts';

const notSent = (error: Reason): Promise<SendOutcome> =>
  Promise.resolve({ status: null, error, latencyMs: 0, answer: '' });

const NAME = /^[!#$%&'*+.^_`|~\w-]+$/;
const ASCII = /^[\t\x20-\x7e]*$/;
const LATIN_1 = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Undefined if a header cannot be written: text after a line break in it would count as another header. */
function postOf({ path, authority }: Target, { headers, body }: OutgoingCallback): Post | undefined {
  let head = `POST ${path} HTTP/1.1\r\nhost: ${authority}\r\nconnection: keep-alive\r\n`;
  let isAscii = true;
  for (const name of Object.keys(headers)) {
    const value = headers[name]!;
    if (!ASCII.test(value)) isAscii = false;
    if (!NAME.test(name) || (!isAscii && !LATIN_1.test(value))) return undefined;
    head += `${name}: ${value}\r\n`;
  }
  return { head: `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n`, isAscii, body };
}

/**
 * A POST is written at most once per attempt. If the listener has closed a kept connection, that is noticed before writing, and
 * the connection is replaced. If it closes while a POST is being sent, it is unknown whether the POST was read: the
 * attempt fails, and the caller, who counts attempts, decides about another one.
 */
export function createSender(target: (url: string) => Target, pools: OriginPools, attemptMs: number) {
  const signals = createStopSignals();
  const inProgress = new Set<Attempt>();
  let stopped = false;

  const send: SendCallback = (callback, { signal, patience = 1 } = {}) => {
    if (stopped || signal?.aborted) return notSent('stopped');
    const to = target(callback.url);
    if (to.refusal !== undefined) return notSent(to.refusal);
    const post = postOf(to, callback);
    if (post === undefined) return notSent('protocol error');
    const now = performance.now();
    const limitMs = Math.max(Math.min(attemptMs, ATTEMPT_TIMEOUT_LEAST_MS), Math.round(attemptMs * patience));
    const attempt = new Attempt(post, now, limitMs, (ended) => {
      inProgress.delete(ended);
      if (signal !== undefined) signals.remove(signal, ended);
    });
    inProgress.add(attempt);
    if (signal !== undefined) signals.add(signal, attempt);
    pools.send(to, attempt);
    return attempt.outcome;
  };

  return {
    send,
    /** Ends all attempts in progress as stopped, and refuses all later ones. */
    stop() {
      stopped = true;
      for (const attempt of inProgress) attempt.breakOff('stopped');
    },
  };
}

/** One signal stands for a whole lease and thousands of attempts, so it gets a single event listener. */
function createStopSignals() {
  const known = new WeakMap<AbortSignal, Set<Attempt>>();
  const attemptsOf = (signal: AbortSignal): Set<Attempt> => {
    const found = known.get(signal);
    if (found !== undefined) return found;
    const attempts = new Set<Attempt>();
    known.set(signal, attempts);
    const breakOff = () => {
      for (const attempt of attempts) attempt.breakOff('stopped');
    };
    signal.addEventListener('abort', breakOff, { once: true });
    return attempts;
  };
  return {
    /** Breaks the attempt off when the signal aborts. */
    add: (signal: AbortSignal, attempt: Attempt) => void attemptsOf(signal).add(attempt),
    remove: (signal: AbortSignal, attempt: Attempt) => void known.get(signal)?.delete(attempt),
  };
}
