import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { sql, unprepared } from '../../../platform/db/sql.ts';
import { type ListenerFigures, SLICE_COUNTED_MAX, SLICE_SEEN, WAITING_COUNTED_MAX } from '../schemas.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Length of each slice, and how many of them are shown. */
export const FIGURE_SPANS = {
  hour: { stepMs: MINUTE_MS, slices: 60 },
  day: { stepMs: 30 * MINUTE_MS, slices: 48 },
  week: { stepMs: 3 * HOUR_MS, slices: 56 },
} as const;
export type FigureSpan = keyof typeof FIGURE_SPANS;

/** Slices before the first one shown: callbacks posted in them may still wait in those that are shown. */
const LEAD_IN = 20;
interface SliceRow {
  /** 0 is the first slice shown; earlier ones are negative. */
  readonly slice: number;
  readonly posted: number;
  readonly seen: number;
  readonly delivered: number;
  readonly failed: number;
  readonly pending: number;
  readonly medianMs: number | null;
  readonly slowMs: number | null;
}

/** How the number of waiting callbacks changes from one slice on, counting the sampled ones only. */
interface ChangeRow {
  /** The slice in which they were posted; null if before all of these. */
  readonly source: number | null;
  /** The first slice whose end shows the change. */
  readonly slice: number;
  readonly more: number;
}

interface Asked extends Tenant {
  readonly serviceName: string;
  /** The start of the first slice shown. */
  readonly start: Date;
  readonly stepMs: number;
  readonly slices: number;
  readonly now: Date;
}

/** The sampled callbacks `m`: the first ones of each slice, by the index of their lane. */
const seen = (
  { ecpdId, accountName, serviceName, start, stepMs, slices }: Asked,
  columns = sql`m.message_id, m.created_at`,
  limit = SLICE_SEEN,
) => sql`
  generate_series(${-LEAD_IN}::int, ${slices - 1}::int) as s (slice)
  cross join lateral (
    select ${columns} from callback_message m
    where m.ecpd_id = ${ecpdId} and m.account_name = ${accountName} and m.service_name = ${serviceName}
      and m.created_at >= ${start}::timestamptz + s.slice * ${stepMs}::int * interval '1 millisecond'
      and m.created_at < ${start}::timestamptz + (s.slice + 1) * ${stepMs}::int * interval '1 millisecond'
    order by m.created_at, m.message_id limit ${limit}) m`;

const countPosted = (db: Db, asked: Asked) =>
  db.many<Pick<SliceRow, 'slice' | 'posted'>>(
    unprepared(sql`
      select s.slice, count(*)::int as posted from ${seen(asked, sql`1 as one`, SLICE_COUNTED_MAX)} group by s.slice`),
  );

const listSlices = (db: Db, asked: Asked) =>
  db.many<Omit<SliceRow, 'posted'>>(
    unprepared(sql`
      select s.slice, count(*)::int as seen,
        count(*) filter (where p.waits is null and a.acknowledged)::int as delivered,
        count(*) filter (where p.waits is null and a.acknowledged is not true)::int as failed,
        count(*) filter (where p.waits)::int as pending,
        percentile_cont(0.5) within group (order by a.latency_ms) as "medianMs",
        percentile_cont(0.95) within group (order by a.latency_ms) as "slowMs"
      from ${seen(asked)}
      left join lateral (
        select true as waits from callback_pending w
        where w.ecpd_id = ${asked.ecpdId} and w.message_id = m.message_id limit 1) p on true
      left join lateral (
        select true as acknowledged, t.latency_ms from callback_attempt t
        where t.ecpd_id = ${asked.ecpdId} and t.message_id = m.message_id and t.status between 200 and 299
        order by t.series, t.attempt limit 1) a on true
      group by s.slice`),
  );

/** Attempts read per message: four of each series, for more re-sends of one message than are expected. */
const ATTEMPTS_SEEN = 40;

/**
 * A message waits from its creation, or from the start of a later series, until the series ends. The time of a
 * re-send request is known only while the message waits. For messages from before all slices, only the present state
 * is known.
 */
