import type { OrderOutcome } from '../../features/network/index.ts';

/** RFC 5176, 3.6: why an access server did not carry out a request. */
const MEANINGS: Readonly<Record<number, string>> = {
  201: 'the rest of the session was removed',
  401: 'it does not support an attribute',
  402: 'it misses an attribute',
  403: 'it is not the access server that was named',
  404: 'it calls the request invalid',
  405: 'it does not support the service',
  406: 'it does not support an extension',
  407: 'it calls the value of an attribute invalid',
  501: 'it may not do that',
  502: 'a proxy does not know the way to it',
  503: 'it has no such session',
  504: 'the session cannot be ended',
  505: 'a proxy failed',
  506: 'it has no resources for that now',
  507: 'it has begun, and does not say how it will end',
  508: 'it does not take a request that names several sessions',
};

/** Nothing is left that could continue. */
const AS_GOOD_AS_DONE = new Set([201, 503]);
/** Temporary causes; a missing cause counts as temporary too. */
const TEMPORARY = new Set([502, 505, 506, 507]);

export function outcomeOfRefusal(cause: number | undefined): OrderOutcome {
  if (cause === undefined) return { outcome: 'failed', reason: 'the access server refused without a reason' };
  if (AS_GOOD_AS_DONE.has(cause)) return { outcome: 'done' };
  const meaning = MEANINGS[cause];
  const reason = `the access server refused with ${cause}${meaning === undefined ? '' : `: ${meaning}`}`;
  return { outcome: TEMPORARY.has(cause) || meaning === undefined ? 'failed' : 'refused', reason };
}
