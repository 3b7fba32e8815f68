-- Every version of every trigger, the present one included. It outlives the trigger, as the firings do that name it.
create table price_plan_trigger_version (
  ecpd_id      text not null references profile on delete cascade,
  trigger_id   uuid not null,
  version      int not null,
  trigger_name text not null,
  active       boolean not null,
  body         jsonb not null,
  written_at   timestamptz not null,
  -- The user; null for the fleet document, whose import is in the audit log.
  written_by   text,
  primary key (ecpd_id, trigger_id, version)
);
insert into price_plan_trigger_version (ecpd_id, trigger_id, version, trigger_name, active, body, written_at)
select ecpd_id, trigger_id, version, trigger_name, active, body, updated_at from price_plan_trigger;
