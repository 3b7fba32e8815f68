-- Actions of an account follow each other in the order in which they were decided: whoever adds one, ends one or starts the
-- next holds the account's row here. It is not the account itself, because that is held by whoever changes it.
create table trigger_lane (
  ecpd_id      text not null,
  account_name text not null,
  primary key (ecpd_id, account_name),
  foreign key (ecpd_id, account_name) references account on delete cascade
);

-- What a trigger does to lines of an account: one row for all firings of a batch that ask for the same.
create table trigger_action (
  ecpd_id       text not null,
  action_id     uuid not null,
  account_name  text not null,
  -- The order in which actions of an account are carried out.
  seq           bigint generated always as identity,
  trigger_id    uuid not null,
  kind          text not null check (kind in ('suspend', 'changePlan')),
  params        jsonb not null,
  device_count  int not null,
  -- Emptied when it has ended.
  device_ids    uuid[] not null,
  state         text not null
    check (state in ('waiting', 'running', 'awaitingApproval', 'done', 'failed', 'skipped')),
  reason        text,
  request_ids   uuid[] not null default '{}',
  open_requests int not null default 0 check (open_requests >= 0),
  succeeded     int not null default 0,
  failed        int not null default 0,
  -- It cannot be approved any more from then on: what it was decided upon is over.
  approvable_to timestamptz not null,
  judgement     text check (judgement in ('approved', 'rejected')),
  judged_by     text,
  created_at    timestamptz not null,
  ended_at      timestamptz,
  -- The action at the beginning of a chain, where this one follows from usage that another has moved. Null: it is the beginning.
  chain_id      uuid,
  primary key (ecpd_id, action_id),
  foreign key (ecpd_id, account_name) references account on delete cascade,
  check ((ended_at is not null) = (state in ('done', 'failed', 'skipped'))),
  check ((state = 'running') = (open_requests > 0))
);
create index trigger_action_lane on trigger_action (ecpd_id, account_name, seq) where state in ('waiting', 'running');
create index trigger_action_created on trigger_action (created_at);
-- What waits for approval is looked for when its cycle has ended.
create index trigger_action_asked on trigger_action (ecpd_id, approvable_to) where state = 'awaitingApproval';

-- The firings that asked for an action, and what became of their own line. No foreign key to the firing: a hundred thousand
-- rows are written at a time. They go with their action, some time after the firing.
create table firing_action (
  ecpd_id   text not null,
  firing_id uuid not null,
  action_id uuid not null,
  -- Null: the firing asked for all lines of the action.
  device_id uuid,
  -- Null: as the action.
  state     text check (state in ('failed', 'skipped')),
  reason    text,
  primary key (ecpd_id, firing_id, action_id),
  foreign key (ecpd_id, action_id) references trigger_action on delete cascade,
  check ((state is null) = (reason is null))
);
create index firing_action_of_action on firing_action (ecpd_id, action_id, device_id);

-- Lines whose plan was changed in a chain: what follows in it changes them no more. No foreign key: a chain goes on in other
-- accounts when the one that it began in is deleted.
create table trigger_chain_line (
  ecpd_id    text not null,
  chain_id   uuid not null,
  device_id  uuid not null,
  changed_at timestamptz not null,
  primary key (ecpd_id, chain_id, device_id)
);
create index trigger_chain_line_age on trigger_chain_line (changed_at);
