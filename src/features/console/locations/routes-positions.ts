import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { UUID_PATTERN } from '../../../kernel/uuid.ts';
import { type Ctx, inTx, type Tenant } from '../../../platform/context/context.ts';
import { refuse } from '../../../platform/context/fault.ts';
import { next } from '../../../platform/http/page-place.ts';
import { DEVICE_STATES, findDevice } from '../../devices/index.ts';
import {
  columnsOf,
  getHistory,
  listFleetPositions,
  listPositionCells,
  listPositionNews,
  type PositionColumns,
} from '../../locations/index.ts';
import { consoleFaults } from '../errors.ts';
import { AccountParams, Milliseconds, MS_MAX, NumberedPageQuery, ofAccount, Timestamp } from '../schemas.ts';

/** Devices in one answer: four answers have a fleet of a hundred thousand. */
const POSITIONS_PAGE = 25_000;
const NEWS_MAX = 5_000;
/** A transaction may commit some seconds after the time that it writes. */
const OVERLAP_SECONDS = 10;

const STATES = DEVICE_STATES.map((state, n) => `${n} ${state}`).join(', ');

/** In columns, because there are many rows: the nth entries of all columns belong together. */
const WirePositions = Type.Object({
  ids: Type.Array(Type.String()),
  names: Type.Array(Type.String()),
  latitudes: Type.Array(Type.Number()),
  longitudes: Type.Array(Type.Number()),
  radii: Type.Array(Type.Number(), { description: 'Metres' }),
  times: Type.Array(Type.Integer(), { description: 'Seconds since 1970' }),
  states: Type.Array(Type.Integer(), { description: `State of the line: ${STATES}` }),
  newsSince: Type.Integer({ description: 'Seconds since 1970. The next call for news passes it as `since`' }),
  next,
  more: Type.Boolean({ description: 'There is too much news: read all positions again' }),
});

/** No map shows more squares than this on its longer side. */
const ACROSS_MAX = 64;
/** In columns: the nth entries of all columns belong to one square and tone. */
const WireCells = Type.Object({
  level: Type.Integer({ description: 'How many times the squares of the world, 8 by 8, were halved' }),
  columns: Type.Array(Type.Integer(), { description: 'Position of the square, from the west' }),
  rows: Type.Array(Type.Integer(), { description: 'Position of the square, from the north' }),
  tones: Type.Array(Type.Integer(), {
    description: `By state: ${STATES}. By age: 0 within an hour, 1 within a day, 2 within a week, 3 older`,
  }),
  counts: Type.Array(Type.Integer(), { description: 'Devices of this tone in the square' }),
  latitudes: Type.Array(Type.Number(), { description: 'Of their centre' }),
  longitudes: Type.Array(Type.Number(), { description: 'Of their centre' }),
  wests: Type.Array(Type.Number()),
  souths: Type.Array(Type.Number()),
  easts: Type.Array(Type.Number()),
  norths: Type.Array(Type.Number()),
  ids: Type.Array(Type.String(), { description: 'One of the devices' }),
});

const HISTORY_PAGE = 5_000;

const WireHistory = Type.Object({
  shown: Type.Enum(['precise', 'coarse', 'withheld'], { description: 'What the current consent allows' }),
  fixes: Type.Array(
    Type.Object({
      at: Timestamp,
      accuracy: Type.Enum(['coarse', 'precise']),
      latitude: Type.Number(),
      longitude: Type.Number(),
      radiusM: Type.Number({ description: 'Metres' }),
    }),
    { description: 'Newest first' },
  ),
  next: Type.Optional(Type.Integer({ description: 'The `to` of the next page; absent at the end' })),
});

/** The columns are JSON already. Parsing and writing them again would take longer than the query. */
function writeAnswer(columns: PositionColumns, rest: object): string {
  const written = Object.entries(columns).map(([name, column]) => `${JSON.stringify(name)}:${column}`);
  return `{${written.join(',')},${JSON.stringify(rest).slice(1)}`;
}

