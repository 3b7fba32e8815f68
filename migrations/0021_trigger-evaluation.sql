-- What the counters of lines and accounts are compared with: one row for each level of an active trigger, account and plan.
-- Written with the trigger. The key is the order in which a batch looks: the levels between what a counter was and is.
create table price_plan_level (
  ecpd_id      text not null,
  account_name text not null,
  plan_code    text not null,
  cycle        text not null check (cycle in ('Daily', 'Weekly', 'Monthly')),
  scope        text not null check (scope in ('device', 'account')),
  -- Reached by the first counter that is greater; of "reaches" it is one byte less than the threshold.
  beyond_bytes bigint not null,
  trigger_id   uuid not null,
  level_kind   text not null,
  level        bigint not null,
  -- Fires only when it is passed, and not by what lies beyond it already.
  on_passing   boolean not null,
  primary key (ecpd_id, account_name, plan_code, cycle, scope, beyond_bytes, trigger_id, level_kind, level),
  foreign key (ecpd_id, trigger_id) references price_plan_trigger on delete cascade,
  foreign key (ecpd_id, account_name) references account on delete cascade
);
create index price_plan_level_of_trigger on price_plan_level (ecpd_id, trigger_id);

-- Counters that were beyond a level when it was written: they fire with their next usage in the cycle, and the row goes.
create table price_plan_behind (
  ecpd_id      text not null,
  account_name text not null,
  -- Zeros: the account's own counter.
  device_id    uuid not null,
  plan_code    text not null,
  cycle        text not null,
  from_day     date not null,
  trigger_id   uuid not null,
  level_kind   text not null,
  level        bigint not null,
  primary key (ecpd_id, account_name, device_id, plan_code, cycle, from_day, trigger_id, level_kind, level),
  foreign key (ecpd_id, trigger_id) references price_plan_trigger on delete cascade,
  foreign key (ecpd_id, account_name) references account on delete cascade
);
create index price_plan_behind_of_trigger on price_plan_behind (ecpd_id, trigger_id);

-- What counts together: several accounts, or all lines that share an allowance. A row for each account and plan of it.
create table price_plan_sum (
  ecpd_id       text not null,
  account_name  text not null,
  plan_code     text not null,
  cycle         text not null check (cycle in ('Daily', 'Weekly', 'Monthly')),
  trigger_id    uuid not null,
  subject       text not null,
  -- Whose bill-cycle day and zone the sum has.
  cycle_account text not null,
  primary key (ecpd_id, account_name, plan_code, cycle, trigger_id, subject),
  foreign key (ecpd_id, trigger_id) references price_plan_trigger on delete cascade,
  foreign key (ecpd_id, account_name) references account on delete cascade,
  foreign key (ecpd_id, cycle_account) references account on delete cascade
);
create index price_plan_sum_of_trigger on price_plan_sum (ecpd_id, trigger_id, subject);

-- The levels of a sum: bytes, or a percentage of what its active lines may use together.
create table price_plan_sum_level (
  ecpd_id      text not null,
  trigger_id   uuid not null,
  subject      text not null,
  level_kind   text not null,
  level        bigint not null,
  -- Null: a percentage.
  beyond_bytes bigint,
  on_passing   boolean not null,
  primary key (ecpd_id, trigger_id, subject, level_kind, level),
  foreign key (ecpd_id, trigger_id) references price_plan_trigger on delete cascade
);

-- What is judged when a cycle closes: one row for a trigger, an account and the cycle that is open now, in which the account's
-- own lines are judged or a sum that has the account's cycles. When it is done the row of the next cycle comes with it: so
-- none is left out or taken before another, however long nobody was there to do it.
create table price_plan_closing (
  ecpd_id      text not null,
  trigger_id   uuid not null,
  account_name text not null,
  cycle        text not null check (cycle in ('Daily', 'Weekly', 'Monthly')),
  from_day     date not null,
  to_day       date not null check (to_day > from_day),
  closes_at    timestamptz not null,
  -- The last line that was judged: large accounts take several transactions.
  judged_to    uuid,
  done_at      timestamptz,
  primary key (ecpd_id, trigger_id, account_name, cycle, from_day),
  foreign key (ecpd_id, trigger_id) references price_plan_trigger on delete cascade,
  foreign key (ecpd_id, account_name) references account on delete cascade
);
create unique index price_plan_closing_open on price_plan_closing (ecpd_id, trigger_id, account_name, cycle)
  where done_at is null;
create index price_plan_closing_due on price_plan_closing (ecpd_id, closes_at) where done_at is null;
create index price_plan_closing_done on price_plan_closing (done_at) where done_at is not null;
create index price_plan_closing_of_account on price_plan_closing (ecpd_id, account_name);

-- Which lines were found to be on their plan for so many bill cycles: once for each stay on it. Firings are not kept for as
-- long as a line may stay.
create table price_plan_aged (
  ecpd_id     text not null,
  device_id   uuid not null,
  trigger_id  uuid not null,
  bill_cycles int not null,
  -- When the line came to the plan.
  since       timestamptz not null,
  primary key (ecpd_id, device_id, trigger_id, bill_cycles),
  foreign key (ecpd_id, device_id) references device on delete cascade,
  foreign key (ecpd_id, trigger_id) references price_plan_trigger on delete cascade
);
create index price_plan_aged_of_trigger on price_plan_aged (ecpd_id, trigger_id);
