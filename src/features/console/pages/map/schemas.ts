import { Type } from 'typebox';

/** Devices read for one answer; a browser reads a fleet of a hundred thousand in four of them. */
export const POSITIONS_PAGE = 25_000;
export const NEWS_MAX = 5_000;

/** A column for each thing, for there are many rows: the nth of each belong together. */
export const columns = {
  ids: Type.Array(Type.String()),
  names: Type.Array(Type.String()),
  latitudes: Type.Array(Type.Number()),
  longitudes: Type.Array(Type.Number()),
  radii: Type.Array(Type.Number(), { description: 'Metres' }),
  times: Type.Array(Type.Integer(), { description: 'Seconds since 1970' }),
};

const newsSince = Type.Integer({ description: 'Seconds since 1970: news since then leave nothing out' });

export const WirePositions = Type.Object({ ...columns, newsSince, next: Type.Optional(Type.String()) });
export const WireNews = Type.Object({
  ...columns,
  newsSince,
  more: Type.Boolean({ description: 'There is too much news: read everything again' }),
});
