import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql, trusted } from '../../platform/db/sql.ts';
import type { MeteredService } from '../usage/index.ts';
import { TRIGGERS_PER_ACCOUNT_MAX, type UsageTrigger } from './usage-trigger.ts';

export const COLUMNS =
  trusted(`t.ecpd_id as "ecpdId", t.trigger_id as "triggerId", t.trigger_name as "triggerName",
  t.account_name as "accountName", t.service_name as "serviceName", t.threshold_percent as "thresholdPercent",
  t.allow_excess as "allowExcess", t.send_sms as "sendSms", t.sms_phone_numbers as "smsPhoneNumbers",
  t.send_email as "sendEmail", t.email_addresses as "emailAddresses", t.version, t.created_at as "createdAt",
  t.updated_at as "updatedAt"`);

/** Changes of an account's triggers wait for each other: names, the count and limits depend on all triggers. */
export const lockTriggersOf = (db: Db, ecpdId: string, accountNames: readonly string[]) =>
  db.exec(sql`
    select 1 from account
    where ecpd_id = ${ecpdId} and account_name = any(${accountNames}::text[]) order by account_name for no key update`);

export const findTrigger = (db: Db, { ecpdId, accountName }: Tenant, triggerId: string) =>
  db.maybe<UsageTrigger>(sql`
    select ${COLUMNS} from usage_trigger t
    where t.ecpd_id = ${ecpdId} and t.account_name = ${accountName} and t.trigger_id = ${triggerId}`);

export const listTriggers = (db: Db, { ecpdId, accountName }: Tenant) =>
  db.many<UsageTrigger>(sql`
    select ${COLUMNS} from usage_trigger t where t.ecpd_id = ${ecpdId} and t.account_name = ${accountName}
    order by t.created_at, t.trigger_id limit ${TRIGGERS_PER_ACCOUNT_MAX}`);

export const listUsageTriggerNames = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  triggerIds: readonly string[],
) =>
  db.many<Pick<UsageTrigger, 'triggerId' | 'triggerName'>>(sql`
    select t.trigger_id as "triggerId", t.trigger_name as "triggerName" from usage_trigger t
    where t.ecpd_id = ${ecpdId} and t.account_name = ${accountName}
      and t.trigger_id = any(${plainArray(triggerIds)}::uuid[])`);

