import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { joinSql, nextId, type Query, sql } from '../../platform/db/sql.ts';
import { ANSWER_MAX_CHARS, type Compared, type Page, type Values } from '../device-management/index.ts';
import type { AlertEvent, Cause } from './progress.ts';

interface NewAlert extends AlertEvent {
  /** Set for an alert that the same batch raised and cleared. */
  readonly clearedAtMs: number | undefined;
  readonly clearedBecause: string | undefined;
}

export async function insertAlerts(
  db: Db,
  ecpdId: string,
  alerts: readonly NewAlert[],
  now: Date,
): Promise<void> {
  if (alerts.length === 0) return;
  await db.exec(sql`
    insert into smart_alert (ecpd_id, account_name, alert_id, rule_id, rule_name, device_id, cause, message, reading, compared, raised_at,
      cleared_at, cleared_because, foreign_id, created_on, last_updated, version, version_id)
    select p.ecpd_id, a.account_name, a.alert_id, a.rule_id, a.rule_name, a.device_id, a.cause, a.message, a.reading,
      a.compared, a.raised_at, a.cleared_at, a.cleared_because, a.foreign_id, ${now}::timestamptz, ${now}::timestamptz,
      case when a.cleared_at is null then 1 else 2 end, ${nextId('a.alert_id', now)}
    from profile p cross join unnest(${alerts.map((a) => a.accountName)}::text[], ${plainArray(alerts.map((a) => a.alertId))}::uuid[],
      ${plainArray(alerts.map((a) => a.ruleId))}::uuid[], ${alerts.map((a) => a.ruleName)}::text[],
      ${plainArray(alerts.map((a) => a.deviceId))}::uuid[], ${alerts.map((a) => a.cause)}::text[],
      ${alerts.map((a) => a.message)}::text[], ${alerts.map((a) => JSON.stringify(a.reading))}::jsonb[],
      ${alerts.map((a) => JSON.stringify(a.compared ?? []))}::jsonb[],
      ${plainArray(alerts.map((a) => new Date(a.atMs)))}::timestamptz[],
      ${plainArray(alerts.map((a) => (a.clearedAtMs === undefined ? null : new Date(a.clearedAtMs))))}::timestamptz[],
      ${alerts.map((a) => a.clearedBecause ?? null)}::text[], ${plainArray(alerts.map((a) => a.foreignId))}::uuid[])
      as a (account_name, alert_id, rule_id, rule_name, device_id, cause, message, reading, compared, raised_at,
            cleared_at, cleared_because, foreign_id)
    where p.ecpd_id = ${ecpdId}
    order by a.alert_id`);
}

/** Locks rows in key order, because users acknowledge several at a time. */
export async function clearAlerts(
  db: Db,
  ecpdId: string,
  cleared: readonly AlertEvent[],
  now: Date,
): Promise<void> {
  if (cleared.length === 0) return;
  await db.exec(sql`
    with held as materialized (
      select alert_id from smart_alert
      where ecpd_id = ${ecpdId} and alert_id = any(${plainArray(cleared.map((c) => c.alertId))}::uuid[])
      order by alert_id for update)
    update smart_alert a set cleared_at = greatest(c.at, a.raised_at), cleared_because = c.because, last_updated = ${now},
      version = a.version + 1, version_id = ${nextId('a.version_id', now)}
    from unnest(${plainArray(cleared.map((c) => c.alertId))}::uuid[],
      ${plainArray(cleared.map((c) => new Date(c.atMs)))}::timestamptz[], ${cleared.map((c) => c.message)}::text[])
      as c (alert_id, at, because)
    join held using (alert_id)
    where a.ecpd_id = ${ecpdId} and a.alert_id = c.alert_id and a.cleared_at is null`);
}

/** The open alerts of these rules, whether or not the rules still exist. */
export const listOpenAlerts = (db: Db, ecpdId: string, ruleIds: readonly string[]) =>
  db.many<Omit<AlertEvent, 'to' | 'atMs' | 'message' | 'reading'>>(sql`
    select alert_id as "alertId", rule_id as "ruleId", rule_name as "ruleName", device_id as "deviceId",
      account_name as "accountName", foreign_id as "foreignId", cause
    from smart_alert
    where ecpd_id = ${ecpdId} and rule_id = any(${plainArray(ruleIds)}::uuid[]) and cleared_at is null
    order by alert_id`);

/** The read across profiles takes no locks; each delete names one profile. Returns the number deleted. */
export async function deleteOldAlerts(db: Db, before: Date, limit: number): Promise<number> {
  const old = await db.many<{ ecpdId: string; alertIds: string[] }>(sql`
    select ecpd_id as "ecpdId", array_agg(alert_id) as "alertIds" from (
      select ecpd_id, alert_id from smart_alert where cleared_at < ${before} order by cleared_at limit ${limit}) oldest
    group by ecpd_id`);
  let deleted = 0;
  for (const { ecpdId, alertIds } of old) {
    deleted += await db.exec(sql`
      delete from smart_alert where ecpd_id = ${ecpdId} and alert_id = any(${plainArray(alertIds)}::uuid[])`);
  }
  return deleted;
}

