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

/** Undefined where a header cannot be written: what follows a line break in one would count as another. */
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
 * A POST is written at most once per attempt. A kept connection that the listener has closed is noticed before writing
 * and replaced; when it closes while the POST is on its way nobody can know whether it was read, so that is a failed
 * attempt, and sending again is left to the caller, who counts.
 */
export function createSender(target: (url: string) => Target, pools: OriginPools, attemptMs: number) {
  const signals = createStopSignals();
  const underWay = new Set<Attempt>();
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
      underWay.delete(ended);
      if (signal !== undefined) signals.remove(signal, ended);
    });
    underWay.add(attempt);
    if (signal !== undefined) signals.add(signal, attempt);
    pools.send(to, attempt);
    return attempt.outcome;
  };

  return {
    send,
    /** What is under way ends as stopped, and so does whatever is sent from now on. */
    stop() {
      stopped = true;
      for (const attempt of underWay) attempt.breakOff('stopped');
    },
  };
}

/** One signal stands for a whole lease and thousands of attempts, so it gets one event listener and not thousands. */
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
    /** Breaks the attempt off when the signal comes. */
    add: (signal: AbortSignal, attempt: Attempt) => void attemptsOf(signal).add(attempt),
    remove: (signal: AbortSignal, attempt: Attempt) => void known.get(signal)?.delete(attempt),
  };
}
