import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { UUID_PATTERN } from '../../../kernel/uuid.ts';
import { refuse } from '../../../platform/context/fault.ts';
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
  ratePerSecond: Type.Number({ description: 'Orders done in a second, over the last minute' }),
  backlog: Type.Integer({ description: 'Orders that are not done, counted up to 100,000' }),
  lagSeconds: Type.Number({ description: 'The age of the oldest of them' }),
  differences: Type.Integer({ description: 'Lines that it has otherwise than they are here' }),
  lastError: Type.Union([Type.String(), Type.Null()]),
  lastErrorAt: Type.Union([Type.Unsafe<Date>({ type: 'string', format: 'date-time' }), Type.Null()]),
});

const WireFeed = Type.Object({
  name: Type.String(),
  kind: Type.String({ description: 'files or radius' }),
  state: Type.String({ description: 'up, paused, or down where no process takes it' }),
  processes: Type.Integer({ description: 'Processes that take it' }),
  ratePerSecond: Type.Number({ description: 'Records in a second, over the last minute' }),
  backlog: Type.Integer({ description: 'Files or packets that wait' }),
  lagSeconds: Type.Number({ description: 'The age of the oldest of them' }),
  accepted: Type.Integer({ description: 'Records, since the processes started; so are the next two' }),
  duplicates: Type.Integer(),
  rejected: Type.Integer(),
  busyWith: Type.Union([Type.String(), Type.Null()]),
  lastError: Type.Union([Type.String(), Type.Null()]),
  lastErrorAt: Type.Union([Type.Unsafe<Date>({ type: 'string', format: 'date-time' }), Type.Null()]),
});

const WireDifference = Type.Object({
  kind: Type.String(),
  device: Type.String(),
  imsi: Type.String(),
  accountName: Type.String(),
  element: Type.String(),
  here: Type.String({ description: 'active, suspended, gone or unknown' }),
  there: Type.String({ description: 'The same, or unconfirmed where the element did not say' }),
  since: Type.Unsafe<Date>({ type: 'string', format: 'date-time' }),
});

const WireCheck = Type.Object({
  jobId: Type.String(),
  state: Type.Enum(['checking', 'repairing', 'done', 'failed'], {
    description:
      'repairing: every line was looked at, and elements have orders to be as it is here. failed: some account could not be checked',
  }),
  accounts: Type.Integer({ description: 'Accounts that it is about, as far as they are listed' }),
  accountsEnded: Type.Integer({ description: 'Accounts whose lines were all looked at, or cannot be' }),
  lines: Type.Integer({ description: 'Lines of these accounts' }),
  checked: Type.Integer({ description: 'Lines that were looked at' }),
  differences: Type.Integer({ description: 'Lines that an element had otherwise than they are here' }),
  unanswered: Type.Integer({ description: 'Lines of which an element did not say how it has them' }),
  silent: Type.Array(Type.String(), {
    description: 'Elements that said nothing of a whole batch of lines: they were not asked for the rest',
  }),
  left: Type.Integer({ description: 'Lines of these accounts that differ now, counted up to 100,000' }),
  repairing: Type.Integer({ description: 'Orders to repair them that are not done, counted likewise' }),
});

const ElementParams = Type.Object({ element: Type.String({ maxLength: 64 }) });
const WireState = Type.Object({ name: Type.String(), paused: Type.Boolean() });
const OrderState = Type.Object({ orderId: Type.String(), state: Type.String() });

function afterOf(page: string | undefined) {
  const [element = '', imsi = '', ecpdId = ''] = pageKey(page, PAGE_KEYS.name)?.split(' ') ?? [];
  return page === undefined ? undefined : { element, imsi, ecpdId };
}

/** What lines have behind them: how it is, what differs, and what can be done about it. */
export const networkRoutes =
  (given: CheckedNetwork | undefined, feeds: readonly KnownFeed[]): FastifyPluginAsyncTypebox =>
  async (api) => {
    const network = () => given ?? refuse(operatorFaults.noNetwork);

    api.get(
      '/network',
      withScope('read', {
        operationId: 'operatorReadNetwork',
        summary:
          'The network elements behind the lines, and the feeds that networks send: state, rate, backlog and last error of each',
        response: {
          200: Type.Object({ elements: Type.Array(WireElement), feeds: Type.Array(WireFeed) }),
        },
      }),
      async ({ ctx }) => ({
        elements: given === undefined ? [] : [...(await listElements(ctx, given))],
        feeds: [...(await listFeeds(ctx, feeds))],
      }),
    );

    for (const verb of ['pause', 'resume'] as const)
      api.post(
        `/network/:element/${verb}`,
        withScope('admin', {
          operationId: verb === 'pause' ? 'operatorPauseElement' : 'operatorResumeElement',
          summary:
            verb === 'pause'
              ? 'Holds back the orders to one network element, which do not age meanwhile, or takes nothing from one feed'
              : 'Lets orders go to the network element again, or takes the feed again',
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
        summary: 'Lines that a network element has otherwise than they are here',
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
        summary: 'Compares lines with their network elements, and repairs what differs if you ask for it',
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
        summary: 'How far a check of lines is, and what it has found',
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
        summary: 'Says what became of an order that a network element took to confirm it later',
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
