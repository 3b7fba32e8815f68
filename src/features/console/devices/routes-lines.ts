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
    { description: 'Without devices that are no lines of the account' },
  ),
});

const LabelBody = Type.Object({
  deviceIds: Uuids,
  name: Type.String({ minLength: 1, maxLength: 100 }),
  value: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    maxLength: 200,
    description: 'Null removes the label',
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
        summary: 'State and identifiers of up to 10,000 devices, for calls that change them',
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
      summary: 'Sets or removes a label of up to 10,000 devices',
      params: AccountParams,
      body: LabelBody,
      response: {
        200: Type.Object({
          changed: Type.Integer({
            description:
              'Without devices that had it already, have fifty others, or do not belong to the account',
          }),
        }),
      },
    }),
    async ({ ctx, tenant, body: { deviceIds, name, value } }) => ({
      changed: await labelDevices(ctx, tenant, deviceIds, { name, value }),
    }),
  );
};
