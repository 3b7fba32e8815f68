import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { RETENTION } from '../../platform/config/retention-table.ts';
import type { FeedStatus } from '../../platform/feeds/feed-watch.ts';
import { listNodes } from '../../platform/health/list-nodes.ts';
import { withScope } from './route.ts';

/** Retention in days, by the name of the setting's row. */
export type RetentionDays = Readonly<Record<keyof typeof RETENTION, number>>;

/** A process that has not reported for this long is gone or hangs. */
const GONE_SECONDS = 5;

const Check = Type.Object({ check: Type.String(), reason: Type.String() });

const WireFeed = Type.Unsafe<FeedStatus>(
  Type.Object({
    feed: Type.String({ description: 'usage, positions or readings' }),
    ratePerSecond: Type.Number({ description: 'Records per second over the last minute' }),
    taken: Type.Integer({ description: 'Since the process started, including duplicates' }),
    rejected: Type.Integer(),
    reasons: Type.Array(
      Type.Object({
        reason: Type.String(),
        records: Type.Integer(),
        at: Type.String({ format: 'date-time', description: 'When it last occurred' }),
      }),
      { description: 'The last ten reasons why records were rejected, newest first' },
    ),
  }),
);

const WireService = Type.Object({
  processes: Type.Array(
    Type.Object({
      nodeId: Type.String(),
      role: Type.String(),
      upSeconds: Type.Integer(),
      silentSeconds: Type.Integer({ description: 'Since its last report' }),
      state: Type.Enum(['ready', 'not ready', 'gone']),
      failing: Type.Array(Check, { description: 'Checks that keep it from being ready' }),
      notices: Type.Array(Check, { description: 'Problems that do not keep it from working' }),
      feeds: Type.Array(WireFeed),
    }),
  ),
  retention: Type.Array(
    Type.Object({
      setting: Type.String(),
      days: Type.Integer(),
      about: Type.String({ description: 'The kept data, as the setting describes it' }),
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

/** The service itself: its processes, its feeds and its retention times. */
export const serviceRoutes =
  (retentionDays: RetentionDays): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.get(
      '/service',
      withScope('read', {
        operationId: 'operatorReadService',
        summary:
          'Reads the state of the processes, with the checks that fail and the feeds of each, and the retention times',
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
