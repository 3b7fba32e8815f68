import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';

/** Adds routes of a feature from several files to one scope: a scope for each file would slow every start. */
export async function addRoutes(
  api: Parameters<FastifyPluginAsyncTypebox>[0],
  parts: readonly FastifyPluginAsyncTypebox[],
): Promise<void> {
  for (const part of parts) await part(api, {});
}
