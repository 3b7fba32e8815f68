import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { exclusionRoutes } from './exclusions/routes-exclusions.ts';
import { levelRoutes } from './routes-levels.ts';

/** Mounted at /loc/v1. */
export const consentRoutes: FastifyPluginAsyncTypebox = async (api) => {
  await api.register(exclusionRoutes);
  await api.register(levelRoutes);
};
