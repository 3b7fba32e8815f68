import { readRecordKey } from '../../kernel/record-key.ts';
import { isUuid } from '../../kernel/uuid.ts';
import type { CausedFilter, Tenant } from '../../platform/context/context.ts';
import { arrayText } from '../../platform/db/array-text.ts';
import type { Db } from '../../platform/db/db.ts';
import { isOlder, type NewestFirst } from '../../platform/db/newest-first.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql, trusted } from '../../platform/db/sql.ts';
import type { Firing, FiringCause, FiringCycle } from './firing.ts';

type FiringRow = Omit<Firing, 'cycle' | 'cause' | 'lineOf'> &
  FiringCycle & { readonly cause: FiringCause | null };

const COLUMNS =
  trusted(`firing_id as "firingId", trigger_id as "triggerId", kind, account_name as "accountName", subject,
  level_kind as "levelKind", level::float8 as level, cycle_from as "from", cycle_to as "to",
  counted_before::float8 as before, counted_after::float8 as after, threshold::float8 as threshold,
  usage_record_id as "usageRecordId", cause, rule_version as "ruleVersion", fired_at as "firedAt", late`);

/** The record that reached a level, by its id and source. */
export function namedRecord(key: string | null): Pick<Firing, 'usageRecordId' | 'usageRecordSource'> {
  if (key === null) return { usageRecordId: null };
  const { source, id } = readRecordKey(key);
  return { usageRecordId: id, ...(source !== undefined && { usageRecordSource: source }) };
}

const toFiring = ({ from, to, cause, usageRecordId, ...firing }: FiringRow): Firing => ({
  ...firing,
  ...namedRecord(usageRecordId),
  cycle: { from, to },
  ...(cause !== null && { cause }),
});

/**
 * Earlier firings of a row `f`: those of the cycle of its kind, so of similar length, with exactly its start. A firing from before boundaries had a history may name a
 * cycle that begins elsewhere by the present rules: then it is one of the cycle of this kind in which it fired.
 */
const firedBefore = (ecpdId: string) => sql`
  select 1 from firing e
  where e.ecpd_id = ${ecpdId} and e.trigger_id = f.trigger_id and e.subject = f.subject and e.line_of = f.line_of
    and e.level_kind = f.level_kind and e.level = f.level
    and (e.cycle_from = f.cycle_from
      or not e.exact and e.fired_at >= f.cycle_from and e.fired_at < f.cycle_to and e.fired_at < e.cycle_to)
    and e.cycle_to - e.cycle_from between (f.cycle_to - f.cycle_from) / 2 and (f.cycle_to - f.cycle_from) * 2`;

type FiringKey = Pick<Firing, 'triggerId' | 'subject' | 'lineOf' | 'levelKind' | 'level' | 'cycle'>;

/** Which keys have fired; `nth`, from 1, is the index in `asked`. */
export const listFired = (db: Db, ecpdId: string, asked: readonly FiringKey[]) =>
  db.many<{ nth: number }>(sql`
    select f.nth::int from unnest(
      ${plainArray(asked.map((f) => f.triggerId))}::uuid[], ${asked.map((f) => f.subject)}::text[],
      ${asked.map((f) => f.lineOf ?? '')}::text[], ${asked.map((f) => f.levelKind)}::text[],
      ${plainArray(asked.map((f) => f.level))}::bigint[],
      ${plainArray(asked.map((f) => f.cycle.from))}::timestamptz[], ${plainArray(asked.map((f) => f.cycle.to))}::timestamptz[])
      with ordinality as f (trigger_id, subject, line_of, level_kind, level, cycle_from, cycle_to, nth)
    cross join lateral (${firedBefore(ecpdId)} limit 1) e`);

