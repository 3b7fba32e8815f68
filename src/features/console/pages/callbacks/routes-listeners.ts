import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { refuse } from '../../../../platform/context/fault.ts';
import { operatorsOnly, viewerOfAccount } from '../../../../platform/http/access.ts';
import {
  type CheckListenerAddress,
  checkBefore,
  pauseListener,
  registerListener,
  removeListener,
  resumeListener,
} from '../../../callbacks/index.ts';
import { consoleFaults } from '../../errors.ts';
import { AccountParams, Done } from '../../schemas.ts';
import { readListeners } from './read-callbacks.ts';
import { ListenerParams, RegisterBody, WireListeners } from './schemas.ts';

export const listenerRoutes =
  (checkAddress: CheckListenerAddress): FastifyPluginAsyncTypebox =>
  async (api) => {
    const checked = checkBefore(checkAddress);
    const LISTENER = '/accounts/:accountName/callbacks/listeners/:serviceName';

    api.get(
      '/accounts/:accountName/callbacks/listeners',
      {
        config: { access: viewerOfAccount() },
        schema: {
          operationId: 'consoleListListeners',
          summary: 'Listeners of the account and how they are doing; their credentials are not shown',
          params: AccountParams,
          response: { 200: WireListeners },
        },
      },
      ({ ctx, tenant }) => readListeners(ctx, tenant),
    );

    api.put(
      LISTENER,
      {
        config: { access: viewerOfAccount('callbacks') },
        preHandler: checked.preHandler,
        schema: {
          operationId: 'consoleRegisterListener',
          summary:
            'Registers a listener or changes it; the answer has the secret that its messages are signed with, if it is new',
          params: ListenerParams,
          body: RegisterBody,
          response: { 200: Type.Object({ secret: Type.Optional(Type.String()) }) },
        },
      },
      async (request) => {
        const { ctx, tenant, params, body } = request;
        const { serviceName } = params;
        const { url, username, password, rotateSecret = false, removeCredentials = false } = body;
        const keepCredentials = !removeCredentials;
        const registration = { serviceName, url, username, password, rotateSecret, keepCredentials };
        const { secret, isNew } = await registerListener(
          ctx,
          tenant,
          registration,
          checked.problemOf(request),
        );
        return isNew ? { secret } : {};
      },
    );

    api.delete(
      LISTENER,
      {
        config: { access: viewerOfAccount('callbacks') },
        schema: {
          operationId: 'consoleRemoveListener',
          summary: 'Removes a listener; what waits for it fails and can be re-sent',
          params: ListenerParams,
          response: { 200: Done },
        },
      },
      async ({ ctx, tenant, params }) =>
        (await removeListener(ctx, tenant, params.serviceName))
          ? { success: true }
          : refuse(consoleFaults.noListener),
    );

    api.post(
      `${LISTENER}/pause`,
      {
        config: { access: viewerOfAccount('callbacks') },
        schema: {
          operationId: 'consolePauseListener',
          summary: 'Holds back what is to be delivered to a listener, or delivers again; for operators',
          params: ListenerParams,
          body: Type.Object({ paused: Type.Boolean() }),
          response: { 200: Done },
        },
      },
      async ({ ctx, viewer, tenant, params, body }) => {
        if (viewer.kind !== 'operator') refuse(operatorsOnly);
        const act = body.paused ? pauseListener : resumeListener;
        return (await act(ctx, tenant, params.serviceName))
          ? { success: true }
          : refuse(consoleFaults.noListener);
      },
    );
  };
