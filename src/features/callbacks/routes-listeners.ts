import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { refuse } from '../../platform/context/fault.ts';
import { accountIn, calledBy } from '../../platform/http/access.ts';
import { EVENTS, eventsOf, LISTENER_SERVICES } from '../callback-payloads/index.ts';
import { FIGURE_SPANS, type FigureSpan, getListenerFigures } from './delivery/figures.ts';
import { getDeliveryHealth } from './delivery/health.ts';
import { callbackFaults } from './errors.ts';
import { checkBefore, registerListener } from './listeners/register-listener.ts';
import * as schemas from './schemas.ts';
import type { CheckListenerAddress } from './send-callback.ts';
import { fromWireService } from './wire.ts';

const DAY_MS = 86_400_000;
const access = accountIn('params');

const SERVICES = LISTENER_SERVICES.map((serviceName) => ({
  serviceName,
  events: eventsOf(serviceName).map((name) => ({ name, summary: EVENTS[name].summary })),
}));

const parseService = (text: string) => fromWireService(text) ?? refuse(callbackFaults.unknownService);

const changeRoute =
  (checkAddress: CheckListenerAddress): FastifyPluginAsyncTypebox =>
  async (api) => {
    const checked = checkBefore(checkAddress);
    api.put(
      '/callbacks/:accountName/name/:service',
      {
        // The answer can have a new secret, which is kept nowhere in plain text.
        config: { access, cookie: 'callbacks', idempotencyKey: false },
        preHandler: checked.preHandler,
        schema: {
          operationId: 'changeListener',
          summary: 'Changes the listener of a callback service, or registers one',
          description:
            'Unlike POST, which replaces a listener, this keeps the username and password that the body leaves out, ' +
            'as long as the URL stays on the same host. The answer has the webhook secret only if it is new.',
          params: schemas.ListenerParams,
          body: schemas.ChangeBody,
          response: { 200: schemas.ChangeAnswer },
        },
      },
      async (request) => {
        const { ctx, tenant, params, body } = request;
        const { url, username, password, rotateSecret = false, removeCredentials = false } = body;
        const serviceName = parseService(params.service);
        const { secret, isNew } = await registerListener(
          ctx,
          tenant,
          { serviceName, url, username, password, rotateSecret, keepCredentials: !removeCredentials },
          checked.problemOf(request),
        );
        return isNew ? { secret } : {};
      },
    );
  };

export interface ListenerDeps {
  readonly checkAddress: CheckListenerAddress;
  /** How long delivered callbacks are kept. There are no figures from before. */
  readonly deliveredDays: number;
}

/** The listeners of an account: their health, their figures, and changes that keep credentials. */
export const ownListenerRoutes =
  ({ checkAddress, deliveredDays }: ListenerDeps): FastifyPluginAsyncTypebox =>
  async (api, options) => {
    await changeRoute(checkAddress)(api, options);

    api.get(
      '/callbacks/:accountName/health',
      calledBy(access, {
        operationId: 'readCallbackHealth',
        summary: 'How the listeners of the account are doing',
        description:
          'Lists the listeners without their credentials, the outcome of the latest callbacks by the hour, ' +
          'and the callback services with the messages that each sends.',
        params: schemas.AccountParams,
        response: { 200: schemas.WireCallbackHealth },
      }),
      async ({ ctx, tenant }) => ({ ...(await getDeliveryHealth(ctx.db, tenant)), services: SERVICES }),
    );

    api.get(
      '/callbacks/:accountName/name/:service/figures',
      calledBy(access, {
        operationId: 'readListenerFigures',
        summary: 'Callbacks, response times and backlog of a listener over the last hour, day or week',
        params: schemas.ListenerParams,
        querystring: Type.Object({ span: Type.Enum(Object.keys(FIGURE_SPANS) as FigureSpan[]) }),
        response: { 200: schemas.WireListenerFigures },
      }),
      ({ ctx, tenant, params: { service }, query: { span } }) =>
        getListenerFigures(ctx, tenant, {
          serviceName: parseService(service),
          span,
          keptMs: deliveredDays * DAY_MS,
        }),
    );
  };
