import { arrayText } from '../../../platform/db/array-text.ts';
import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { sql } from '../../../platform/db/sql.ts';
import { AREA_MOST_M } from './sql-area.ts';

/** A cell and its position. */
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

/** The last import of a cell counts. Rows are ordered by key, so that two concurrent imports cannot deadlock. */
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
  /** Undefined if not reported: an LTE cell has one name in its network. */
  readonly area: number | undefined;
  /** Undefined if only the area was reported. */
  readonly cell: number | undefined;
  /** The technology, as cell tables name it; undefined if not reported. */
  readonly radio: string | undefined;
}

/**
 * The positions of known cells, or else of their areas. An area counts only if it is unambiguous: areas of several
 * technologies may share one number. `nth` counts from 0.
 */
export const listCells = (db: Db, asked: readonly AskedCell[]) =>
  db.many<{ nth: number; latitude: number; longitude: number; radiusM: number }>(sql`
    select (i.nth - 1)::int as nth, coalesce(c.latitude, a.latitude) as latitude, coalesce(c.longitude, a.longitude) as longitude,
      coalesce(c.radius_m, a.radius_m) as "radiusM"
    from unnest(${plainArray(asked.map(({ mcc }) => mcc))}::int[], ${plainArray(asked.map(({ net }) => net))}::int[],
      ${plainArray(asked.map(({ area }) => area ?? null))}::bigint[], ${plainArray(asked.map(({ cell }) => cell ?? null))}::bigint[],
      ${arrayText(asked.map(({ radio }) => radio))}::text[])
      with ordinality as i (mcc, net, area, cell, radio, nth)
    left join lateral (
      select latitude, longitude, radius_m from radio_cell c
      where c.mcc = i.mcc and c.net = i.net and c.cell = i.cell and (i.area is null or c.area = i.area)
      order by c.radius_m, c.area, c.radio limit 1
    ) c on true
    left join lateral (
      select min(latitude) as latitude, min(longitude) as longitude, min(radius_m) as radius_m from radio_area a
      where a.mcc = i.mcc and a.net = i.net and a.area = i.area and (i.radio is null or a.radio = i.radio)
        and a.radius_m <= ${AREA_MOST_M}::float8
      having count(*) = 1
    ) a on true
    where c.latitude is not null or a.latitude is not null
    order by i.nth`);
