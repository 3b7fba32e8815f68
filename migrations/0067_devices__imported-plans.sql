-- Imports told the history of plans nothing while the clock ran. A device that is on a plan which its history does not end with
-- came to it by an import, because everything else tells it: what it is on is told now, as beginning when it began. A plan that
-- was followed by another one meanwhile is not known here any more. All devices at once: a migration is one transaction
-- anyway and runs once, and nothing is kept but a small row for each device.
insert into device_plan (ecpd_id, device_id, since, plan_code, cause, changed_at, changed_by)
select d.ecpd_id, d.device_id, d.plan_since, d.service_plan, 'import', d.plan_since, 'import'
from device d
left join (
  select distinct on (ecpd_id, device_id) ecpd_id, device_id, plan_code from device_plan
  order by ecpd_id, device_id, change_id desc) told on told.ecpd_id = d.ecpd_id and told.device_id = d.device_id
where d.service_plan is not null and d.service_plan is distinct from told.plan_code;
