import type { Actor, Ctx, Tenant } from './context.ts';
import type { Db } from './db/db.ts';
import { joinSql, type Query, sql } from './db/sql.ts';

export interface AuditEntry {
  /** When it is told of a change that has a moment of its own; now when absent. */
  readonly at?: Date | undefined;
  readonly actorKind: Actor['kind'];
  readonly actor: string;
  readonly action: string;
  readonly target?: string | undefined;
  readonly ecpdId?: string | undefined;
  readonly accountName?: string | undefined;
  readonly status?: number | undefined;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Call it before the act, or inside its transaction: nothing changes without a line that says who did it. */
export const writeAudit = async ({ db, now, requestId }: Ctx, entry: AuditEntry): Promise<bigint> =>
  (
    await db.one<{ id: bigint }>(sql`
      insert into audit_entry (at, actor_kind, actor, action, target, ecpd_id, account_name, request_id, status, before, after)
      values (${entry.at ?? now()}, ${entry.actorKind}, ${entry.actor}, ${entry.action}, ${entry.target ?? null},
              ${entry.ecpdId ?? null}, ${entry.accountName ?? null}, ${requestId}, ${entry.status ?? null},
              ${entry.before ?? null}, ${entry.after ?? null})
      returning entry_id as id`)
  ).id;

/**
 * Many changes and their lines by one statement, in the name of whoever acts. `stepsAt` gives its common table expressions,
 * which change rows; `changes` gives target, ecpd_id, account_name, before and after of each. The clock is read once: all
 * that is dated by the change has one moment. Answers how many there were.
 */
export function writeAudited(
  { db, now, requestId, actor }: Ctx,
  action: string,
  stepsAt: (at: Date) => Query,
  changes: Query,
): Promise<number> {
  const at = now();
  return db.exec(sql`
    with ${stepsAt(at)}
    insert into audit_entry (at, actor_kind, actor, action, target, ecpd_id, account_name, request_id, before, after)
    select ${at}, ${actor.kind}, ${actor.name}, ${action}, c.target, c.ecpd_id, c.account_name, ${requestId}, c.before, c.after
    from (${changes}) c`);
}

export const setAuditStatus = (db: Db, id: bigint, status: number) =>
  db.exec(sql`update audit_entry set status = ${status} where entry_id = ${id}`);

/** What a line that stands for many calls says of them. */
export interface CountedCalls {
  readonly calls: number;
  /** As ISO text. */
  readonly until: string;
}

/** One more; several may come at once, in any order. Answers false when the line is no longer there. */
export const countAuditedCall = async (db: Db, id: bigint, until: CountedCalls['until']): Promise<boolean> =>
  (await db.exec(sql`
    update audit_entry set after = jsonb_build_object('calls', (after->>'calls')::bigint + 1,
      'until', greatest(after->>'until', ${until}::text))
    where entry_id = ${id}`)) > 0;

export interface AuditRow {
  readonly id: string;
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

export interface AuditFilter {
  readonly accountName?: string | undefined;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly before?: bigint | undefined;
  readonly limit: number;
}

export const listAudit = (db: Db, { accountName, actor, action, before, limit }: AuditFilter) =>
  db.many<AuditRow>(sql`
    select entry_id::text as id, at, actor_kind as "actorKind", actor, action, target,
           account_name as "accountName", request_id as "requestId", status, before, after
    from audit_entry
    where ${joinSql(
      [
        sql`true`,
        ...(accountName === undefined ? [] : [sql`account_name = ${accountName}`]),
        ...(actor === undefined ? [] : [sql`actor = ${actor}`]),
        ...(action === undefined ? [] : [sql`action = ${action}`]),
        ...(before === undefined ? [] : [sql`entry_id < ${before}`]),
      ],
      ' and ',
    )}
    order by entry_id desc limit ${limit}`);

export interface AuditedChange<Action extends string>
  extends Pick<AuditRow, 'id' | 'at' | 'actorKind' | 'actor'> {
  readonly action: Action;
  readonly before: string | null;
  readonly after: string | null;
}

/** Newest first. States are text, because numbers in them may have more digits than a number keeps. */
export const listChangesOf = <Action extends string>(
  db: Db,
  asked: {
    readonly tenant: Tenant;
    readonly target: string;
    readonly actions: readonly Action[];
    readonly before: bigint | undefined;
    readonly limit: number;
  },
) =>
  db.many<AuditedChange<Action>>(sql`
    select entry_id::text as id, at, actor_kind as "actorKind", actor, action, before::text, after::text
    from audit_entry
    where ecpd_id = ${asked.tenant.ecpdId} and account_name = ${asked.tenant.accountName}
      and target = ${asked.target} and action = any(${asked.actions}::text[])
      ${asked.before === undefined ? sql`` : sql`and entry_id < ${asked.before}`}
    order by entry_id desc limit ${asked.limit}`);

export const deleteAuditBefore = (db: Db, before: Date, limit: number) =>
  db.exec(sql`
    delete from audit_entry where entry_id in (
      select entry_id from audit_entry where at < ${before} order by at limit ${limit})`);
