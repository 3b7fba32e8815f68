-- Same as 3a0657f933b52326d614a5ad958251e643f06b30852a3bfbe3f8720b11de00c1, which no cluster could run.
-- The lines that an action still has to change. Each line is a queue: the first action in it is carried out, the others
-- wait for it, and lines of other queues do not.
create table trigger_action_line (
  ecpd_id      text not null,
  account_name text not null,
  device_id    uuid not null,
  -- That of the action.
  seq          bigint not null,
  action_id    uuid not null,
  -- The request that changes the line. Null: the line waits.
  request_id   uuid,
  primary key (ecpd_id, account_name, device_id, seq),
  foreign key (ecpd_id, action_id) references trigger_action on delete cascade
);
create index trigger_action_line_of_action on trigger_action_line (ecpd_id, action_id);
create index trigger_action_line_of_request on trigger_action_line (ecpd_id, request_id) where request_id is not null;

alter table trigger_action
  -- The trigger no longer asks for it: lines that have not started do not start.
  add column dropped boolean not null default false,
  -- The state in which it will end because of its lines; null if nothing went wrong with them.
  add column ends_as text,
  drop constraint trigger_action_check,
  drop constraint trigger_action_check1,
  drop constraint trigger_action_state_check;
alter table trigger_action
  add constraint trigger_action_ends_as_check check (ends_as in ('failed', 'expired'));
alter table firing_action drop constraint firing_action_state_check;
alter table firing_action
  add constraint firing_action_state_check check (state in ('failed', 'skipped', 'dropped', 'expired'));

-- Waiting actions of triggers that were switched off or deleted.
update trigger_action a set dropped = true, state = 'dropped', ended_at = now(),
  reason = 'The trigger was switched off or deleted before the action began'
where a.state in ('waiting', 'awaitingApproval')
  and not exists (select 1 from price_plan_trigger t where t.ecpd_id = a.ecpd_id and t.trigger_id = a.trigger_id and t.active);

alter table trigger_action
  add constraint trigger_action_state_check check (state in
    ('waiting', 'running', 'awaitingApproval', 'done', 'failed', 'skipped', 'dropped', 'expired'));
alter table trigger_action
  add constraint trigger_action_check check ((ended_at is null) = (state in ('waiting', 'running', 'awaitingApproval')));

-- Lines of running actions that are not settled yet. What became of the others is counted now, no longer at the end.
insert into trigger_action_line (ecpd_id, account_name, device_id, seq, action_id, request_id)
select a.ecpd_id, a.account_name, d.device_id, a.seq, a.action_id, r.request_id
from trigger_action a
join carrier_request r on r.ecpd_id = a.ecpd_id and r.request_id = any(a.request_ids) and r.ended_at is null
join carrier_request_device d on d.ecpd_id = r.ecpd_id and d.request_id = r.request_id
  and (d.held or d.nth >= r.succeeded + r.failed + r.held)
where a.state = 'running' and d.device_id is not null;
update trigger_action a set succeeded = a.succeeded + n.succeeded, failed = a.failed + n.failed,
  ends_as = case when a.failed + n.failed > 0 then 'failed' end
from (
  select b.ecpd_id, b.action_id, sum(r.succeeded)::int as succeeded, sum(r.failed)::int as failed
  from trigger_action b
  join carrier_request r on r.ecpd_id = b.ecpd_id and r.request_id = any(b.request_ids) and r.ended_at is null
  where b.state = 'running' group by b.ecpd_id, b.action_id) n
where a.ecpd_id = n.ecpd_id and a.action_id = n.action_id;
update firing_action f set state = 'failed', reason = d.fault_text
from trigger_action a
join carrier_request r on r.ecpd_id = a.ecpd_id and r.request_id = any(a.request_ids) and r.ended_at is null
join carrier_request_device d on d.ecpd_id = r.ecpd_id and d.request_id = r.request_id
  and not d.held and d.nth < r.succeeded + r.failed + r.held and d.fault_text is not null
where a.state = 'running' and f.ecpd_id = a.ecpd_id and f.action_id = a.action_id and f.device_id = d.device_id;

-- Waiting actions no longer wait for others of their account. A job starts them.
insert into trigger_action_line (ecpd_id, account_name, device_id, seq, action_id)
select a.ecpd_id, a.account_name, d.device_id, a.seq, a.action_id
from trigger_action a cross join lateral (select distinct unnest(a.device_ids) as device_id) d
where a.state = 'waiting';
insert into job (ecpd_id, job_id, kind, payload, due_at, attempts_max, request_id, created_at)
select a.ecpd_id, gen_random_uuid(), 'price-plan-triggers.continue-actions',
  jsonb_build_object('accountName', a.account_name, 'actionIds', jsonb_agg(a.action_id)), 'epoch', 20, 'upgrade', now()
from trigger_action a where a.state = 'waiting' or (a.dropped and a.device_ids <> '{}')
group by a.ecpd_id, a.account_name;
-- From now on these are the lines of an action that waits for approval, or was dropped while it did.
update trigger_action set device_ids = '{}' where state in ('waiting', 'running');

drop index trigger_action_lane;
-- Actions that a change of their trigger may drop.
create index trigger_action_open on trigger_action (ecpd_id, trigger_id) where ended_at is null;
alter table trigger_action drop column open_requests;