export interface SmartAlert {
  readonly alertId: string;
  readonly accountName: string;
  readonly ruleId: string;
  readonly ruleName: string;
  readonly deviceId: string;
  readonly cause: Cause;
  readonly message: string;
  readonly reading: Values;
  readonly compared: readonly Compared[];
  readonly raisedAt: Date;
  readonly clearedAt: Date | null;
  readonly clearedBecause: string | null;
  readonly acknowledgedAt: Date | null;
  readonly acknowledgedBy: string | null;
  readonly foreignId: string;
  readonly createdOn: Date;
  readonly lastUpdated: Date;
  readonly version: bigint;
  readonly versionId: string;
}

const AS_ALERT = sql`
  a.alert_id as "alertId", a.account_name as "accountName", a.rule_id as "ruleId", a.rule_name as "ruleName",
  a.device_id as "deviceId", a.cause, a.message, a.reading, a.compared, a.raised_at as "raisedAt", a.cleared_at as "clearedAt",
  a.cleared_because as "clearedBecause", a.acknowledged_at as "acknowledgedAt", a.acknowledged_by as "acknowledgedBy",
  a.foreign_id as "foreignId", a.created_on as "createdOn", a.last_updated as "lastUpdated", a.version,
  a.version_id as "versionId"`;

const whereOf = ({ ecpdId, accountName }: Tenant, conditions: readonly Query[]): Query =>
  joinSql([sql`a.ecpd_id = ${ecpdId} and a.account_name = ${accountName}`, ...conditions], ' and ');

const CHARS = sql`(length(a.reading::text) + length(a.compared::text) + length(a.message))`;

/**
 * Newest first: ids sort by the time of raising. Stops at the alert that makes the page too large for a response, so
 * no more than that is ever in memory.
 */
export const listAlerts = (
  db: Db,
  tenant: Tenant,
  conditions: readonly Query[],
  { after, skip, limit }: Page,
) =>
  db.many<SmartAlert & { readonly chars: number }>(sql`
    select ${AS_ALERT}, a.chars from (
      select a.*, sum(a.chars) over (order by a.alert_id desc rows unbounded preceding) - a.chars as before from (
        select a.*, ${CHARS} as chars from smart_alert a
        where ${whereOf(tenant, [...conditions, ...(after === undefined ? [] : [sql`a.alert_id < ${after}::uuid`])])}
        order by a.alert_id desc offset ${skip} limit ${limit}) a) a
    where a.before <= ${ANSWER_MAX_CHARS} order by a.alert_id desc`);

/** The total size of these alerts. */
export const measureAlerts = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  alertIds: readonly string[],
): Promise<number> =>
  Number(
    await db.value<bigint>(sql`
      select coalesce(sum(${CHARS}), 0)::bigint as chars from smart_alert a
      where a.ecpd_id = ${ecpdId} and a.account_name = ${accountName} and a.alert_id = any(${plainArray(alertIds)}::uuid[])`),
  );

interface AlertCounts {
  readonly total: number;
  readonly raised: number;
  readonly cleared: number;
  readonly acknowledged: number;
  readonly unacknowledged: number;
}

export const countAlerts = (db: Db, tenant: Tenant, conditions: readonly Query[]) =>
  db.one<AlertCounts>(sql`
    select count(*)::int as total, count(*) filter (where a.cleared_at is null)::int as raised,
      count(*) filter (where a.cleared_at is not null)::int as cleared,
      count(*) filter (where a.acknowledged_at is not null)::int as acknowledged,
      count(*) filter (where a.cleared_at is null and a.acknowledged_at is null)::int as unacknowledged
    from smart_alert a where ${whereOf(tenant, conditions)}`);

export const lockAlerts = (db: Db, { ecpdId, accountName }: Tenant, alertIds: readonly string[]) =>
  db.many<SmartAlert>(sql`
    select ${AS_ALERT} from smart_alert a
    where a.ecpd_id = ${ecpdId} and a.account_name = ${accountName} and a.alert_id = any(${plainArray(alertIds)}::uuid[])
    order by a.alert_id for update`);

/** Null takes an acknowledgement back. */
export const setAcknowledged = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  alertIds: readonly string[],
  { by, at }: { readonly by: string | null; readonly at: Date },
) =>
  db.many<SmartAlert>(sql`
    update smart_alert a set acknowledged_at = ${by === null ? null : at}, acknowledged_by = ${by}, last_updated = ${at},
      version = a.version + 1, version_id = ${nextId('a.version_id', at)}
    where a.ecpd_id = ${ecpdId} and a.account_name = ${accountName} and a.alert_id = any(${plainArray(alertIds)}::uuid[])
    returning ${AS_ALERT}`);
