create table price_plan_trigger (
  ecpd_id      text not null references profile on delete cascade,
  trigger_id   uuid not null,
  trigger_name text not null,
  active       boolean not null,
  -- Grows with every change: a firing names the version of the rule that it followed.
  version      int not null,
  body         jsonb not null,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  primary key (ecpd_id, trigger_id)
);
create index price_plan_trigger_name on price_plan_trigger (ecpd_id, trigger_name);

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
