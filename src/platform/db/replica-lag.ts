import { type Loop, unreportedLoop } from '../health/health.ts';
import type { Db } from './db.ts';
import { sql, upkeep } from './sql.ts';

const PROBE_MS = 250;
/** How many positions of the primary are remembered while the replica is behind them: minutes of them. */
const MARKS_MAX = 1_000;

/** Positions in a log mean something only within one cluster and one timeline of it. */
interface Line {
  readonly cluster: bigint;
  readonly timeline: number;
}
interface Mark extends Line {
  readonly sentAt: number;
  readonly position: bigint;
}

/** The name of the file it writes tells its timeline; the control file would not before the first checkpoint after a failover. */
const WRITTEN = sql`
  select (at - '0/0'::pg_lsn)::int8 as position, system_identifier as cluster,
    ('x' || left(pg_walfile_name(at), 8))::bit(32)::int as timeline
  from pg_control_system(), pg_current_wal_insert_lsn() as at`;

/**
 * Null of a server that is no replica: it proves nothing. Its timeline is never ahead of what it has replayed, but may be told
 * late; the receiver tells it at once, to whom it may.
 */
const REPLAYED = sql`
  select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::int8 end as replayed,
    system_identifier as cluster,
    greatest(timeline_id, min_recovery_end_timeline, (select received_tli from pg_stat_wal_receiver)) as timeline
  from pg_control_system(), pg_control_checkpoint(), pg_control_recovery()`;

/**
 * Proves how old the replica is without comparing clocks: what the primary had written when it was asked, and the
 * replica has replayed since, was committed before that moment. Asked of the two servers themselves, because a replica
 * that has lost its primary believes to be up to date.
 */
export async function measureLag({
  primary,
  replica,
  loop = unreportedLoop,
}: Readonly<Record<'primary' | 'replica', Db>> & { readonly loop?: Loop }) {
  let marks: Mark[] = [];
  let provenAt = Number.NEGATIVE_INFINITY;
  let foreign = false;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const probe = async () => {
    const sentAt = performance.now();
    const written = await primary.one<Omit<Mark, 'sentAt'>>(upkeep(WRITTEN));
    marks = [...marks.slice(1 - MARKS_MAX), { ...written, sentAt }];
    const there = await replica.one<Line & { replayed: bigint | null }>(upkeep(REPLAYED));
    const { replayed } = there;
    const isOn = ({ cluster, timeline }: Line) => cluster === there.cluster && timeline === there.timeline;
    foreign = !isOn(written);
    if (replayed === null) return;
    const reached = marks.findLast((mark) => isOn(mark) && mark.position <= replayed);
    if (reached === undefined) return;
    provenAt = reached.sentAt;
    marks = marks.filter((mark) => mark.sentAt > reached.sentAt);
  };
  const probing = async () => {
    await probe().then(loop.passed, loop.failed);
    if (!stopped) timer = setTimeout(probing, PROBE_MS);
  };
  loop.begin();
  await probing();
  return {
    /** How old an answer of the replica may be by now; infinite before the first proof. */
    behindMs: () => performance.now() - provenAt,
    /** True while it is a replica of something else, or of what the primary was before a failover. */
    isForeign: () => foreign,
    /** What was known of a server that just failed is worth nothing. */
    distrust: () => {
      provenAt = Number.NEGATIVE_INFINITY;
      marks = [];
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
