import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { inTx } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { accountIn, calledBy } from '../../platform/http/access.ts';
import { EVENT_NAMES, EVENTS } from '../callback-payloads/index.ts';
import { callbackFaults } from './errors.ts';
import { postCallbacks } from './messages/post-callback.ts';
import { AccountParams } from './schemas.ts';

const access = accountIn('params');
const EventName = Type.Enum([...EVENT_NAMES]);
const Payload = Type.Object({}, { additionalProperties: true });

/** Many times the size of any message in the catalogue. */
const PAYLOAD_MAX_BYTES = 64 * 1024;
/** Room for the other members and for white space. */
const BODY_MAX_BYTES = 4 * PAYLOAD_MAX_BYTES;

const isTooLarge = (payload: object | undefined): boolean =>
  payload !== undefined && Buffer.byteLength(JSON.stringify(payload)) > PAYLOAD_MAX_BYTES;

/** Samples of every message, and test messages to a listener. */
export const testRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '/callbacks/:accountName/events/:event',
    calledBy(access, {
      operationId: 'readCallbackSample',
      summary: 'A sample payload of a message, and the callback service that sends it',
      description: 'Each attempt adds members of its own to the payload, such as username and callbackCount.',
      params: Type.Object({ ...AccountParams.properties, event: EventName }),
      response: {
        200: Type.Object({ serviceName: Type.String(), summary: Type.String(), payload: Payload }),
      },
    }),
    async ({ params: { event } }) => {
      const { serviceName, summary, sample } = EVENTS[event];
      return { serviceName, summary, payload: sample };
    },
  );

  api.post(
    '/callbacks/:accountName/test',
    {
      bodyLimit: BODY_MAX_BYTES,
      config: { access, cookie: 'callbacks' },
      schema: {
        operationId: 'sendTestCallback',
        summary: 'Sends a test message to the listener of its callback service',
        description:
          'The message is the sample, or the payload of the body. It is delivered, retried and logged like any other.',
        params: AccountParams,
        body: Type.Object({
          event: EventName,
          payload: Type.Optional(
            Type.Unsafe<object>({
              ...Payload,
              selects: true,
              description:
                'Sent instead of the sample, at most 64 KiB. Its requestId is replaced by a new one',
            }),
          ),
        }),
        response: { 200: Type.Object({ id: Type.String(), requestId: Type.String() }) },
      },
    },
    async ({ ctx, tenant: { ecpdId, accountName }, body: { event, payload } }) => {
      if (isTooLarge(payload)) refuse(callbackFaults.payloadTooLarge);
      const requestId = ctx.newId();
      const { serviceName, sample } = EVENTS[event];
      const callback = {
        accountName,
        serviceName,
        requestId,
        payload: { ...(payload ?? sample), requestId },
      };
      const [id] = await inTx(ctx, (tx) => postCallbacks(tx, ecpdId, [callback]));
      return { id: id!, requestId };
    },
  );
};