/** Returns the ids of new firings. Rows are inserted in key order, so that concurrent callers cannot deadlock. */
export const insertFirings = (db: Db, ecpdId: string, firings: readonly Firing[], cause: string | null) =>
  db.many<{ firingId: string }>(sql`
    insert into firing (ecpd_id, trigger_id, subject, line_of, level_kind, level, cycle_from, cycle_to, firing_id, kind,
      account_name, counted_before, counted_after, threshold, usage_record_id, rule_version, fired_at, late, cause,
      caller_request_id)
    select p.ecpd_id, f.*, ${cause} from profile p cross join unnest(
      ${plainArray(firings.map((f) => f.triggerId))}::uuid[], ${arrayText(firings.map((f) => f.subject))}::text[],
      ${arrayText(firings.map((f) => f.lineOf ?? ''))}::text[], ${arrayText(firings.map((f) => f.levelKind))}::text[],
      ${plainArray(firings.map((f) => f.level))}::bigint[],
      ${plainArray(firings.map((f) => f.cycle.from))}::timestamptz[], ${plainArray(firings.map((f) => f.cycle.to))}::timestamptz[],
      ${plainArray(firings.map((f) => f.firingId))}::uuid[], ${arrayText(firings.map((f) => f.kind))}::text[],
      ${arrayText(firings.map((f) => f.accountName))}::text[], ${plainArray(firings.map((f) => f.before))}::numeric[],
      ${plainArray(firings.map((f) => f.after))}::numeric[], ${plainArray(firings.map((f) => f.threshold))}::numeric[],
      ${arrayText(firings.map((f) => f.usageRecordId ?? undefined))}::text[], ${plainArray(firings.map((f) => f.ruleVersion))}::int[],
      ${plainArray(firings.map((f) => f.firedAt))}::timestamptz[], ${arrayText(firings.map((f) => f.late))}::boolean[],
      ${arrayText(firings.map((f) => f.cause))}::text[])
      as f (trigger_id, subject, line_of, level_kind, level, cycle_from, cycle_to, firing_id, kind, account_name, counted_before,
            counted_after, threshold, usage_record_id, rule_version, fired_at, late, cause)
    where p.ecpd_id = ${ecpdId} and not exists (${firedBefore(ecpdId)})
    order by f.trigger_id, f.subject, f.line_of, f.level_kind, f.level, f.cycle_from
    on conflict (ecpd_id, trigger_id, subject, line_of, level_kind, level, cycle_from, cycle_to) do nothing
    returning firing_id as "firingId"`);

interface CausedFiring extends Pick<Firing, 'firingId' | 'triggerId' | 'kind' | 'accountName' | 'subject'> {
  readonly cause: string;
  readonly at: Date;
}

/** The first firings that each request caused. */
export const listCausedFirings = (db: Db, { causes, since, limit }: CausedFilter) =>
  db.many<CausedFiring>(sql`
    select firing_id as "firingId", trigger_id as "triggerId", kind, account_name as "accountName", subject,
      caller_request_id as cause, fired_at as at from (
      select *, row_number() over (partition by caller_request_id order by fired_at, firing_id) as nth
      from firing where caller_request_id = any(${causes}::text[]) and fired_at >= ${since}) of
    where nth <= ${limit} order by fired_at, firing_id`);

interface FiringFilter {
  /** Undefined: all profiles, for the operator. */
  readonly ecpdId: string | undefined;
  readonly triggerId: string | undefined;
  readonly accountName: string | undefined;
  readonly before: { readonly at: Date; readonly id: string } | undefined;
  /** No firings before this time. */
  readonly from?: Date | undefined;
  readonly limit: number;
}

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Newest first. Each condition is written only if it is used, so that the fitting index is chosen. */
export const listFirings = async (
  db: Db,
  { ecpdId, triggerId, accountName, before, from, limit }: FiringFilter,
): Promise<Firing[]> => {
  const rows = await db.many<FiringRow>(sql`
    select ${COLUMNS} from firing
    where (fired_at, firing_id) < (${before?.at ?? 'infinity'}::timestamptz, ${before?.id ?? LAST_ID}::uuid)
      ${from === undefined ? sql`` : sql`and fired_at >= ${from}`}
      ${ecpdId === undefined ? sql`` : sql`and ecpd_id = ${ecpdId}`}
      ${triggerId === undefined ? sql`` : sql`and trigger_id = ${triggerId}`}
      ${accountName === undefined ? sql`` : sql`and account_name = ${accountName}`}
    order by fired_at desc, firing_id desc limit ${limit}`);
  return rows.map(toFiring);
};

