import type { FastifyRequest } from 'fastify';
import type { CheckListenerAddress } from '../send-callback.ts';

interface CheckedBefore {
  readonly preHandler: (request: FastifyRequest) => Promise<void>;
  /** What stands against the address; undefined when nothing does. */
  problemOf(request: FastifyRequest): string | undefined;
}

/**
 * Looks an address up before the handler, which runs in a transaction when the call has an Idempotency-Key: the name servers
 * of one customer must not hold the connections of all.
 */
export function checkBefore(checkAddress: CheckListenerAddress): CheckedBefore {
  const problems = new WeakMap<FastifyRequest, string>();
  return {
    async preHandler(request) {
      const { url } = request.body as { readonly url?: string };
      const problem = url === undefined ? undefined : await checkAddress(url);
      if (problem !== undefined) problems.set(request, problem);
    },
    problemOf: (request) => problems.get(request),
  };
}
