-- One row for each time that a trigger fired, with why. The key is what cannot happen twice: a level of a trigger is
-- reached once by a subject in a cycle, whoever counts and however often.
create table firing (
  ecpd_id         text not null references profile on delete cascade,
  trigger_id      uuid not null,
  -- What was counted: an account, a device or a pool.
  subject         text not null,
  -- What the level is a number of; two kinds of the same number are two levels.
  level_kind      text not null,
  level           bigint not null,
  cycle_from      timestamptz not null,
  cycle_to        timestamptz not null check (cycle_to > cycle_from),
  firing_id       uuid not null,
  kind            text not null check (kind in ('usage', 'pricePlan')),
  account_name    text not null,
  -- Of the record that crossed the threshold.
  counted_before  numeric not null,
  counted_after   numeric not null,
  threshold       numeric not null,
  -- Null where no record crossed it: a cycle ended, or a pool shrank.
  usage_record_id text,
  rule_version    int not null,
  fired_at        timestamptz not null,
  -- The cycle had closed: it is told, and nothing else is done.
  late            boolean not null,
  -- Set where neither a record nor the end of a cycle reached the level: usage was moved to the plan by a change of it.
  cause           text check (cause = 'planChange'),
  -- A line that has changed its account fires in each of them: its counters there begin at zero.
  line_of         text not null default '',
  primary key (ecpd_id, trigger_id, subject, line_of, level_kind, level, cycle_from, cycle_to),
  unique (ecpd_id, firing_id),
  foreign key (ecpd_id, account_name) references account on delete cascade
);
-- An operator asks for a trigger without naming its profile.
create index firing_of_trigger on firing (trigger_id, fired_at desc, firing_id desc);
create index firing_of_account on firing (ecpd_id, account_name, fired_at desc, firing_id desc);
create index firing_fired_at on firing (fired_at desc, firing_id desc);

create table action_pause (
  only_row  boolean not null default true,
  paused_at timestamptz not null,
  paused_by text not null,
  constraint action_pause_pkey1 primary key (only_row),
  constraint action_pause_only_row_check1 check (only_row)
);
