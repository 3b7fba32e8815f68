import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { UUID_PATTERN } from '../../../kernel/uuid.ts';
import { refuse } from '../../../platform/context/fault.ts';
import { type KnownSource, listSources } from '../../locations/index.ts';
import {
  type CheckedNetwork,
  confirmLater,
  findCheckProgress,
  listDifferences,
  listElements,
  pauseElement,
  resumeElement,
  startCheck,
} from '../../network/index.ts';
import { type KnownFeed, listFeeds, setFeedPaused } from '../../network-feeds/index.ts';
import { operatorFaults } from '../errors.ts';
import { findNamedAccount, PAGE_KEYS, paged, pageKey, withScope } from '../route.ts';
import { PageQuery } from '../schemas.ts';

const WireElement = Type.Object({
  name: Type.String(),
  kind: Type.String(),
  state: Type.String({ description: 'up, silent or paused' }),
  ratePerSecond: Type.Number({ description: 'Orders done per second over the last minute' }),
  backlog: Type.Integer({ description: 'Orders not done yet, counted up to 100,000' }),
  lagSeconds: Type.Number({ description: 'The age of the oldest of them' }),
  differences: Type.Integer({ description: 'Lines that the element has otherwise than they are here' }),
  lastError: Type.Union([Type.String(), Type.Null()]),
  lastErrorAt: Type.Union([Type.Unsafe<Date>({ type: 'string', format: 'date-time' }), Type.Null()]),
});

const WireFeed = Type.Object({
  name: Type.String(),
  kind: Type.String({ description: 'files or radius' }),
  state: Type.String({
    description: 'up, failing if something keeps it from its work, paused, or down if no process takes it',
  }),
  problem: Type.Union([Type.String(), Type.Null()], { description: 'What keeps it from its work now' }),
  processes: Type.Integer({ description: 'Processes that take it' }),
  ratePerSecond: Type.Number({ description: 'Records per second over the last minute' }),
  backlog: Type.Integer({ description: 'Waiting files or packets' }),
  lagSeconds: Type.Number({ description: 'The age of the oldest of them' }),
  accepted: Type.Integer({ description: 'Records since the processes started, as in the next two' }),
  duplicates: Type.Integer(),
  rejected: Type.Integer(),
  busyWith: Type.Union([Type.String(), Type.Null()]),
  lastError: Type.Union([Type.String(), Type.Null()]),
  lastErrorAt: Type.Union([Type.Unsafe<Date>({ type: 'string', format: 'date-time' }), Type.Null()]),
});

const WireSource = Type.Object({
  name: Type.String(),
  kind: Type.String(),
  state: Type.String({ description: 'up, or silent if it did not answer last' }),
  lastError: Type.Union([Type.String(), Type.Null()]),
  lastErrorAt: Type.Union([Type.Unsafe<Date>({ type: 'string', format: 'date-time' }), Type.Null()]),
});

const WireDifference = Type.Object({
  kind: Type.String(),
  device: Type.String(),
  imsi: Type.String(),
  accountName: Type.String(),
  element: Type.String(),
  here: Type.String({
    description:
      'active, suspended, gone or unknown; then what else differs, such as: active, msisdn 15551230001',
  }),
  there: Type.String({ description: 'The same, or unconfirmed if the element did not answer' }),
  since: Type.Unsafe<Date>({ type: 'string', format: 'date-time' }),
});

const WireCheck = Type.Object({
  jobId: Type.String(),
  state: Type.Enum(['checking', 'repairing', 'done', 'failed'], {
    description:
      'repairing: every line was checked, and elements have orders to match the state here. failed: some account could not be checked',
  }),
  accounts: Type.Integer({ description: 'Accounts to check, as far as they are listed yet' }),
  accountsEnded: Type.Integer({ description: 'Accounts whose lines are all checked or cannot be checked' }),
  lines: Type.Integer({ description: 'Lines of these accounts' }),
  checked: Type.Integer({ description: 'Lines that every element that can tell has answered for' }),
  skipped: Type.Integer({
    description: 'Lines that were not asked about: no element can tell, or they were being changed',
  }),
  differences: Type.Integer({ description: 'Lines that an element had otherwise than they are here' }),
  unanswered: Type.Integer({ description: 'Lines for which an element did not answer' }),
  silent: Type.Array(Type.String(), {
    description:
      'Elements that answered for no line of a whole batch; the rest of the lines is skipped for them',
  }),
  left: Type.Integer({ description: 'Lines of these accounts that differ now, counted up to 100,000' }),
  repairing: Type.Integer({ description: 'Repair orders that are not done yet, counted the same way' }),
});

const ElementParams = Type.Object({ element: Type.String({ maxLength: 64 }) });
const WireState = Type.Object({ name: Type.String(), paused: Type.Boolean() });
const OrderState = Type.Object({ orderId: Type.String(), state: Type.String() });

