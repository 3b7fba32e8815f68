-- What waits for approval is looked for when its cycle has ended.
create index trigger_action_asked on trigger_action (ecpd_id, approvable_to) where state = 'awaitingApproval';

-- Triggers that were written before cycles were closed by a job wait for the end of theirs without being written again: once
-- in each profile that has any, what they say is followed anew.
insert into job (ecpd_id, job_id, kind, key, payload, due_at, attempts_max, request_id, created_at)
select ecpd_id, gen_random_uuid(), 'price-plan-triggers.follow-accounts', 'all', '{}', now(), 20, 'migration', now()
from (select distinct ecpd_id from price_plan_trigger) p
on conflict do nothing;
