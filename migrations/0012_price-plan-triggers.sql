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

-- A row means that triggers alert but neither suspend nor change plans, in every profile.
create table action_pause (
  only_row  boolean primary key default true check (only_row),
  paused_at timestamptz not null,
  paused_by text not null
);
