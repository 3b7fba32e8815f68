import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { inTx } from '../../../platform/context/context.ts';
import { refuse } from '../../../platform/context/fault.ts';
import { viewerOfAccount } from '../../../platform/http/access.ts';
import { EVENT_NAMES, EVENTS } from '../../callback-payloads/index.ts';
import { postCallbacks } from '../../callbacks/index.ts';
import { consoleFaults } from '../errors.ts';
import { AccountParams, ofAccount } from '../schemas.ts';

const EventName = Type.Enum([...EVENT_NAMES]);
const Payload = Type.Object({}, { additionalProperties: true });

/** Many times what any message of the catalogue has. */
const PAYLOAD_MAX_BYTES = 64 * 1024;
/** With its member names, the other members and what white space somebody writes. */
const BODY_MAX_BYTES = 4 * PAYLOAD_MAX_BYTES;

const isTooLarge = (payload: object | undefined): boolean =>
  payload !== undefined && Buffer.byteLength(JSON.stringify(payload)) > PAYLOAD_MAX_BYTES;

/** Samples of every message, and sending one, as it is or changed by hand. */
export const testEventRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '/accounts/:accountName/callbacks/events/:event',
    ofAccount(
      'consoleReadEvent',
      'The sample of a message, as its payload is before an attempt adds to it',
      Type.Object({ serviceName: Type.String(), summary: Type.String(), payload: Payload }),
      { params: Type.Object({ ...AccountParams.properties, event: EventName }) },
    ),
    async ({ params: { event } }) => {
      const { serviceName, summary, sample } = EVENTS[event];
      return { serviceName, summary, payload: sample };
    },
  );

  api.post(
    '/accounts/:accountName/callbacks/test',
    {
      bodyLimit: BODY_MAX_BYTES,
      config: { access: viewerOfAccount('callbacks') },
      schema: {
        operationId: 'consoleSendTestEvent',
        summary:
          'Sends the sample of a message, or another payload in its place, to the listener of its service, as any other message is sent',
        params: AccountParams,
        body: Type.Object({
          event: EventName,
          payload: Type.Optional(
            Type.Unsafe<object>({
              ...Payload,
              selects: true,
              description: `Sent instead of the sample, 64 KiB at most; its requestId is made anew`,
            }),
          ),
        }),
        response: { 200: Type.Object({ id: Type.String(), requestId: Type.String() }) },
      },
    },
    async ({ ctx, tenant: { ecpdId, accountName }, body: { event, payload } }) => {
      if (isTooLarge(payload)) refuse(consoleFaults.payloadTooLarge);
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
