import type { Ctx } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';

/** Absent fields keep their values. An unchanged trigger is not written, so it keeps its date. */
export const upsertTriggers = ({ db, chance }: Ctx, ecpdId: string, now: Date) =>
  db.exec(sql`
    insert into usage_trigger as t (ecpd_id, account_name, trigger_id, trigger_name, service_name, threshold_percent,
      allow_excess, send_sms, sms_phone_numbers, send_email, email_addresses, version, created_at, updated_at)
    select s.ecpd_id, s.body->>'accountName', coalesce((s.body->>'triggerId')::uuid, ${chance.rowIds()(sql`s.position::text`)}),
      coalesce(s.body->>'triggerName', t.trigger_name), coalesce(s.body->>'serviceName', t.service_name),
      coalesce((s.body->>'thresholdValue')::int, t.threshold_percent),
      coalesce((s.body->>'allowExcess')::boolean, t.allow_excess, true),
      coalesce((s.body->>'sendSmsNotification')::boolean, t.send_sms, false),
      case when s.body ? 'smsPhoneNumbers' then array(select jsonb_array_elements_text(s.body->'smsPhoneNumbers'))
           else coalesce(t.sms_phone_numbers, '{}') end,
      coalesce((s.body->>'sendEmailNotification')::boolean, t.send_email, false),
      case when s.body ? 'emailAddresses' then array(select jsonb_array_elements_text(s.body->'emailAddresses'))
           else coalesce(t.email_addresses, '{}') end,
      1, coalesce((s.body->>'createDate')::date::timestamp at time zone 'UTC', ${now}),
      case when t.trigger_id is null
           then coalesce((s.body->>'updateDate')::date::timestamp at time zone 'UTC', ${now}) else ${now} end
    from staged_entry s
    left join usage_trigger t on t.ecpd_id = s.ecpd_id and t.trigger_id = (s.body->>'triggerId')::uuid
    where s.section = 'usageTriggers' and s.ecpd_id = ${ecpdId}
    order by 3
    on conflict (ecpd_id, trigger_id) do update set trigger_name = excluded.trigger_name,
      service_name = excluded.service_name, threshold_percent = excluded.threshold_percent,
      allow_excess = excluded.allow_excess, send_sms = excluded.send_sms, sms_phone_numbers = excluded.sms_phone_numbers,
      send_email = excluded.send_email, email_addresses = excluded.email_addresses, version = t.version + 1,
      fired_month = case when t.threshold_percent = excluded.threshold_percent then t.fired_month else '' end,
      updated_at = excluded.updated_at
    where (t.trigger_name, t.service_name, t.threshold_percent, t.allow_excess, t.send_sms, t.sms_phone_numbers,
           t.send_email, t.email_addresses)
      is distinct from
          (excluded.trigger_name, excluded.service_name, excluded.threshold_percent, excluded.allow_excess,
           excluded.send_sms, excluded.sms_phone_numbers, excluded.send_email, excluded.email_addresses)`);

export const listImportedAccounts = (db: Db, ecpdId: string): Promise<string[]> =>
  db.values<string>(sql`
    select distinct body->>'accountName' as name from staged_entry
    where section = 'usageTriggers' and ecpd_id = ${ecpdId}`);
