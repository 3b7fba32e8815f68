import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { nextId, sql } from '../../../platform/db/sql.ts';
import type { AlertEvent } from '../watching/watched.ts';

export interface NewAlert extends AlertEvent {
  /** Of one that was raised and cleared by the same batch. */
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
    insert into smart_alert (ecpd_id, account_name, alert_id, rule_id, rule_name, device_id, cause, message, reading, raised_at,
      cleared_at, cleared_because, foreign_id, created_on, last_updated, version, version_id)
    select ${ecpdId}, a.account_name, a.alert_id, a.rule_id, a.rule_name, a.device_id, a.cause, a.message, a.reading,
      a.raised_at, a.cleared_at, a.cleared_because, a.foreign_id, ${now}::timestamptz, ${now}::timestamptz,
      case when a.cleared_at is null then 1 else 2 end, gen_random_uuid()
    from unnest(${alerts.map((a) => a.accountName)}::text[], ${plainArray(alerts.map((a) => a.alertId))}::uuid[],
      ${plainArray(alerts.map((a) => a.ruleId))}::uuid[], ${alerts.map((a) => a.ruleName)}::text[],
      ${plainArray(alerts.map((a) => a.deviceId))}::uuid[], ${alerts.map((a) => a.cause)}::text[],
      ${alerts.map((a) => a.message)}::text[], ${alerts.map((a) => JSON.stringify(a.reading))}::jsonb[],
      ${plainArray(alerts.map((a) => new Date(a.atMs)))}::timestamptz[],
      ${plainArray(alerts.map((a) => (a.clearedAtMs === undefined ? null : new Date(a.clearedAtMs))))}::timestamptz[],
      ${alerts.map((a) => a.clearedBecause ?? null)}::text[], ${plainArray(alerts.map((a) => a.foreignId))}::uuid[])
      as a (account_name, alert_id, rule_id, rule_name, device_id, cause, message, reading, raised_at, cleared_at,
            cleared_because, foreign_id)
    order by a.alert_id`);
}

/** Rows are locked in the order of their keys, because people acknowledge several at a time. */
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

/** The alerts that these rules have open, whether or not the rules still exist. */
export const listOpenAlerts = (db: Db, ecpdId: string, ruleIds: readonly string[]) =>
  db.many<Omit<AlertEvent, 'to' | 'atMs' | 'message' | 'reading'>>(sql`
    select alert_id as "alertId", rule_id as "ruleId", rule_name as "ruleName", device_id as "deviceId",
      account_name as "accountName", foreign_id as "foreignId", cause
    from smart_alert
    where ecpd_id = ${ecpdId} and rule_id = any(${plainArray(ruleIds)}::uuid[]) and cleared_at is null`);

/** The read across profiles takes no locks; each delete names one profile. Answers how many went. */
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
