import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { onlyReachable } from '../../platform/db/reachable.ts';
import { sql } from '../../platform/db/sql.ts';
import type { Cause, RuleState } from './progress.ts';

interface Row {
  readonly ruleId: string;
  readonly deviceId: string;
  readonly versionId: string;
  readonly since: Date;
  readonly trueSince: Date | null;
  readonly restsUntil: Date | null;
  readonly alertId: string | null;
  readonly cause: Cause | null;
  readonly dueAt: Date | null;
}

const ms = (at: Date | null): number | undefined => at?.getTime();

/** The caller has locked the devices of these rules. */
export async function listStates(
  db: Db,
  ecpdId: string,
  ruleIds: readonly string[],
): Promise<ReadonlyMap<string, RuleState>> {
  if (ruleIds.length === 0) return new Map();
  const rows = await db.many<Row>(sql`
    select rule_id as "ruleId", device_id as "deviceId", version_id as "versionId", since, true_since as "trueSince",
      rests_until as "restsUntil", alert_id as "alertId", cause, due_at as "dueAt"
    from rule_state where ecpd_id = ${ecpdId} and rule_id = any(${plainArray(ruleIds)}::uuid[])`);
  return new Map(
    rows.map((row) => [
      row.ruleId,
      {
        ruleId: row.ruleId,
        deviceId: row.deviceId,
        versionId: row.versionId,
        sinceMs: row.since.getTime(),
        progress: {
          trueSinceMs: ms(row.trueSince),
          restsUntilMs: ms(row.restsUntil),
          open: row.cause ?? undefined,
        },
        alertId: row.alertId ?? undefined,
        dueMs: ms(row.dueAt),
      },
    ]),
  );
}

const moments = (all: readonly (number | undefined)[]): string =>
  plainArray(all.map((at) => (at === undefined ? null : new Date(at))));

/** `moveNr`: the first clock move that waits for work due at that time. */
export async function upsertStates(
  db: Db,
  ecpdId: string,
  states: readonly RuleState[],
  moveNr: number,
): Promise<void> {
  if (states.length === 0) return;
  await db.exec(sql`
    insert into rule_state (ecpd_id, rule_id, device_id, version_id, since, true_since, rests_until, alert_id, cause, due_at,
      move_nr)
    select p.ecpd_id, s.*, ${moveNr} from profile p cross join unnest(${plainArray(states.map((s) => s.ruleId))}::uuid[],
      ${plainArray(states.map((s) => s.deviceId))}::uuid[], ${plainArray(states.map((s) => s.versionId))}::uuid[],
      ${moments(states.map((s) => s.sinceMs))}::timestamptz[], ${moments(states.map((s) => s.progress.trueSinceMs))}::timestamptz[],
      ${moments(states.map((s) => s.progress.restsUntilMs))}::timestamptz[],
      ${plainArray(states.map((s) => s.alertId ?? null))}::uuid[], ${states.map((s) => s.progress.open ?? null)}::text[],
      ${moments(states.map((s) => s.dueMs))}::timestamptz[]) as s
    where p.ecpd_id = ${ecpdId}
    order by 1, 2
    on conflict (ecpd_id, rule_id) do update set version_id = excluded.version_id, since = excluded.since,
      true_since = excluded.true_since, rests_until = excluded.rests_until, alert_id = excluded.alert_id,
      cause = excluded.cause, due_at = excluded.due_at, move_nr = excluded.move_nr`);
}

export async function deleteStates(db: Db, ecpdId: string, ruleIds: readonly string[]): Promise<void> {
  if (ruleIds.length === 0) return;
  await db.exec(sql`
    delete from rule_state where ecpd_id = ${ecpdId} and rule_id = any(${plainArray(ruleIds)}::uuid[])`);
}

/** Clears due times of rules that are no longer evaluated, so that the scheduler stops selecting them. */
export const forgetDue = (
  db: Db,
  ecpdId: string,
  of: { readonly deviceIds: readonly string[]; readonly except: readonly string[]; readonly dueBy: Date },
) =>
  db.exec(sql`
    update rule_state set due_at = null
    where ecpd_id = ${ecpdId} and device_id = any(${plainArray(of.deviceIds)}::uuid[]) and due_at <= ${of.dueBy}
      and rule_id <> all(${plainArray(of.except)}::uuid[])`);

/** The work that a clock move waits for, or the rest. */
export type Share = { readonly upTo: number } | { readonly above: number };

const inShare = (share: Share | undefined) => {
  if (share === undefined) return sql`true`;
  return 'upTo' in share ? sql`move_nr <= ${share.upTo}` : sql`move_nr > ${share.above}`;
};

interface DueQuery {
  readonly dueBy: Date;
  readonly limit: number;
  readonly share: Share | undefined;
}

/** The read across profiles takes no locks. */
export const listProfilesDue = (db: Db, { dueBy, limit, share }: DueQuery): Promise<string[]> =>
  db.values<string>(sql`
    select distinct ecpd_id as "ecpdId" from (
      select ecpd_id from rule_state where due_at <= ${dueBy} and ${inShare(share)} and ${onlyReachable(db, 'ecpd_id')}
      order by due_at limit ${limit}) first`);

export const listDueDevices = (db: Db, ecpdId: string, { dueBy, limit, share }: DueQuery) =>
  db.many<{ readonly deviceId: string; readonly accountName: string }>(sql`
    select distinct d.device_id as "deviceId", d.account_name as "accountName" from (
      select device_id from rule_state where ecpd_id = ${ecpdId} and due_at <= ${dueBy} and ${inShare(share)}
      order by due_at limit ${limit}) first
    join device d on d.ecpd_id = ${ecpdId} and d.device_id = first.device_id`);

/** Among all, or among the work that the move with this number waits for, after `after`. */
export const findNextDue = async (
  db: Db,
  scope?: { readonly nr: number; readonly after: Date },
): Promise<Date | undefined> =>
  (await db.value<Date | null>(sql`
    select min(due_at) as at from rule_state
    where ${onlyReachable(db, 'ecpd_id')} and ${scope === undefined ? sql`true` : sql`due_at > ${scope.after} and move_nr <= ${scope.nr}`}`)) ??
  undefined;

/** Takes no locks. */
export const findOldestDue = (db: Db, dueBy: Date) =>
  db.maybe<{ ruleId: string; dueAt: Date }>(sql`
    select rule_id as "ruleId", due_at as "dueAt" from rule_state
    where due_at <= ${dueBy} and ${onlyReachable(db, 'ecpd_id')} order by due_at, ecpd_id limit 1`);

export const countDue = (db: Db, until: Date, share?: Share): Promise<number> =>
  db.value<number>(
    sql`select count(*)::int as count from rule_state where due_at <= ${until} and ${inShare(share)}`,
  );
