import { arrayText } from '../../../platform/db/array-text.ts';
import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { sql } from '../../../platform/db/sql.ts';
import { AREA_MOST_M } from './sql-area.ts';

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
  /** Undefined where only the area was told. */
  readonly cell: number | undefined;
  /** The technology, as cells have it; undefined where it was not told. */
  readonly radio: string | undefined;
}

/**
 * Where cells are that are known, or else their areas, where it is sure which are meant: areas of several technologies may have
 * one number. `nth` counts from 0.
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
