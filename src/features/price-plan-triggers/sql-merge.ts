import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';

/** An entry without an id means the trigger of that name in its profile, where there is exactly one. */
export const resolveNames = (db: Db) =>
  db.exec(sql`
    update staged_entry s set body = s.body || jsonb_build_object('triggerId', t.trigger_id)
    from (select ecpd_id, trigger_name, min(trigger_id::text) as trigger_id from price_plan_trigger
          group by ecpd_id, trigger_name having count(*) = 1) t
    where s.section = 'pricePlanTriggers' and not s.body ? 'triggerId' and t.ecpd_id = s.ecpd_id
      and t.trigger_name = s.body->>'triggerName'`);

/** Absent fields stay; a trigger that comes out as it was is not written, so its version stands. */
export const upsertTriggers = (db: Db, ecpdId: string, now: Date) =>
  db.exec(sql`
    insert into price_plan_trigger as t (ecpd_id, trigger_id, trigger_name, active, version, body, created_at, updated_at)
    select s.ecpd_id, coalesce((s.body->>'triggerId')::uuid, gen_random_uuid()),
      coalesce(s.body->>'triggerName', t.trigger_name), coalesce((s.body->>'active')::boolean, t.active, true), 1,
      coalesce(t.body, '{}') || (s.body - '{triggerId,triggerName,ecpdId,triggerCategory,active}'::text[]), ${now}, ${now}
    from staged_entry s
    left join price_plan_trigger t on t.ecpd_id = s.ecpd_id and t.trigger_id = (s.body->>'triggerId')::uuid
    where s.section = 'pricePlanTriggers' and s.ecpd_id = ${ecpdId}
    order by s.position
    on conflict (ecpd_id, trigger_id) do update set trigger_name = excluded.trigger_name, active = excluded.active,
      version = t.version + 1, body = excluded.body, updated_at = excluded.updated_at
    where (t.trigger_name, t.active, t.body) is distinct from (excluded.trigger_name, excluded.active, excluded.body)`);
