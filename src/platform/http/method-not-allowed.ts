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
 * A path that exists answers 405 to a method it does not have, in the words of its area. It is looked for where no route
 * was found: a route for each method that a path does not have would be most of what a process builds when it starts.
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

  /** Before a body is read: anybody can ask. */
  const refuseMethod: AnswerElsewhere = (request, reply) => {
    const path = find(segmentsOf(request.url.split('?', 1)[0]!));
    if (path === undefined) return undefined;
    const { dialect, methods } = path;
    const allow = [...methods].filter((method) => method !== 'HEAD').join(', ');
    return sendFault(
      new Fault(dialect.faults.methodNotAllowed, { headers: { allow } }),
      dialect,
      request,
      reply,
    );
  };
  return {
    refuseMethod,
    /** Learns the paths of an area; to be called before its routes are there. */
    learnPaths(scope: FastifyInstance, dialect: Dialect) {
      scope.addHook('onRoute', ({ url, method }) => {
        const path = paths.get(url) ?? { segments: segmentsOf(url), methods: new Set(), dialect };
        for (const one of [method].flat()) path.methods.add(one);
        paths.set(url, path);
      });
    },
  };
}
