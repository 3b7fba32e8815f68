import type { Db } from '../db/db.ts';
import { isOlder, type NewestFirst } from '../db/newest-first.ts';
import { plainArray } from '../db/plain-array.ts';
import { findUnownedKey } from '../db/reachable.ts';
import { joinSql, type Query, sql, unprepared } from '../db/sql.ts';
import type { Ctx, Tenant } from './context.ts';

export interface AuditEntry {
  /** When the recorded change happened; now if absent. */
  readonly at?: Date | undefined;
  readonly action: string;
  readonly target?: string | undefined;
  readonly ecpdId?: string | undefined;
  readonly accountName?: string | undefined;
  readonly status?: number | undefined;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Identifies a line of the log. */
export interface AuditKey {
  readonly ecpdId: string;
  readonly id: bigint;
}

/**
 * Writes a line in the name of the actor. Call it before the change, or inside its transaction, so that every change has a
 * line that names its actor.
 */
export const writeAudit = ({ db, now, requestId, actor }: Ctx, entry: AuditEntry): Promise<AuditKey> =>
  db.one<AuditKey>(sql`
      insert into audit_entry (ecpd_id, at, actor_kind, actor, action, target, account_name, request_id, status, before, after)
      values (${entry.ecpdId ?? findUnownedKey(db)}, ${entry.at ?? now()}, ${actor.kind}, ${actor.name}, ${entry.action},
              ${entry.target ?? null}, ${entry.accountName ?? null}, ${requestId}, ${entry.status ?? null},
              ${entry.before ?? null}, ${entry.after ?? null})
      returning ecpd_id as "ecpdId", entry_id as id`);

/**
 * Makes many changes and writes their lines by one statement, in the name of the actor. `stepsAt` returns its common table
 * expressions, which change rows; `changes` returns target, account_name, before and after of each. The clock is read once,
 * so all times of the change are equal. Planned for the actual number of rows: a plan for a few would read all rows of an
 * account for each of a thousand. Returns the number of changes.
 *
 * On a cluster, rows whose profile comes from a table are written only on the profile's server. That server would also number
 * them, from a range of its own. So a part of the statement that reads no table assigns the numbers first.
 */
export async function writeAudited(
  { db, now, requestId, actor, chance }: Ctx,
  /** Undefined: belongs to no profile. */
  ecpdId: string | undefined,
  action: string,
  stepsAt: (at: Date) => Query,
  changes: Query,
): Promise<number> {
  const at = now();
  // The rows can be many and large: they are sorted only if the order must be the same each time.
  const changed = chance.repeats ? sql`(select * from change order by account_name, target) c` : sql`change`;
  const { audited } = await db.one<{ audited: number }>(
    unprepared(sql`
    with ${stepsAt(at)},
    change as materialized (${changes}),
    numbered as materialized (select nextval('audit_entry_entry_id_seq') as entry_id, * from ${changed}),
    audited as (
      insert into audit_entry (ecpd_id, entry_id, at, actor_kind, actor, action, target, account_name, request_id, before,
        after)
      overriding system value
      select p.ecpd_id, n.entry_id, ${at}, ${actor.kind}, ${actor.name}, ${action}, n.target, n.account_name, ${requestId},
        n.before, n.after
      from numbered n join ${
        ecpdId === undefined
          ? sql`(select ${findUnownedKey(db)}::text as ecpd_id) p on true`
          : sql`profile p on p.ecpd_id = ${ecpdId}`
      }
      returning entry_id)
    select count(*)::int as audited from audited`),
  );
  return audited;
}

export const setAuditStatus = (db: Db, { ecpdId, id }: AuditKey, status: number) =>
  db.exec(sql`update audit_entry set status = ${status} where ecpd_id = ${ecpdId} and entry_id = ${id}`);

/** The fields of a line that stands for many calls. */
export interface CountedCalls {
  readonly calls: number;
  /** ISO text. */
  readonly until: string;
}

/** Adds one call; calls may be counted at once and in any order. Returns false if the line no longer exists. */
export const countAuditedCall = async (
  db: Db,
  { ecpdId, id }: AuditKey,
  until: CountedCalls['until'],
): Promise<boolean> =>
  (await db.exec(sql`
    update audit_entry set after = jsonb_set(jsonb_set(after, '{calls}', ((after->>'calls')::bigint + 1)::text::jsonb),
      '{until}', ('"' || greatest(after->>'until', ${until}::text) || '"')::jsonb)
    where ecpd_id = ${ecpdId} and entry_id = ${id}`)) > 0;

/** Total size of the states in one page, so that a thousand large ones are not in memory at once. */
export const STATES_MAX_CHARS = 16 * 1024 * 1024;

interface Paged {
  /** Older lines exist: a page with large states may end before its limit. */
  readonly isFollowed: boolean;
}

/** The newest lines up to `limit`, or as many as fit; always at least one. */
const pageOf = (columns: Query, where: readonly Query[], limit: number): Query => sql`
    select ${columns}, e.is_followed as "isFollowed" from (
      select e.*, row_number() over newest as nth, sum(e.chars) over newest as chars_so_far,
        lead(e.entry_id) over newest is not null as is_followed
      from (
        select *, coalesce(length(before::text), 0) + coalesce(length(after::text), 0) as chars
        from audit_entry where ${joinSql(where, ' and ')} order by entry_id desc limit ${limit + 1}) e
      window newest as (order by e.entry_id desc)) e
    where e.nth = 1 or (e.nth <= ${limit} and e.chars_so_far <= ${STATES_MAX_CHARS})
    order by e.entry_id desc`;

interface AuditRow extends Paged {
  readonly id: string;
  readonly ecpdId: string;
  readonly at: Date;
  readonly actorKind: string;
  readonly actor: string;
  readonly action: string;
  readonly target: string | null;
  readonly accountName: string | null;
  readonly requestId: string;
  readonly status: number | null;
  readonly before: unknown;
  readonly after: unknown;
}

/** The condition of the index. Excludes reads, feeds, single records of an import (which has a line itself), and mere counters. */
const IS_CHANGE = sql`action !~ '^(operator(List|Read|Export|Feed)|import)' and (after->>'calls') is null`;

export interface AuditFilter {
  /** Only changes that somebody made. */
  readonly changes?: boolean | undefined;
  readonly accountName?: string | undefined;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly before?: bigint | undefined;
  readonly limit: number;
}

const AS_ROW = sql`e.entry_id::text as id, e.ecpd_id as "ecpdId", e.at, e.actor_kind as "actorKind", e.actor, e.action, e.target,
  e.account_name as "accountName", e.request_id as "requestId", e.status, e.before, e.after`;

export const listAudit = (
  db: Db,
  { accountName, actor, action, changes = false, before, limit }: AuditFilter,
) => {
  const where = [
    changes ? IS_CHANGE : sql`true`,
    ...(accountName === undefined ? [] : [sql`account_name = ${accountName}`]),
    ...(actor === undefined ? [] : [sql`actor = ${actor}`]),
    ...(action === undefined ? [] : [sql`action = ${action}`]),
    ...(before === undefined ? [] : [sql`entry_id < ${before}`]),
  ];
  return db.many<AuditRow>(pageOf(AS_ROW, where, limit));
};

interface AuditedChange<Action extends string>
  extends Pick<AuditRow, 'id' | 'at' | 'actorKind' | 'actor' | 'isFollowed'> {
  readonly action: Action;
  readonly before: string | null;
  readonly after: string | null;
}

const AS_CHANGE = sql`e.entry_id::text as id, e.at, e.actor_kind as "actorKind", e.actor, e.action, e.before::text,
  e.after::text`;

/** Newest first. States are text, because their numbers may have more digits than a JavaScript number holds. */
export const listChangesOf = <Action extends string>(
  db: Db,
  {
    tenant,
    target,
    actions,
    before,
    limit,
  }: {
    readonly tenant: Tenant;
    readonly target: string;
    readonly actions: readonly Action[];
    readonly before: bigint | undefined;
    readonly limit: number;
  },
) => {
  const where = [
    sql`ecpd_id = ${tenant.ecpdId} and account_name = ${tenant.accountName}`,
    sql`target = ${target} and action = any(${actions}::text[])`,
    ...(before === undefined ? [] : [sql`entry_id < ${before}`]),
  ];
  return db.many<AuditedChange<Action>>(pageOf(AS_CHANGE, where, limit));
};

interface ChangedFields extends Pick<AuditRow, 'at' | 'actor' | 'action'> {
  readonly key: string;
  readonly fields: readonly {
    readonly name: string;
    readonly before: string | null;
    readonly after: string | null;
  }[];
}

const FIELDS_SHOWN = 20;
const FIELD_CHARS = 200;

/** The changes of a target, newest first: the first fields that differ, shortened for display. */
export const listFieldChanges = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { target, since }: { readonly target: string; readonly since: Date },
  page: NewestFirst,
) => {
  const key = sql`lpad(entry_id::text, 20, '0')`;
  return db.many<ChangedFields>(sql`
    select lpad(e.entry_id::text, 20, '0') as key, e.at, e.actor, e.action, coalesce(c.fields, '[]') as fields from (
      select * from audit_entry
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and target = ${target} and at >= ${since}
        and ${isOlder(sql`at`, key, page)}
      order by at desc, entry_id desc limit ${page.limit}) e
    left join lateral (
      select jsonb_agg(jsonb_build_object('name', d.name, 'before', d.before, 'after', d.after) order by d.name) as fields from (
        select coalesce(b.key, a.key) as name, left(b.value, ${FIELD_CHARS}) as before, left(a.value, ${FIELD_CHARS}) as after
        from jsonb_each_text(coalesce(e.before, '{}')) b full join jsonb_each_text(coalesce(e.after, '{}')) a on a.key = b.key
        where b.value is distinct from a.value and coalesce(b.key, a.key) <> all(array['version', 'versionid', 'lastupdated'])
        order by 1 limit ${FIELDS_SHOWN}) d) c on true
    order by e.at desc, e.entry_id desc`);
};

