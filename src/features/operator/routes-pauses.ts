import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { refuse } from '../../platform/context/fault.ts';
import { operatorWith } from '../../platform/http/access.ts';
import { LISTENER_SERVICES, pauseListener, resumeListener } from '../callbacks/index.ts';
import { areActionsPaused, pauseActions, resumeActions } from '../firings/index.ts';
import { operatorFaults } from './errors.ts';
import { findNamedAccount } from './find-named.ts';
import { Done } from './schemas.ts';

const ListenerBody = Type.Object({
  accountName: Type.String(),
  serviceName: Type.Enum([...LISTENER_SERVICES]),
});
const Paused = Type.Object({ paused: Type.Boolean() });

/** What an operator can hold back while everything else goes on. */
export const pauseRoutes: FastifyPluginAsyncTypebox = async (api) => {
  const access = operatorWith('admin');

  api.get(
    '/actions',
    {
      config: { access: operatorWith('read') },
      schema: {
        operationId: 'operatorReadActions',
        summary: 'Whether trigger actions are paused',
        response: { 200: Paused },
      },
    },
    async ({ ctx }) => ({ paused: await areActionsPaused(ctx) }),
  );

  api.post(
    '/actions/pause',
    {
      config: { access },
      schema: {
        operationId: 'operatorPauseActions',
        summary: 'Triggers go on alerting, but neither close a service nor suspend nor change plans',
        response: { 200: Paused },
      },
    },
    async ({ ctx, operator }) => {
      await pauseActions(ctx, operator.keyName);
      return { paused: true };
    },
  );

  api.post(
    '/actions/resume',
    {
      config: { access },
      schema: {
        operationId: 'operatorResumeActions',
        summary: 'Triggers act again',
        response: { 200: Paused },
      },
    },
    async ({ ctx }) => {
      await resumeActions(ctx);
      return { paused: false };
    },
  );

  for (const [verb, act, summary] of [
    ['pause', pauseListener, 'Holds back what is to be delivered to one listener'],
    ['resume', resumeListener, 'Delivers to the listener again'],
  ] as const) {
    api.post(
      `/callbacks/${verb}`,
      {
        config: { access: operatorWith('callbacks') },
        schema: {
          operationId: `operator${verb === 'pause' ? 'Pause' : 'Resume'}Listener`,
          summary,
          body: ListenerBody,
          response: { 200: Done },
        },
      },
      async ({ ctx, body }) => {
        const tenant = await findNamedAccount(ctx, body.accountName);
        return (await act(ctx, tenant, body.serviceName))
          ? { success: true }
          : refuse(operatorFaults.noListener);
      },
    );
  }
};
