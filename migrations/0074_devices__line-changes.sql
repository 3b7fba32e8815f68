-- Every change of a line's state or plan, in the order in which they were made: which lines were on a plan at a moment is what
-- is there now, without what has changed since. A line that came had no state before, and one that was deleted has none after.
create table line_change (
  ecpd_id text not null,
  change_no bigint not null generated always as identity,
  account_name text not null,
  device_id uuid not null,
  at timestamptz not null,
  was_state text,
  was_plan text,
  was_since timestamptz,
  state text,
  plan_code text,
  primary key (ecpd_id, change_no)
);
create index line_change_of_line on line_change (ecpd_id, account_name, device_id, change_no);
create index line_change_at on line_change (ecpd_id, at, change_no);

-- Of the time before, the plans of lines are known, and nothing of their states: those that are active are taken to have been it.
-- All lines at once, as a migration is one transaction anyway and runs once; a small row for each plan that was told.
insert into line_change (ecpd_id, account_name, device_id, at, was_state, was_plan, was_since, state, plan_code)
select ecpd_id, account_name, device_id, changed_at, case when was_plan is not null then 'active' end, was_plan, was_since,
  'active', plan_code
from (
  select p.ecpd_id, d.account_name, p.device_id, p.change_id, p.changed_at, p.plan_code,
    lag(p.plan_code) over told as was_plan, lag(p.since) over told as was_since
  from device_plan p
  join device d on d.ecpd_id = p.ecpd_id and d.device_id = p.device_id and d.state = 'active'
  window told as (partition by p.ecpd_id, p.device_id order by p.change_id)) told
order by changed_at, change_id;
