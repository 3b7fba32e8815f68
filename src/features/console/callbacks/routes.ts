import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { inTx } from '../../../platform/context/context.ts';
import { viewerOfAccount } from '../../../platform/http/access.ts';
import {
  type CheckListenerAddress,
  checkBefore,
  EVENT_NAMES,
  EVENTS,
  eventsOf,
  getDeliveryHealth,
  LISTENER_SERVICES,
  postCallbacks,
  registerListener,
  WireDeliveryHealth,
} from '../../callbacks/index.ts';
import { AccountParams, ofAccount } from '../schemas.ts';

export const ServiceName = Type.Enum([...LISTENER_SERVICES]);

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

/** Listeners, how they are doing, and samples for them. */
export const listenerRoutes =
  (checkAddress: CheckListenerAddress): FastifyPluginAsyncTypebox =>
  async (api) => {
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
          params: Type.Object({ ...AccountParams.properties, serviceName: ServiceName }),
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

    api.post(
      '/accounts/:accountName/callbacks/test',
      {
        config,
        schema: {
          operationId: 'consoleSendTestEvent',
          summary:
            'Sends the sample of a message to the listener of its service, as any other message is sent',
          params: AccountParams,
          body: Type.Object({ event: Type.Enum([...EVENT_NAMES]) }),
          response: { 200: Type.Object({ id: Type.String(), requestId: Type.String() }) },
        },
      },
      async ({ ctx, tenant: { ecpdId, accountName }, body: { event } }) => {
        const requestId = ctx.newId();
        const { serviceName, sample } = EVENTS[event];
        const callback = { accountName, serviceName, requestId, payload: { ...sample, requestId } };
        const [id] = await inTx(ctx, (tx) => postCallbacks(tx, ecpdId, [callback]));
        return { id: id!, requestId };
      },
    );
  };
