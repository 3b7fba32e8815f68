import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { withSession } from '../../../platform/http/access.ts';
import { createTrigger } from '../managing/create-trigger.ts';
import { deleteTrigger } from '../managing/delete-trigger.ts';
import { updateTrigger } from '../managing/update-trigger.ts';
import * as schemas from '../schemas.ts';
import { dropBlanks } from './drop-blanks.ts';

export const routesForWriting: FastifyPluginAsyncTypebox = async (api) => {
  api.post(
    '',
    {
      bodyLimit: schemas.BODY_MAX_BYTES,
      preValidation: dropBlanks,
      config: { access: withSession },
      schema: {
        operationId: 'createPricePlanTrigger',
        summary: 'A new trigger that notifies, suspends or changes plans when data usage meets its condition',
        body: schemas.CreateBody,
        response: { 200: schemas.TriggerIdAnswer },
      },
    },
    async ({ ctx, principal, body }) => ({ triggerId: await createTrigger(ctx, principal, body) }),
  );

  api.put(
    '',
    {
      bodyLimit: schemas.BODY_MAX_BYTES,
      preValidation: dropBlanks,
      config: { access: withSession },
      schema: {
        operationId: 'updatePricePlanTrigger',
        summary: 'Changes a trigger; what is absent stays as it is',
        body: schemas.UpdateBody,
        response: { 200: schemas.TriggerIdAnswer },
      },
    },
    async ({ ctx, principal, body }) => ({ triggerId: await updateTrigger(ctx, principal, body) }),
  );

  api.delete(
    '/:triggerId',
    {
      config: { access: withSession },
      schema: {
        operationId: 'deletePricePlanTrigger',
        summary: 'Removes a trigger; what it has fired stays on record',
        params: schemas.TriggerParams,
        response: { 200: schemas.TriggerIdAnswer },
      },
    },
    async ({ ctx, principal, params }) => ({
      triggerId: await deleteTrigger(ctx, principal, params.triggerId),
    }),
  );
};
