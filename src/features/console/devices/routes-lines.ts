import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { UUID_PATTERN } from '../../../kernel/uuid.ts';
import { calledBy, viewerOfAccount } from '../../../platform/http/access.ts';
import { DEVICES_MAX } from '../../carrier-requests/index.ts';
import { labelDevices } from '../../devices/index.ts';
import { AccountParams, TextOrNull } from '../schemas.ts';
import { listLines } from './list-lines.ts';

const Uuid = Type.String({ pattern: UUID_PATTERN });
const Uuids = Type.Array(Uuid, { minItems: 1, maxItems: DEVICES_MAX });
const Refs = Type.Array(Type.Object({ kind: Type.String(), id: Type.String() }));

const WireNamed = Type.Object({
  lines: Type.Array(
    Type.Object({ deviceId: Type.String(), name: TextOrNull, state: Type.String(), ids: Refs }),
    { description: 'Without those that the account does not have' },
  ),
});

const LabelBody = Type.Object({
  deviceIds: Uuids,
  name: Type.String({ minLength: 1, maxLength: 100 }),
  value: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    maxLength: 200,
    description: 'Null takes the label away',
  }),
});

/** Lines that were selected elsewhere. */
export const lineRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.post(
    '/accounts/:accountName/devices/lines',
    calledBy(
      viewerOfAccount(),
      {
        operationId: 'consoleListLines',
        summary: 'State and identifiers of up to 10,000 devices, as calls that change them need it',
        params: AccountParams,
        body: Type.Object({ deviceIds: Uuids }),
        response: { 200: WireNamed },
      },
      { query: true },
    ),
    async ({ ctx, tenant, body: { deviceIds } }) => ({ lines: await listLines(ctx, tenant, deviceIds) }),
  );

  api.post(
    '/accounts/:accountName/devices/labels',
    calledBy(viewerOfAccount('fleet'), {
      operationId: 'consoleLabelDevices',
      summary: 'Gives up to 10,000 devices a label, or takes it away',
      params: AccountParams,
      body: LabelBody,
      response: {
        200: Type.Object({
          changed: Type.Integer({
            description: 'Without those that had it already, have fifty others or are not of the account',
          }),
        }),
      },
    }),
    async ({ ctx, tenant, body: { deviceIds, name, value } }) => ({
      changed: await labelDevices(ctx, tenant, deviceIds, { name, value }),
    }),
  );
};
