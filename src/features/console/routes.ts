import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { auditCalls } from '../operator/index.ts';
import { overviewRoutes } from './routes-overview.ts';
import { type SignInDeps, sessionRoutes } from './routes-session.ts';
import { refuseForged } from './session/refuse-forged.ts';

export interface ConsoleDeps {
  readonly signIn: Omit<SignInDeps, 'onSignOut'>;
}

/** Mounted at /console/v1: what the pages of the console ask for. Each page has a file of its own. */
export const consoleRoutes =
  ({ signIn }: ConsoleDeps): FastifyPluginAsyncTypebox =>
  async (api) => {
    refuseForged(api);
    // A page that is open reads all the time: of operators their changes are written down, and that they signed in.
    auditCalls(api, ({ method }) => method !== 'GET');
    await api.register(sessionRoutes({ ...signIn, onSignOut: () => {} }));
    await api.register(overviewRoutes);
  };