/**
 * Erases the states in the lines of an account. Who did what to which target, and when, stays. Returns the last line that it
 * handled, or undefined at the end. Skips locked lines, which are about to be deleted for their age. Finds the lines of
 * a page by a list of ids, because a join with the page may compare each line of the log with each line of the page.
 */
export const eraseStatesOf = async (
  db: Db,
  /** Without an account: the whole profile, including lines that belong to none of its accounts. */
  { ecpdId, accountName }: Pick<Tenant, 'ecpdId'> & Partial<Tenant>,
  { after, limit }: { readonly after: bigint; readonly limit: number },
): Promise<bigint | undefined> =>
  (await db.value<bigint | null>(sql`
    with page as materialized (
      select entry_id from audit_entry
      where ecpd_id = ${ecpdId} ${accountName === undefined ? sql`` : sql`and account_name = ${accountName}`}
        and entry_id > ${after} and (before is not null or after is not null)
      order by entry_id limit ${limit} for update skip locked),
    erased as (
      update audit_entry set before = null, after = null
      where ecpd_id = ${ecpdId} and entry_id = any(array(select entry_id from page)))
    select max(entry_id) as last from page`)) ?? undefined;

export async function deleteAuditBefore(db: Db, before: Date, limit: number): Promise<number> {
  const old = await db.many<{ ecpdId: string; ids: bigint[] }>(sql`
    select ecpd_id as "ecpdId", array_agg(entry_id) as ids from (
      select ecpd_id, entry_id from audit_entry where at < ${before} order by at limit ${limit}) oldest
    group by ecpd_id`);
  let deleted = 0;
  for (const { ecpdId, ids } of old)
    deleted += await db.exec(sql`
      delete from audit_entry where ecpd_id = ${ecpdId} and entry_id = any(${plainArray(ids)}::bigint[])`);
  return deleted;
}
