-- The account whose cycles usage of several accounts is counted in together, and from when on.
create table price_plan_leader (
  ecpd_id text not null,
  trigger_id uuid not null,
  subject text not null,
  cycle text not null check (cycle in ('Daily', 'Weekly', 'Monthly')),
  holds_from timestamptz not null,
  account_name text not null,
  primary key (ecpd_id, trigger_id, subject, cycle, holds_from),
  foreign key (ecpd_id, trigger_id) references price_plan_trigger (ecpd_id, trigger_id) on delete cascade,
  foreign key (ecpd_id, account_name) references account (ecpd_id, account_name) on delete cascade
);
insert into price_plan_leader (ecpd_id, trigger_id, subject, cycle, holds_from, account_name)
select distinct ecpd_id, trigger_id, subject, cycle, '-infinity'::timestamptz, cycle_account from price_plan_sum;

-- A cycle that a change of boundaries shortened may have no day of its own, so closings are told apart by instants.
alter table price_plan_closing add column opens_at timestamptz;
update price_plan_closing c set opens_at = c.from_day::timestamp at time zone a.time_zone
from account a where a.ecpd_id = c.ecpd_id and a.account_name = c.account_name;
alter table price_plan_closing drop constraint price_plan_closing_pkey;
alter table price_plan_closing alter column opens_at set not null;
alter table price_plan_closing add primary key (ecpd_id, trigger_id, account_name, cycle, opens_at);
alter table price_plan_closing drop column from_day, drop column to_day;

-- A trigger without sums has no leader yet. Its levels are written anew, so that the accounts that it follows now are known.
insert into job (ecpd_id, job_id, kind, payload, due_at, attempts_max, request_id, created_at)
select ecpd_id, gen_random_uuid(), 'price-plan-triggers.follow-accounts', '{}', 'epoch', 20, 'upgrade', now()
from (select distinct ecpd_id from price_plan_closing) p;
