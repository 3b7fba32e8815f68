import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';

/** Routes of a feature that lie in several files. They share its scope: one of their own for each would slow every start. */
export async function addRoutes(
  api: Parameters<FastifyPluginAsyncTypebox>[0],
  parts: readonly FastifyPluginAsyncTypebox[],
): Promise<void> {
  for (const part of parts) await part(api, {});
}