function afterOf(page: string | undefined) {
  const [element = '', imsi = '', ecpdId = ''] = pageKey(page, PAGE_KEYS.name)?.split(' ') ?? [];
  return page === undefined ? undefined : { element, imsi, ecpdId };
}

/** The network elements that serve the lines: their state, differences and repairs. */
export const networkRoutes =
  (
    given: CheckedNetwork | undefined,
    feeds: readonly KnownFeed[],
    sources: readonly KnownSource[],
  ): FastifyPluginAsyncTypebox =>
  async (api) => {
    const network = () => given ?? refuse(operatorFaults.noNetwork);

    api.get(
      '/network',
      withScope('read', {
        operationId: 'operatorReadNetwork',
        summary:
          'Reads the network elements that serve the lines, the feeds that networks send and the sources of positions: state and last error of each, rate and backlog',
        response: {
          200: Type.Object({
            elements: Type.Array(WireElement),
            feeds: Type.Array(WireFeed),
            positions: Type.Array(WireSource),
          }),
        },
      }),
      async ({ ctx }) => ({
        elements: given === undefined ? [] : [...(await listElements(ctx, given))],
        feeds: [...(await listFeeds(ctx, feeds))],
        positions: [...(await listSources(ctx, sources))],
      }),
    );

    for (const verb of ['pause', 'resume'] as const)
      api.post(
        `/network/:element/${verb}`,
        withScope('admin', {
          operationId: verb === 'pause' ? 'operatorPauseElement' : 'operatorResumeElement',
          summary:
            verb === 'pause'
              ? 'Pauses the orders to one network element, which do not age while paused, or pauses one feed'
              : 'Resumes the orders to the network element, or the feed',
          params: ElementParams,
          response: { 200: WireState },
        }),
        async ({ ctx, params: { element: name }, operator }) => {
          if (feeds.some((feed) => feed.name === name)) {
            await setFeedPaused(ctx.db, name, verb === 'pause' ? operator.keyName : undefined, ctx.now());
            return { name, paused: verb === 'pause' };
          }
          const { network: lines, elements } = network();
          if (!elements.some(({ element }) => element.name === name)) refuse(operatorFaults.noElement);
          if (verb === 'pause') await pauseElement(ctx, name, operator.keyName);
          else await resumeElement(ctx, lines, name);
          return { name, paused: verb === 'pause' };
        },
      );

    api.get(
      '/network/differences',
      withScope('read', {
        operationId: 'operatorListDifferences',
        summary: 'Lists lines that a network element has otherwise than they are here',
        querystring: Type.Object({
          ...PageQuery.properties,
          accountName: Type.Optional(Type.String({ maxLength: 32 })),
        }),
        response: { 200: Type.Array(WireDifference) },
      }),
      async ({ ctx, query: { page, limit = 100, accountName } }, reply) =>
        paged(
          reply,
          await listDifferences(ctx.db, { accountName, after: afterOf(page), limit }),
          limit,
          ({ element, imsi, ecpdId }) => `${element} ${imsi} ${ecpdId}`,
        ),
    );

    api.post(
      '/network/check',
      withScope('admin', {
        operationId: 'operatorCheckNetwork',
        summary: 'Compares lines with their network elements, and repairs differences on request',
        body: Type.Object({
          accountName: Type.Optional(Type.String({ maxLength: 32 })),
          repair: Type.Optional(Type.Boolean()),
        }),
        response: { 202: Type.Object({ jobId: Type.String() }) },
      }),
      async ({ ctx, body: { accountName, repair = false } }, reply) => {
        network();
        const account = accountName === undefined ? undefined : await findNamedAccount(ctx, accountName);
        return reply.code(202).send({ jobId: await startCheck(ctx, { account, repair }) });
      },
    );

    api.get(
      '/network/check/:jobId',
      withScope('read', {
        operationId: 'operatorReadCheck',
        summary: 'Reads the progress and the findings of a check of lines',
        params: Type.Object({ jobId: Type.String({ pattern: UUID_PATTERN }) }),
        response: { 200: WireCheck },
      }),
      async ({ ctx, params: { jobId } }) => ({
        jobId,
        ...((await findCheckProgress(ctx, jobId)) ?? refuse(operatorFaults.noCheck)),
      }),
    );

    api.post(
      '/network/orders/:orderId',
      withScope('feed', {
        operationId: 'operatorConfirmOrder',
        summary: 'Confirms the outcome of an order that a network element accepted for later confirmation',
        params: Type.Object({ orderId: Type.String({ pattern: UUID_PATTERN }) }),
        body: Type.Object({
          outcome: Type.Enum(['done', 'failed']),
          reason: Type.Optional(Type.String({ maxLength: 300 })),
        }),
        response: { 200: OrderState },
      }),
      async ({ ctx, params: { orderId }, body }) => {
        const state = await confirmLater(ctx, network(), orderId, body);
        return { orderId, state: state ?? refuse(operatorFaults.noOrder) };
      },
    );
  };
