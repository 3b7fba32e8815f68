import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { RETENTION } from '../../platform/config/retention-table.ts';
import type { FeedStatus } from '../../platform/feeds/feed-watch.ts';
import { listNodes } from '../../platform/health/list-nodes.ts';
import { withScope } from './route.ts';

/** For how many days things are kept, by the name of the setting's row. */
export type RetentionDays = Readonly<Record<keyof typeof RETENTION, number>>;

/** A process that has not told for so long is gone, or stands still. */
const GONE_SECONDS = 5;

const Check = Type.Object({ check: Type.String(), reason: Type.String() });

const WireFeed = Type.Unsafe<FeedStatus>(
  Type.Object({
    feed: Type.String({ description: 'usage, positions or readings' }),
    ratePerSecond: Type.Number({ description: 'Records a second over the last minute' }),
    taken: Type.Integer({ description: 'Since the process has started, those that were known before too' }),
    rejected: Type.Integer(),
    reasons: Type.Array(
      Type.Object({
        reason: Type.String(),
        records: Type.Integer(),
        at: Type.String({ format: 'date-time', description: 'The last time' }),
      }),
      { description: 'The last ten for which records were rejected, the newest first' },
    ),
  }),
);

const WireService = Type.Object({
  processes: Type.Array(
    Type.Object({
      nodeId: Type.String(),
      role: Type.String(),
      upSeconds: Type.Integer(),
      silentSeconds: Type.Integer({ description: 'Since it was last heard of' }),
      state: Type.Enum(['ready', 'not ready', 'gone']),
      failing: Type.Array(Check, { description: 'What keeps it from being ready' }),
      notices: Type.Array(Check, { description: 'What is wrong and does not keep it from its work' }),
      feeds: Type.Array(WireFeed),
    }),
  ),
  retention: Type.Array(
    Type.Object({
      setting: Type.String(),
      days: Type.Integer(),
      about: Type.String({ description: 'What is kept for so long, as the setting describes it' }),
    }),
  ),
});

type Listed = Awaited<ReturnType<typeof listNodes>>[number];

function toWire({ nodeId, role, upSeconds, silentSeconds, status }: Listed) {
  const failing = [...(status?.failing ?? [])];
  const isGone = silentSeconds > GONE_SECONDS;
  const state: 'ready' | 'not ready' | 'gone' = isGone
    ? 'gone'
    : failing.length === 0
      ? 'ready'
      : 'not ready';
  return {
    ...{ nodeId, role, state, failing },
    upSeconds: Math.round(upSeconds),
    silentSeconds: Math.round(silentSeconds),
    notices: [...(status?.notices ?? [])],
    feeds: [...((status?.['feeds'] ?? []) as readonly FeedStatus[])],
  };
}

/** The service itself: who works, what it is fed, and how long it keeps things. */
export const serviceRoutes =
  (retentionDays: RetentionDays): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.get(
      '/service',
      withScope('read', {
        operationId: 'operatorReadService',
        summary:
          'The processes with what keeps each from being ready and what it is fed, and for how long things are kept',
        response: { 200: WireService },
      }),
      async ({ ctx }) => ({
        processes: (await listNodes(ctx.db)).map(toWire),
        retention: Object.entries(RETENTION).map(([name, [setting, , about]]) => ({
          setting,
          days: retentionDays[name as keyof typeof RETENTION],
          about,
        })),
      }),
    );
  };