/** Firings of one line in the account, newest first. */
export const listFiringsOfDevice = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceId: string,
  page: NewestFirst,
): Promise<Firing[]> =>
  (
    await db.many<FiringRow>(sql`
      select ${COLUMNS} from firing
      where ecpd_id = ${ecpdId} and subject = ${deviceId} and account_name = ${accountName}
        and ${isOlder(sql`fired_at`, sql`firing_id::text`, page)}
      order by fired_at desc, firing_id desc limit ${page.limit}`)
  ).map(toFiring);

/** How many times triggers of an account fired, by days of its zone. */
export const countFiringsByDay = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { from, timeZone }: { readonly from: Date; readonly timeZone: string },
) =>
  db.many<{ readonly day: string; readonly firings: number }>(sql`
    select (fired_at at time zone ${timeZone})::date as day, count(*)::int as firings from firing
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and fired_at >= ${from}
    group by 1 order by 1`);

/** Concurrent batches commit in any order: an earlier firing may be committed up to this long after the newest one. */
const MARKED_MINUTES = 10;
const MARKED_MAX = 10_000;

/**
 * A text that changes whenever a trigger of the account fires, for clients that watch it. The newest firing alone would
 * miss one that fired at the same time or slightly earlier and was committed later.
 */
export const findFiringMark = (db: Db, { ecpdId, accountName }: Tenant): Promise<string> =>
  db.value<string>(sql`
    with newest as (
      select fired_at, firing_id from firing where ecpd_id = ${ecpdId} and account_name = ${accountName}
      order by fired_at desc, firing_id desc limit 1)
    select concat_ws(' ', (select firing_id from newest), count(*)) as mark from (
      select 1 from firing where ecpd_id = ${ecpdId} and account_name = ${accountName}
        and fired_at >= (select fired_at from newest) - make_interval(mins => ${MARKED_MINUTES})
      limit ${MARKED_MAX}) latest`);

/** The firings that still exist, in no order. */
export const listFiringsById = async (
  db: Db,
  ecpdId: string,
  firingIds: readonly string[],
): Promise<Firing[]> =>
  (
    await db.many<FiringRow>(sql`
      select ${COLUMNS} from firing
      where ecpd_id = ${ecpdId} and firing_id = any(${plainArray(firingIds)}::uuid[])`)
  ).map(toFiring);

const findFiringTime = (db: Db, ecpdId: string, firingId: string): Promise<Date | undefined> =>
  db.maybeValue<Date>(
    sql`select fired_at as "firedAt" from firing where ecpd_id = ${ecpdId} and firing_id = ${firingId}`,
  );

export interface FiringPage {
  readonly limit?: number;
  /** The last firing of the previous page. */
  readonly before?: string;
}

/** A page of a trigger's firings, newest first; undefined if no firing has the id in `before`. */
export async function listFiringPage(
  db: Db,
  trigger: { readonly ecpdId: string; readonly triggerId: string; readonly accountName?: string },
  { limit = 100, before: id }: FiringPage,
): Promise<Firing[] | undefined> {
  const at = id !== undefined && isUuid(id) ? await findFiringTime(db, trigger.ecpdId, id) : undefined;
  if (id !== undefined && at === undefined) return undefined;
  const before = at && id ? { at, id } : undefined;
  return listFirings(db, { accountName: undefined, ...trigger, before, limit });
}

/** The read across profiles takes no locks; each delete is for one profile. Returns how many it deleted. */
export async function deleteOldFirings(db: Db, before: Date, limit: number): Promise<number> {
  const old = await db.many<{ ecpdId: string; firingIds: string[] }>(sql`
    select ecpd_id as "ecpdId", array_agg(firing_id) as "firingIds" from (
      select ecpd_id, firing_id from firing where fired_at < ${before} and cycle_to < ${before}
      order by fired_at limit ${limit}) oldest
    group by ecpd_id`);
  let deleted = 0;
  for (const { ecpdId, firingIds } of old) {
    deleted += await db.exec(sql`
      delete from firing where ecpd_id = ${ecpdId} and firing_id = any(${plainArray(firingIds)}::uuid[])`);
  }
  return deleted;
}
