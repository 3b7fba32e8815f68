import { type Loop, unreportedLoop } from '../health/health.ts';
import type { Db } from './db.ts';
import { sql, upkeep } from './sql.ts';

const PROBE_MS = 250;
/** How many positions of the primary are remembered until the replica reaches them: enough for minutes. */
const MARKS_MAX = 1_000;

/** Positions in a log are comparable only within one cluster and one timeline. */
interface Line {
  readonly cluster: bigint;
  readonly timeline: number;
}
interface Mark extends Line {
  readonly sentAt: number;
  readonly position: bigint;
}

/** The name of the current WAL file contains the timeline; the control file has it only after the first checkpoint after a failover. */
const WRITTEN = sql`
  select (at - '0/0'::pg_lsn)::int8 as position, system_identifier as cluster,
    ('x' || left(pg_walfile_name(at), 8))::bit(32)::int as timeline
  from pg_control_system(), pg_current_wal_insert_lsn() as at`;

/**
 * `replayed` is null on a server that is not a replica: it proves nothing. The timeline is never ahead of what was replayed,
 * but may lag behind; the receiver reports it at once, to users who may see it.
 */
const REPLAYED = sql`
  select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::int8 end as replayed,
    system_identifier as cluster,
    greatest(timeline_id, min_recovery_end_timeline, (select received_tli from pg_stat_wal_receiver)) as timeline
  from pg_control_system(), pg_control_checkpoint(), pg_control_recovery()`;

/**
 * Proves the age of the replica without comparing clocks. Everything that the primary had written when it was asked, and
 * that the replica has replayed since, was committed before that moment. Asks the two servers themselves, because a replica
 * that has lost its primary believes that it is up to date.
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
    /** Maximum age of an answer of the replica at present; infinite before the first proof. */
    behindMs: () => performance.now() - provenAt,
    /** True while it replicates another server, or the primary from before a failover. */
    isForeign: () => foreign,
    /** Call this after the server failed: what was known about it is worthless. */
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