async function listPage(ctx: Ctx, tenant: Tenant, asked: { readonly after: string; readonly limit: number }) {
  // On a connection of its own, because a page has thousands of devices.
  const page = await inTx(ctx, (tx) => listFleetPositions(tx, tenant, asked));
  return { ...page, more: false };
}

async function listNews(ctx: Ctx, tenant: Tenant, since: number) {
  const asked = { since: new Date(since * 1_000), limit: NEWS_MAX };
  const { positions, more } = await listPositionNews(ctx, tenant, asked);
  return { columns: columnsOf(positions), more };
}

export const positionRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '/accounts/:accountName/positions',
    ofAccount(
      'consoleListPositions',
      'Last known positions of devices, as precisely as their consent allows now, or only those recorded since a given time',
      WirePositions,
      {
        params: AccountParams,
        querystring: Type.Object({
          page: NumberedPageQuery.properties.page,
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: POSITIONS_PAGE })),
          since: Type.Optional(
            Type.Integer({ minimum: 0, maximum: 9_999_999_999, description: 'Seconds since 1970' }),
          ),
        }),
      },
    ),
    async ({ ctx, tenant, query: { page: after = '0', limit = POSITIONS_PAGE, since } }, reply) => {
      const newsSince = Math.floor(ctx.now().getTime() / 1_000) - OVERLAP_SECONDS;
      const { columns, ...rest } =
        since === undefined
          ? await listPage(ctx, tenant, { after, limit })
          : await listNews(ctx, tenant, since);
      reply.type('application/json; charset=utf-8');
      return writeAnswer(columns, { newsSince, ...rest }) as unknown as Static<typeof WirePositions>;
    },
  );

  api.get(
    '/accounts/:accountName/position-cells',
    ofAccount(
      'consoleListPositionCells',
      'Last known positions of devices, counted by squares of the map, as precisely as their consent allows now',
      WireCells,
      {
        params: AccountParams,
        querystring: Type.Object({
          across: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: ACROSS_MAX,
              default: 32,
              description: 'Maximum number of squares on the longer side of the area',
            }),
          ),
          by: Type.Optional(
            Type.Enum(['state', 'age'], { default: 'state', description: 'What the tones stand for' }),
          ),
        }),
      },
    ),
    async ({ ctx, tenant, query: { across = 32, by = 'state' } }) => {
      // On a connection of its own, because it reads all devices of the account.
      const cells = await inTx(ctx, (tx) => listPositionCells(tx, tenant, { across, by }));
      return {
        level: cells[0]?.level ?? 0,
        columns: cells.map(({ column }) => column),
        rows: cells.map(({ row }) => row),
        tones: cells.map(({ tone }) => tone),
        counts: cells.map(({ count }) => count),
        latitudes: cells.map(({ latitude }) => latitude),
        longitudes: cells.map(({ longitude }) => longitude),
        wests: cells.map(({ west }) => west),
        souths: cells.map(({ south }) => south),
        easts: cells.map(({ east }) => east),
        norths: cells.map(({ north }) => north),
        ids: cells.map(({ deviceId }) => deviceId),
      };
    },
  );

  api.get(
    '/accounts/:accountName/devices/:deviceId/positions',
    ofAccount(
      'consoleListPositionsOfDevice',
      'Positions of a device over time, newest first, as precisely as its consent allows now',
      WireHistory,
      {
        params: Type.Object({
          ...AccountParams.properties,
          deviceId: Type.String({ pattern: UUID_PATTERN }),
        }),
        querystring: Type.Object({
          from: Type.Optional(Milliseconds),
          to: Type.Optional(Milliseconds),
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: HISTORY_PAGE, default: 1_000 })),
        }),
      },
    ),
    async ({ ctx, tenant, params: { deviceId }, query: { from = 0, to = MS_MAX, limit = 1_000 } }) => {
      if ((await findDevice(ctx.db, { ...tenant, deviceId })) === undefined) refuse(consoleFaults.noDevice);
      const span = { from: new Date(from), to: new Date(to), limit };
      const { shown, fixes, next } = await getHistory(ctx, tenant, deviceId, span);
      return { shown, fixes: [...fixes], ...(next && { next: next.getTime() }) };
    },
  );
};
