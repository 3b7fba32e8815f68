import type { Db } from '../../../platform/db/db.ts';
import { sql } from '../../../platform/db/sql.ts';

const EARTH_M = 6_371_000;
/** This share of an area's cells lies within its radius. Collections contain a few cells that are far off. */
const COVERED = 0.95;
const LEAST_M = 20_000;
/** Areas with a larger radius are ignored: they say nothing about where a line is. */
export const AREA_MOST_M = 500_000;

/**
 * Computes the positions of a network's areas from all its known cells. The centre is averaged from points on a globe,
 * so it is also correct across the 180th meridian.
 */
export const refreshAreas = (db: Db, { mcc, net }: { readonly mcc: number; readonly net: number }) =>
  db.exec(sql`
    with point as materialized (
      select area, radio, radius_m, cosd(latitude) * cosd(longitude) as x, cosd(latitude) * sind(longitude) as y,
        sind(latitude) as z
      from radio_cell where mcc = ${mcc} and net = ${net}
    ), middle as (
      select area, radio, x / size as x, y / size as y, z / size as z from (
        select area, radio, avg(x) as x, avg(y) as y, avg(z) as z, sqrt(avg(x) ^ 2 + avg(y) ^ 2 + avg(z) ^ 2) as size
        from point group by area, radio
      ) m where size > 0
    ), reach as (
      select area, radio, percentile_disc(${COVERED}) within group (order by
        2 * ${EARTH_M}::float8 * asin(least(1, sqrt((p.x - m.x) ^ 2 + (p.y - m.y) ^ 2 + (p.z - m.z) ^ 2) / 2)) + p.radius_m) as radius_m
      from point p join middle m using (area, radio) group by area, radio
    )
    insert into radio_area (mcc, net, area, radio, latitude, longitude, radius_m)
    select ${mcc}, ${net}, area, radio, asind(greatest(-1, least(1, m.z))), atan2d(m.y, m.x), greatest(r.radius_m, ${LEAST_M}::float8)
    from middle m join reach r using (area, radio) order by area, radio
    on conflict (mcc, net, area, radio) do update
      set latitude = excluded.latitude, longitude = excluded.longitude, radius_m = excluded.radius_m`);
