import { arrayText } from '../../../platform/db/array-text.ts';
import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { sql } from '../../../platform/db/sql.ts';

/** A cell and where it is. */
export interface RadioCell {
  readonly radio: string;
  readonly mcc: number;
  readonly net: number;
  readonly area: number;
  readonly cell: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly radiusM: number;
}

/** The last import of a cell counts. In the order of their keys, so that two imports wait and never in a circle. */
export const upsertCells = (db: Db, cells: readonly RadioCell[]) =>
  db.exec(sql`
    insert into radio_cell (radio, mcc, net, area, cell, latitude, longitude, radius_m)
    select * from unnest(${arrayText(cells.map(({ radio }) => radio))}::text[], ${plainArray(cells.map(({ mcc }) => mcc))}::int[],
      ${plainArray(cells.map(({ net }) => net))}::int[], ${plainArray(cells.map(({ area }) => area))}::bigint[],
      ${plainArray(cells.map(({ cell }) => cell))}::bigint[], ${plainArray(cells.map(({ latitude }) => latitude))}::float8[],
      ${plainArray(cells.map(({ longitude }) => longitude))}::float8[], ${plainArray(cells.map(({ radiusM }) => radiusM))}::float8[])
      as i (radio, mcc, net, area, cell, latitude, longitude, radius_m)
    order by mcc, net, cell, area, radio
    on conflict (mcc, net, cell, area, radio) do update
      set latitude = excluded.latitude, longitude = excluded.longitude, radius_m = excluded.radius_m`);

export interface AskedCell {
  readonly mcc: number;
  readonly net: number;
  /** Undefined where it was not told: a cell of LTE has one name in its network. */
  readonly area: number | undefined;
  readonly cell: number;
}

/** Where cells are that are known; `nth` counts from 0. */
export const listCells = (db: Db, asked: readonly AskedCell[]) =>
  db.many<{ nth: number; latitude: number; longitude: number; radiusM: number }>(sql`
    select distinct on (i.nth) (i.nth - 1)::int as nth, c.latitude, c.longitude, c.radius_m as "radiusM"
    from unnest(${plainArray(asked.map(({ mcc }) => mcc))}::int[], ${plainArray(asked.map(({ net }) => net))}::int[],
      ${plainArray(asked.map(({ area }) => area ?? null))}::bigint[], ${plainArray(asked.map(({ cell }) => cell))}::bigint[])
      with ordinality as i (mcc, net, area, cell, nth)
    join radio_cell c on c.mcc = i.mcc and c.net = i.net and c.cell = i.cell and (i.area is null or c.area = i.area)
    order by i.nth, c.radius_m, c.area, c.radio`);
