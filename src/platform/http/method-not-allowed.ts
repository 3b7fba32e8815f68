import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { refuse } from '../fault.ts';
import { publicRoute } from './access.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const;

/** A path that exists answers 405 to a method it does not have, in the words of its area. Call it after the area's routes. */
export function refuseOtherMethods(
  scope: FastifyInstance,
  register: (scope: FastifyInstance) => Promise<void>,
): Promise<void> {
  const taken = new Map<string, Set<string>>();
  scope.addHook('onRoute', ({ url, method, config }: RouteOptions & { path?: string }) => {
    if (config?.methodNotAllowed) return;
    const methods = taken.get(url) ?? new Set();
    for (const one of [method].flat()) methods.add(one);
    taken.set(url, methods);
  });
  return register(scope).then(() => {
    const prefix = scope.prefix;
    for (const [url, methods] of taken) {
      const others = METHODS.filter((method) => !methods.has(method));
      if (others.length === 0) continue;
      const allow = [...methods].filter((method) => method !== 'HEAD').join(', ');
      const refuseMethod = async ({ dialect }: FastifyRequest) =>
        refuse(dialect.faults.methodNotAllowed, { headers: { allow } });
      scope.route({
        method: [...others],
        url: url.slice(prefix.length),
        config: { access: publicRoute, methodNotAllowed: true },
        schema: { hide: true } as never,
        // Already before a body is read: anybody can ask.
        onRequest: refuseMethod,
        handler: refuseMethod,
      });
    }
  });
}
