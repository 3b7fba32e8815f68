import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { inTx } from '../../../../platform/context/context.ts';
import { viewerOfAccount } from '../../../../platform/http/access.ts';
import { type FleetPosition, listFleetPositions, listPositionNews } from '../../../locations/index.ts';
import { AccountParams } from '../../schemas.ts';
import { NEWS_MAX, POSITIONS_PAGE, WireNews, WirePositions } from './schemas.ts';

/** A millionth of a degree is a tenth of a metre. */
const DECIMALS = 6;
const degrees = (value: number): number => Number(value.toFixed(DECIMALS));

const toColumns = (positions: readonly FleetPosition[]) => ({
  ids: positions.map(({ deviceId }) => deviceId),
  names: positions.map(({ name }) => name),
  latitudes: positions.map(({ latitude }) => degrees(latitude)),
  longitudes: positions.map(({ longitude }) => degrees(longitude)),
  radii: positions.map(({ radiusM }) => Math.round(radiusM)),
  times: positions.map(({ at }) => Math.floor(at.getTime() / 1_000)),
});

/** Who writes positions may commit a while after the moment that they write. */
const OVERLAP_SECONDS = 10;
const newsSince = (now: Date): number => Math.floor(now.getTime() / 1_000) - OVERLAP_SECONDS;

export const mapRoutes: FastifyPluginAsyncTypebox = async (api) => {
  const access = viewerOfAccount();

  api.get(
    '/accounts/:accountName/positions',
    {
      config: { access },
      schema: {
        operationId: 'consoleListPositions',
        summary: 'Where devices were last located, as precisely as their consent allows now',
        params: AccountParams,
        querystring: Type.Object({
          page: Type.Optional(Type.String({ pattern: '^[0-9]{1,18}$' })),
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: POSITIONS_PAGE })),
        }),
        response: { 200: WirePositions },
      },
    },
    async ({ ctx, tenant, query: { page: after = '0', limit = POSITIONS_PAGE } }) => {
      const readAt = ctx.now();
      // A connection of its own: a page has thousands of devices.
      const { positions, next } = await inTx(ctx, (tx) => listFleetPositions(tx, tenant, { after, limit }));
      return { ...toColumns(positions), newsSince: newsSince(readAt), ...(next !== undefined && { next }) };
    },
  );

  api.get(
    '/accounts/:accountName/positions/news',
    {
      config: { access },
      schema: {
        operationId: 'consoleListPositionNews',
        summary: 'The same for devices whose position came to be known since a moment',
        params: AccountParams,
        querystring: Type.Object({
          since: Type.Integer({ minimum: 0, maximum: 9_999_999_999, description: 'Seconds since 1970' }),
        }),
        response: { 200: WireNews },
      },
    },
    async ({ ctx, tenant, query: { since } }) => {
      const readAt = ctx.now();
      const asked = { since: new Date(since * 1_000), limit: NEWS_MAX };
      const { positions, more } = await listPositionNews(ctx, tenant, asked);
      return { ...toColumns(positions), newsSince: newsSince(readAt), more };
    },
  );
};
