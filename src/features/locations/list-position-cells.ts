import type { Ctx, Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { type Query, sql, unprepared } from '../../platform/db/sql.ts';
import {
  allExcluded,
  findAccountAccuracy,
  joinOwnLevels,
  requireRegistered,
  type Shown,
  shownBy,
} from '../consents/index.ts';
import { DEVICE_STATES } from '../devices/index.ts';
import { DEGREE_PARTS, LOCATABLE } from './list-fleet-positions.ts';

/** Devices of one kind in one square of the map. */
interface PositionCell {
  /** How often the world is halved to get squares of this size. The same for all cells. */
  readonly level: number;
  /** The square's column and row, from the north-west corner of the Mercator map. */
  readonly column: number;
  readonly row: number;
  /** The state or the age, as requested. */
  readonly tone: number;
  readonly count: number;
  /** The average position. */
  readonly longitude: number;
  readonly latitude: number;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  /** One of the devices. */
  readonly deviceId: string;
}

interface Asked {
  /** At most this many squares along the longer side of all positions. */
  readonly across: number;
  readonly by: 'state' | 'age';
}

/** At level 0 the world has 2 to this power squares on each side. A square is 64 pixels wide at its level's zoom. */
const SQUARES_LOG2 = 3;
/** No map starts at a closer zoom. */
const LEVEL_MAX = 11;
/** The Mercator map ends at this latitude. */
const LATITUDE_MAX = 85.05;
const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];

/**
 * Counts an account's devices by squares of the map, so that a short answer is enough to draw a fleet of any size. The same
 * consent applies as to each single position.
 */
export async function listPositionCells(
  ctx: Ctx,
  tenant: Tenant,
  { across, by }: Asked,
): Promise<readonly PositionCell[]> {
  await requireRegistered(ctx, tenant);
  const { accuracy, differs } = await findAccountAccuracy(ctx.db, tenant);
  if (accuracy === 'nothing' && !differs) return [];
  const tone = toneOf(by, ctx.now());
  const known = differs
    ? newestOf(tenant, shownEach(tenant, accuracy), tone)
    : accuracy === 'coarse'
      ? coarseOf(tenant, tone)
      : newestOf(tenant, shownAll(tenant, accuracy), tone);
  return readCells(ctx.db, across, known);
}

/** The tone of a device `p` with the position `f`. */
function toneOf(by: Asked['by'], now: Date): Query {
  if (by === 'state') return sql`array_position(${DEVICE_STATES}::text[], p.state) - 1`;
  const since = (ms: number) => new Date(now.getTime() - ms);
  return sql`case when f.at >= ${since(HOUR_MS)}::timestamptz then 0 when f.at >= ${since(DAY_MS)}::timestamptz then 1
    when f.at >= ${since(7 * DAY_MS)}::timestamptz then 2 else 3 end`;
}

/** The devices, each with the accuracy that consent allows; here one consent for all. */
const shownAll = ({ ecpdId, accountName }: Tenant, accuracy: Shown): Query => sql`
  select d.device_id, d.state, ${accuracy}::text as shown from device d
  where d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and ${LOCATABLE}`;

/** When some devices have their own consent or are excluded. */
const shownEach = (tenant: Tenant, otherwise: Shown): Query => sql`
  select p.device_id, p.state, ${shownBy(sql`own.level`, otherwise)} as shown
  from (${shownAll(tenant, otherwise)}) p ${joinOwnLevels(tenant)}
  where p.device_id not in (${allExcluded(tenant)})`;

const coarseOf = (tenant: Tenant, tone: Query): Query => sql`
  select p.device_id, ${tone} as tone, f.latitude, f.longitude from (${shownAll(tenant, 'coarse')}) p
  join device_position f on f.ecpd_id = ${tenant.ecpdId} and f.device_id = p.device_id and f.accuracy = 'coarse'`;

/** The newer of a device's two positions, if it may be shown. Sorting all positions would take twice as long. */
const newestOf = (tenant: Tenant, shown: Query, tone: Query): Query => sql`
  select p.device_id, ${tone} as tone, f.latitude, f.longitude from (${shown}) p
  join device_position f on f.ecpd_id = ${tenant.ecpdId} and f.device_id = p.device_id
  left join device_position other
    on other.ecpd_id = ${tenant.ecpdId} and other.device_id = p.device_id and other.accuracy <> f.accuracy
  where (p.shown = 'coarse' and f.accuracy = 'coarse')
    or (p.shown = 'precise' and (other.device_id is null or (f.at, f.accuracy) > (other.at, other.accuracy)))`;

const readCells = (db: Db, across: number, known: Query) =>
  // The best plan depends on how many devices have their own consent.
  db.many<PositionCell>(
    unprepared(sql`
    with placed as materialized (
      select k.device_id, k.tone, k.latitude, k.longitude, 0.5 - ln((1 + k.sine) / (1 - k.sine)) / (4 * pi()) as y
      from (
        select k.device_id, k.tone, k.latitude, k.longitude,
          sin(radians(greatest(-${LATITUDE_MAX}::float8, least(${LATITUDE_MAX}::float8, k.latitude)))) as sine
        from (
          select k.device_id, k.tone, round(k.latitude * ${DEGREE_PARTS}::float8) / ${DEGREE_PARTS}::float8 as latitude,
            round(k.longitude * ${DEGREE_PARTS}::float8) / ${DEGREE_PARTS}::float8 as longitude
          from (${known}) k) k) k),
    whole as materialized (
      select level, 2::float8 ^ (level + ${SQUARES_LOG2}) as squares from (
        select greatest(0, least(${LEVEL_MAX}, floor(ln(${across}::float8
          / greatest((max(longitude) - min(longitude)) / 360, max(y) - min(y), 1e-9)) / ln(2::float8) - ${SQUARES_LOG2})))::int
          as level
        from placed) of_all)
    select w.level, floor((p.longitude + 180) / 360 * w.squares)::int as column, floor(p.y * w.squares)::int as row,
      p.tone::int as tone, count(*)::int as count, avg(p.longitude) as longitude, avg(p.latitude) as latitude,
      min(p.longitude) as west, min(p.latitude) as south, max(p.longitude) as east, max(p.latitude) as north,
      (array_agg(p.device_id))[1] as "deviceId"
    from placed p cross join whole w group by 1, 2, 3, 4`),
  );