export const countTriggers = async (db: Db, { ecpdId, accountName }: Tenant): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*)::int as count from usage_trigger where ecpd_id = ${ecpdId} and account_name = ${accountName}`)
  ).count;

export const hasOtherWithName = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  triggerId: string,
  triggerName: string,
): Promise<boolean> =>
  (
    await db.one<{ found: boolean }>(sql`
      select exists (select 1 from usage_trigger
        where ecpd_id = ${ecpdId} and account_name = ${accountName} and trigger_name = normalize(${triggerName}, NFC)
          and trigger_id <> ${triggerId}) as found`)
  ).found;

/** The name as it is stored, in NFC: different Unicode forms of a name are the same name. */
type StoredName = Pick<UsageTrigger, 'triggerName'>;

/** Returns undefined if the account has a trigger of that name. */
export const insertTrigger = (db: Db, t: UsageTrigger) =>
  db.maybe<StoredName>(sql`
    insert into usage_trigger (ecpd_id, account_name, trigger_id, trigger_name, service_name, threshold_percent,
      allow_excess, send_sms, sms_phone_numbers, send_email, email_addresses, version, created_at, updated_at)
    values (${t.ecpdId}, ${t.accountName}, ${t.triggerId}, normalize(${t.triggerName}, NFC), ${t.serviceName},
      ${t.thresholdPercent},
      ${t.allowExcess}, ${t.sendSms}, ${t.smsPhoneNumbers}, ${t.sendEmail}, ${t.emailAddresses}, ${t.version},
      ${t.createdAt}, ${t.updatedAt})
    on conflict (ecpd_id, account_name, trigger_name) do nothing
    returning trigger_name as "triggerName"`);

export const updateTriggerRow = (db: Db, t: UsageTrigger) =>
  db.one<StoredName>(sql`
    update usage_trigger set trigger_name = normalize(${t.triggerName}, NFC), threshold_percent = ${t.thresholdPercent},
      allow_excess = ${t.allowExcess}, send_sms = ${t.sendSms}, sms_phone_numbers = ${t.smsPhoneNumbers},
      send_email = ${t.sendEmail}, email_addresses = ${t.emailAddresses}, version = ${t.version},
      fired_month = case when threshold_percent = ${t.thresholdPercent} then fired_month else '' end, updated_at = ${t.updatedAt}
    where ecpd_id = ${t.ecpdId} and account_name = ${t.accountName} and trigger_id = ${t.triggerId}
    returning trigger_name as "triggerName"`);

export const deleteTriggerRow = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  triggerId: string,
): Promise<number> =>
  db.exec(sql`
    delete from usage_trigger
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and trigger_id = ${triggerId}`);

interface Reached {
  readonly accountName: string;
  readonly serviceName: MeteredService;
  /** Triggers that fired in this month or later are left out. */
  readonly firedBefore: string;
  /** The used percentage of the subscribed number. */
  readonly percent: number;
}

/** Triggers with a reached percentage and no firing in the month in their row; lowest first. `nth`, from 1, indexes `reached`. */
export const listReachedTriggers = (db: Db, ecpdId: string, reached: readonly Reached[]) =>
  db.many<UsageTrigger & { nth: number }>(sql`
    select r.nth::int, ${COLUMNS}
    from unnest(${reached.map((r) => r.accountName)}::text[], ${reached.map((r) => r.serviceName)}::text[],
      ${reached.map((r) => r.firedBefore)}::text[], ${reached.map((r) => r.percent)}::float8[])
      with ordinality as r (account_name, service_name, fired_before, percent, nth)
    join usage_trigger t on t.ecpd_id = ${ecpdId} and t.account_name = r.account_name
      and t.service_name = r.service_name and t.threshold_percent <= r.percent and t.fired_month < r.fired_before
    order by r.nth, t.threshold_percent, t.created_at, t.trigger_id`);

/**
 * Rows are locked in the order of their keys. A month reported late does not hide a later one, and a firing for a
 * percentage that has changed since does not hide the new one.
 */
export const setFiredMonths = (
  db: Db,
  ecpdId: string,
  fired: readonly { readonly triggerId: string; readonly level: number; readonly month: string }[],
) =>
  db.exec(sql`
    with due as (
      select t.trigger_id, f.month
      from unnest(${plainArray(fired.map((f) => f.triggerId))}::uuid[], ${plainArray(fired.map((f) => f.level))}::int[],
        ${fired.map((f) => f.month)}::text[]) as f (trigger_id, level, month)
      join usage_trigger t on t.ecpd_id = ${ecpdId} and t.trigger_id = f.trigger_id and t.threshold_percent = f.level
        and t.fired_month < f.month
      order by t.trigger_id for no key update of t)
    update usage_trigger t set fired_month = due.month from due
    where t.ecpd_id = ${ecpdId} and t.trigger_id = due.trigger_id`);

/** The services of these accounts for which a trigger allows no excess. */
export const listLimits = (db: Db, ecpdId: string, accountNames: readonly string[]) =>
  db.many<{ accountName: string; serviceName: MeteredService }>(sql`
    select distinct account_name as "accountName", service_name as "serviceName" from usage_trigger
    where ecpd_id = ${ecpdId} and account_name = any(${accountNames}::text[]) and not allow_excess`);

export const countUsageTriggersOf = async (db: Db, ecpdId: string): Promise<number> =>
  (
    await db.one<{ count: number }>(
      sql`select count(*)::int as count from usage_trigger where ecpd_id = ${ecpdId}`,
    )
  ).count;
