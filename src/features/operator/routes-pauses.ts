import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { LISTENER_SERVICES } from '../callback-payloads/index.ts';
import { pauseListener, resumeListener } from '../callbacks/index.ts';
import { areActionsPaused, pauseActions, resumeActions } from '../firings/index.ts';
import { operatorFaults } from './errors.ts';
import { doneOr, findNamedAccount, withScope } from './route.ts';
import { Done } from './schemas.ts';

const ListenerBody = Type.Object({
  accountName: Type.String(),
  serviceName: Type.Enum([...LISTENER_SERVICES]),
});
const Paused = Type.Object({ paused: Type.Boolean() });

/** Work that an operator can pause while everything else continues. */
export const pauseRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '/actions',
    withScope('read', {
      operationId: 'operatorReadActions',
      summary: 'Shows whether trigger actions are paused',
      response: { 200: Paused },
    }),
    async ({ ctx }) => ({ paused: await areActionsPaused(ctx) }),
  );

  for (const [verb, operationId, act, summary] of [
    [
      'pause',
      'operatorPauseActions',
      pauseActions,
      'Pauses trigger actions: triggers still alert, but do not suspend lines or change plans',
    ],
    ['resume', 'operatorResumeActions', resumeActions, 'Resumes trigger actions'],
  ] as const)
    api.post(
      `/actions/${verb}`,
      withScope('admin', { operationId, summary, response: { 200: Paused } }),
      async ({ ctx, operator }) => {
        await act(ctx, operator.keyName);
        return { paused: verb === 'pause' };
      },
    );

  for (const [verb, operationId, act, summary] of [
    ['pause', 'operatorPauseListener', pauseListener, 'Pauses deliveries to one listener'],
    ['resume', 'operatorResumeListener', resumeListener, 'Resumes deliveries to the listener'],
  ] as const)
    api.post(
      `/callbacks/${verb}`,
      withScope('callbacks', { operationId, summary, body: ListenerBody, response: { 200: Done } }),
      async ({ ctx, body: { accountName, serviceName } }) => {
        const tenant = await findNamedAccount(ctx, accountName);
        return doneOr(act(ctx, tenant, serviceName), operatorFaults.noListener);
      },
    );
};
