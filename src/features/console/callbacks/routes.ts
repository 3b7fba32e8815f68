import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { viewerOfAccount } from '../../../platform/http/access.ts';
import { EVENT_NAMES, EVENTS, eventsOf, LISTENER_SERVICES } from '../../callback-payloads/index.ts';
import {
  type CheckListenerAddress,
  checkBefore,
  FIGURE_SPANS,
  type FigureSpan,
  getDeliveryHealth,
  getListenerFigures,
  registerListener,
  WireDeliveryHealth,
  WireListenerFigures,
} from '../../callbacks/index.ts';
import { AccountParams, ofAccount } from '../schemas.ts';
import { ServiceName } from './schemas.ts';

const DAY_MS = 86_400_000;

const RegisterBody = Type.Object({
  url: Type.String({ minLength: 1, maxLength: 2_048 }),
  username: Type.Optional(Type.String({ maxLength: 40 })),
  password: Type.Optional(Type.String({ maxLength: 40 })),
  rotateSecret: Type.Optional(Type.Boolean()),
  removeCredentials: Type.Optional(
    Type.Boolean({
      description: 'Forgets username and password; else those that are absent are kept, at the same host',
    }),
  ),
});

const WireCallbacks = Type.Object({
  ...WireDeliveryHealth.properties,
  services: Type.Array(
    Type.Object({
      serviceName: ServiceName,
      events: Type.Array(Type.Object({ name: Type.Enum([...EVENT_NAMES]), summary: Type.String() })),
    }),
    { description: 'What can be listened for, and the messages of each' },
  ),
});
const SERVICES = LISTENER_SERVICES.map((serviceName) => ({
  serviceName,
  events: eventsOf(serviceName).map((name) => ({ name, summary: EVENTS[name].summary })),
}));

const ListenerParams = Type.Object({ ...AccountParams.properties, serviceName: ServiceName });

export interface ListenerDeps {
  readonly checkAddress: CheckListenerAddress;
  /** How long delivered callbacks are kept: nobody can tell a rate of what was before. */
  readonly deliveredDays: number;
}

/** Listeners, and how they are doing. */
export const listenerRoutes =
  ({ checkAddress, deliveredDays }: ListenerDeps): FastifyPluginAsyncTypebox =>
  async (api) => {
    const keptMs = deliveredDays * DAY_MS;
    const checked = checkBefore(checkAddress);
    const config = { access: viewerOfAccount('callbacks') };

    api.get(
      '/accounts/:accountName/callbacks',
      ofAccount(
        'consoleReadCallbacks',
        'Listeners of the account and how they are doing, without their credentials; what became of the last callbacks',
        WireCallbacks,
      ),
      async ({ ctx, tenant }) => ({ ...(await getDeliveryHealth(ctx.db, tenant)), services: SERVICES }),
    );

    // The interface replaces a listener whole, and nobody can be asked for credentials that are not shown.
    api.put(
      '/accounts/:accountName/callbacks/listeners/:serviceName',
      {
        config,
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
        const { url, username, password, rotateSecret = false, removeCredentials = false } = body;
        const { secret, isNew } = await registerListener(
          ctx,
          tenant,
          { ...params, url, username, password, rotateSecret, keepCredentials: !removeCredentials },
          checked.problemOf(request),
        );
        return isNew ? { secret } : {};
      },
    );

    api.get(
      '/accounts/:accountName/callbacks/listeners/:serviceName/figures',
      ofAccount(
        'consoleReadListenerFigures',
        'How a listener did over time: what became of callbacks, how long it took to answer, and how many waited',
        WireListenerFigures,
        {
          params: ListenerParams,
          querystring: Type.Object({ span: Type.Enum(Object.keys(FIGURE_SPANS) as FigureSpan[]) }),
        },
      ),
      ({ ctx, tenant, params: { serviceName }, query: { span } }) =>
        getListenerFigures(ctx, tenant, { serviceName, span, keptMs }),
    );
  };
