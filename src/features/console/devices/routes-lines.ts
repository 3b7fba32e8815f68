import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { UUID_PATTERN } from '../../../kernel/uuid.ts';
import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import { refuse } from '../../../platform/context/fault.ts';
import { calledBy, viewerOfAccount } from '../../../platform/http/access.ts';
import { listOutcomes } from '../../callbacks/index.ts';
import { DEVICES_MAX, getLines } from '../../carrier-requests/index.ts';
import { labelDevices } from '../../devices/index.ts';
import { consoleFaults } from '../errors.ts';
import { AccountParams, ofAccount, PageQuery, TextOrNull } from '../schemas.ts';
import { listLines } from './list-lines.ts';

const LINE_STATES = ['waiting', 'done', 'failed'] as const;
const Uuid = Type.String({ pattern: UUID_PATTERN });
const Uuids = Type.Array(Uuid, { minItems: 1, maxItems: DEVICES_MAX });
const Refs = Type.Array(Type.Object({ kind: Type.String(), id: Type.String() }));

const WireLines = Type.Object({
  operation: Type.String(),
  status: Type.Enum(['Pending', 'Success', 'Failure']),
  requested: Type.Integer(),
  succeeded: Type.Integer(),
  failed: Type.Integer(),
  lines: Type.Array(
    Type.Object({
      deviceId: TextOrNull,
      name: TextOrNull,
      ids: Refs,
      state: Type.Enum([...LINE_STATES]),
      reason: Type.Unsafe<string | null>({ ...TextOrNull, description: 'Why it was refused' }),
      callback: Type.Optional(
        Type.Object(
          { messageId: Type.String(), state: Type.Enum(['pending', 'delivered', 'failed']) },
          { description: 'Absent as long as there is none, and without a listener' },
        ),
      ),
    }),
    { description: 'In the order of the request' },
  ),
  next: Type.Optional(Type.Integer({ description: 'Absent at the end' })),
});

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

interface LinesAsked {
  readonly state: (typeof LINE_STATES)[number] | undefined;
  readonly after: number;
  readonly limit: number;
}

/** The lines of a request, each with what became of its callback. */
async function followRequest(ctx: Ctx, tenant: Tenant, requestId: string, asked: LinesAsked) {
  const { request, lines } =
    (await getLines(ctx, tenant, requestId, asked)) ?? refuse(consoleFaults.noRequest);
  const ids = lines.flatMap((line) => line.ids.map(({ id }) => id));
  const outcomes = await listOutcomes(ctx.db, tenant, [request.requestId], ids);
  const byId = new Map(
    outcomes.toReversed().flatMap((outcome) => outcome.ids.map((id) => [id, outcome] as const)),
  );
  const last = lines.at(-1);
  return {
    operation: request.operation,
    status: request.status,
    requested: request.deviceCount,
    succeeded: request.succeeded,
    failed: request.failed,
    lines: lines.map((line) => {
      const callback = line.ids.map(({ id }) => byId.get(id)).find((found) => found !== undefined);
      return {
        ...line,
        ids: [...line.ids],
        ...(callback && { callback: { messageId: callback.messageId, state: callback.state } }),
      };
    }),
    ...(last && lines.length === asked.limit && { next: last.nth }),
  };
}

/** What is done to lines, and what came of it. */
export const lineRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '/accounts/:accountName/requests/:requestId/lines',
    ofAccount(
      'consoleListRequestLines',
      'How far a change of lines is, and what became of each line and of its callback',
      WireLines,
      {
        params: Type.Object({ ...AccountParams.properties, requestId: Uuid }),
        querystring: Type.Object({
          state: Type.Optional(Type.Enum([...LINE_STATES])),
          after: Type.Optional(Type.Integer({ minimum: 0, maximum: DEVICES_MAX })),
          limit: PageQuery.properties.limit,
        }),
      },
    ),
    ({ ctx, tenant, params: { requestId }, query: { state, after = -1, limit = 100 } }) =>
      followRequest(ctx, tenant, requestId, { state, after, limit }),
  );

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
