import type { Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { joinSql, nextId, type Query, sql } from '../../../platform/db/sql.ts';
import { ANSWER_MAX_CHARS, type Page } from '../../device-management/index.ts';
import type { SmartAlert } from './alert.ts';

const AS_ALERT = sql`
  a.alert_id as "alertId", a.account_name as "accountName", a.rule_id as "ruleId", a.rule_name as "ruleName",
  a.device_id as "deviceId", a.cause, a.message, a.reading, a.raised_at as "raisedAt", a.cleared_at as "clearedAt",
  a.cleared_because as "clearedBecause", a.acknowledged_at as "acknowledgedAt", a.acknowledged_by as "acknowledgedBy",
  a.foreign_id as "foreignId", a.created_on as "createdOn", a.last_updated as "lastUpdated", a.version,
  a.version_id as "versionId"`;

const whereOf = ({ ecpdId, accountName }: Tenant, conditions: readonly Query[]): Query =>
  joinSql([sql`a.ecpd_id = ${ecpdId} and a.account_name = ${accountName}`, ...conditions], ' and ');

const CHARS = sql`(length(a.reading::text) + length(a.message))`;

/**
 * The newest first: their ids sort as they were raised. Ends with the alert that makes them too large for an answer:
 * no more than that is ever held in memory.
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

/** How large these are together. */
export const weighAlerts = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  alertIds: readonly string[],
): Promise<number> =>
  Number(
    (
      await db.one<{ chars: bigint }>(sql`
        select coalesce(sum(${CHARS}), 0)::bigint as chars from smart_alert a
        where a.ecpd_id = ${ecpdId} and a.account_name = ${accountName} and a.alert_id = any(${plainArray(alertIds)}::uuid[])`)
    ).chars,
  );

export interface AlertCounts {
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
