import type { FastifyInstance } from 'fastify';
import { Fault } from '../context/fault.ts';
import { type AnswerElsewhere, type Dialect, sendFault } from './dialect.ts';

interface Path {
  readonly segments: readonly string[];
  readonly methods: Set<string>;
  readonly dialect: Dialect;
}

export type MethodGuard = ReturnType<typeof createMethodGuard>;

const segmentsOf = (path: string) => path.replace(/\/$/, '').split('/');

/**
 * Answers 405 for an existing path without a route for the method, in the format of its area. It runs only if no route was
 * found: routes for all missing methods would be most of the routes that a process builds at its start.
 */
export function createMethodGuard() {
  const paths = new Map<string, Path>();
  const find = (segments: readonly string[]) =>
    paths
      .values()
      .find(
        (path) =>
          path.segments.length === segments.length &&
          path.segments.every((part, nth) => part.startsWith(':') || part === segments[nth]),
      );

  /** Runs before a body is read, because the caller is not identified. */
  const refuseMethod: AnswerElsewhere = (request, reply) => {
    const path = find(segmentsOf(request.url.split('?', 1)[0]!));
    if (path === undefined) return undefined;
    const { dialect, methods } = path;
    const allow = [...methods].join(', ');
    return sendFault(
      new Fault(dialect.faults.methodNotAllowed, { headers: { allow } }),
      dialect,
      request,
      reply,
    );
  };
  return {
    refuseMethod,
    /** Collects the paths of an area; call it before its routes are added. */
    learnPaths(scope: FastifyInstance, dialect: Dialect) {
      scope.addHook('onRoute', ({ url, method }) => {
        const path = paths.get(url) ?? { segments: segmentsOf(url), methods: new Set(), dialect };
        for (const one of [method].flat()) path.methods.add(one);
        paths.set(url, path);
      });
    },
  };
}