const listChanges = (db: Db, asked: Asked) => {
  const { ecpdId, accountName, serviceName, start, stepMs, now } = asked;
  const first = new Date(start.getTime() - LEAD_IN * stepMs);
  return db.many<ChangeRow>(
    unprepared(sql`
      with sampled as materialized (
        select s.slice, m.message_id, m.created_at, p.series as pending_series, p.due_at
        from ${seen(asked)}
        left join lateral (
          select w.series, w.due_at from callback_pending w
          where w.ecpd_id = ${ecpdId} and w.message_id = m.message_id limit 1) p on true),
      tried as materialized (
        select l.*, t.series, min(t.at) as first_at, max(t.at + t.latency_ms * interval '1 millisecond') as last_at
        from sampled l cross join lateral (
          select a.series, a.at, a.latency_ms from callback_attempt a
          where a.ecpd_id = ${ecpdId} and a.message_id = l.message_id
          order by a.series, a.attempt limit ${ATTEMPTS_SEEN}) t
        group by l.slice, l.message_id, l.created_at, l.pending_series, l.due_at, t.series),
      waited as (
        select slice, case when series = 1 then created_at else first_at end as began,
          case when series is distinct from pending_series then last_at end as ended from tried
        union all
        select slice, case when pending_series = 1 then created_at else due_at end, null from sampled l
        where pending_series is not null
          and not exists (select 1 from tried t where t.message_id = l.message_id and t.series = l.pending_series)
        union all
        select null, case when p.series = 1 then ${first}::timestamptz else least(p.due_at, ${now}::timestamptz) end, null
        from (
          select w.message_id, w.series, w.due_at from callback_pending w
          where w.ecpd_id = ${ecpdId} and w.account_name = ${accountName} and w.service_name = ${serviceName}
          limit ${WAITING_COUNTED_MAX}) p
        cross join lateral (
          select 1 from callback_message m
          where m.ecpd_id = ${ecpdId} and m.message_id = p.message_id and m.created_at < ${first} limit 1) m),
      changes as (
        select slice, began as at, 1 as more from waited
        union all
        select slice, ended, -1 from waited where ended is not null)
      select slice as source, floor(extract(epoch from at - ${start}::timestamptz) * 1000 / ${stepMs}::int)::int as slice,
        sum(more)::int as more
      from changes group by 1, 2`),
  );
};

/** Waiting callbacks at the end of each slice. Where a slice was only sampled, each callback stands for several. */
function addUp(
  slices: readonly Pick<SliceRow, 'slice' | 'posted' | 'seen'>[],
  changes: readonly ChangeRow[],
) {
  const weights = new Map(slices.map(({ slice, posted, seen: sampled }) => [slice, posted / sampled]));
  const weightOf = (source: number | null) => (source === null ? 1 : (weights.get(source) ?? 1));
  return (upTo: number): number =>
    Math.round(
      changes.reduce(
        (sum, { source, slice, more }) => (slice > upTo ? sum : sum + more * weightOf(source)),
        0,
      ),
    );
}

const NOTHING = { posted: 0, seen: 0, delivered: 0, failed: 0, pending: 0, medianMs: null, slowMs: null };

interface FigureQuery {
  readonly serviceName: string;
  readonly span: FigureSpan;
  /** Delivered callbacks older than this are deleted; failed ones are not. */
  readonly keptMs: number;
}

/**
 * A listener's figures by slice: the outcomes of the callbacks posted in it, the time of their successful attempts,
 * and how many waited at its end. Bounded, however much was sent.
 */
export async function getListenerFigures(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  tenant: Tenant,
  { serviceName, span, keptMs }: FigureQuery,
): Promise<ListenerFigures> {
  const { stepMs, slices } = FIGURE_SPANS[span];
  const nowMs = now().getTime();
  const startMs = (Math.floor(nowMs / stepMs) - slices + 1) * stepMs;
  const asked = { ...tenant, serviceName, stepMs, slices, start: new Date(startMs), now: now() };
  const [posted, sampled, changes] = await Promise.all([
    countPosted(db, asked),
    listSlices(db, asked),
    listChanges(db, asked),
  ]);
  const counts = new Map(posted.map((row) => [row.slice, row.posted]));
  const rows = new Map(
    sampled.map((row) => [row.slice, { ...row, posted: counts.get(row.slice) ?? row.seen }]),
  );
  const waiting = addUp([...rows.values()], changes);
  const shown = Array.from({ length: slices }, (_, slice) => ({
    at: new Date(startMs + slice * stepMs),
    ...(rows.get(slice) ?? NOTHING),
    waiting: waiting(slice),
  }));
  return { stepMs, slices: shown.filter(({ at }) => at.getTime() >= nowMs - keptMs) };
}
