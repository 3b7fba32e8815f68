import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type FaultKind, refuse } from '../../platform/context/fault.ts';
import { accountIn, calledBy } from '../../platform/http/access.ts';
import { addRoutes } from '../../platform/http/add-routes.ts';
import { callbackFaults, inArea } from './errors.ts';
import { checkBefore, registerListener, removeListener } from './listeners/register-listener.ts';
import { listListeners } from './listeners/sql-listener.ts';
import { type ListenerDeps, ownListenerRoutes } from './routes-listeners.ts';
import { type LogDeps, logRoutes } from './routes-log.ts';
import { resendRoutes } from './routes-resend.ts';
import { testRoutes } from './routes-test.ts';
import * as schemas from './schemas.ts';
import type { CheckListenerAddress } from './send-callback.ts';
import { bothNames, fromWireService, toWireListener } from './wire.ts';

export type { ListenerDeps, LogDeps };

/** All three paths use one registry and differ in spelling only. */
type CallbackPath = 'm2m' | 'fota' | 'loc';

const access = accountIn('params');
/** Credentials of a customer's listener: only operators who may take over the customer's users get them. */
const HANDS_OUT_SECRETS = 'admin';
const wordsOf =
  ({ dialect }: FastifyRequest) =>
  (kind: FaultKind): FaultKind =>
    inArea(kind, dialect.name);

const idOf = (verb: string, path: CallbackPath) => `${verb}${path[0]?.toUpperCase()}${path.slice(1)}`;

const registration =
  (path: CallbackPath, checkAddress: CheckListenerAddress): FastifyPluginAsyncTypebox =>
  async (api) => {
    const checked = checkBefore(checkAddress);
    api.post(
      '/callbacks/:accountName',
      {
        config: { access, cookie: HANDS_OUT_SECRETS },
        preHandler: checked.preHandler,
        schema: {
          operationId: idOf('registerListener', path),
          summary:
            'Registers or replaces the listener of a callback service; the header Webhook-Secret returns its secret',
          params: schemas.AccountParams,
          body: schemas.RegisterBody,
          response: { 200: schemas.RegisterAnswer },
        },
      },
      async (request, reply) => {
        const { ctx, tenant, body } = request;
        const words = wordsOf(request);
        const serviceName = fromWireService(body.name) ?? refuse(words(callbackFaults.unknownService));
        const { url, username, password, rotateSecret = false } = body;
        const registration = { serviceName, url, username, password, rotateSecret };
        const problem = checked.problemOf(request);
        const { secret } = await registerListener(ctx, tenant, registration, problem, words);
        reply.header('webhook-secret', secret);
        return {
          ...bothNames(tenant.accountName, serviceName),
          ...(path === 'loc' && { account: tenant.accountName }),
        };
      },
    );
  };

export const listenerRoutes =
  (path: CallbackPath, checkAddress: CheckListenerAddress): FastifyPluginAsyncTypebox =>
  async (api, options) => {
    await registration(path, checkAddress)(api, options);

    api.get(
      '/callbacks/:accountName',
      calledBy(
        access,
        {
          operationId: idOf('listListeners', path),
          summary: 'Lists the listeners of the account, with the credentials sent to them',
          params: schemas.AccountParams,
          response: { 200: Type.Array(schemas.WireListener) },
        },
        { cookie: HANDS_OUT_SECRETS },
      ),
      async ({ ctx, tenant }, reply) => {
        reply.header('cache-control', 'no-store');
        return (await listListeners(ctx.db, tenant)).map((listener) => toWireListener(listener, ctx.secrets));
      },
    );

    api.delete(
      '/callbacks/:accountName/name/:service',
      calledBy(
        access,
        {
          operationId: idOf('removeListener', path),
          summary: 'Removes a listener; its waiting callbacks fail and can be re-sent',
          params: schemas.ListenerParams,
          response: { 200: schemas.RemoveAnswer },
        },
        { cookie: 'callbacks' },
      ),
      async (request) => {
        const { ctx, tenant, params } = request;
        const words = wordsOf(request);
        const serviceName = fromWireService(params.service) ?? refuse(words(callbackFaults.unknownService));
        if (!(await removeListener(ctx, tenant, serviceName, words)))
          refuse(words(callbackFaults.noListener));
        return { ...bothNames(tenant.accountName, serviceName), ...(path !== 'm2m' && { success: true }) };
      },
    );
  };

/** Mounted at /m2m/v1: what the owner of an account reads and does about its listeners and deliveries. */
export const deliveryRoutes =
  (deps: ListenerDeps & LogDeps): FastifyPluginAsyncTypebox =>
  async (api) => {
    await addRoutes(api, [ownListenerRoutes(deps), logRoutes(deps), resendRoutes, testRoutes]);
  };
