-- A row for each trigger that is summed up, only to be locked: who adds to a day and who sums it up wait for each other. Not
-- the trigger's own row: who deletes that waits for levels that the batch holds while it adds.
create table price_plan_summary (
  ecpd_id    text not null references profile on delete cascade,
  trigger_id uuid not null,
  primary key (ecpd_id, trigger_id)
);

-- What a trigger that is summed up has fired for on a local day. The rows go with the message that tells of them.
create table price_plan_summary_entry (
  ecpd_id      text not null,
  trigger_id   uuid not null,
  day          date not null,
  -- The order in which they fired.
  nth          bigint not null generated always as identity,
  firing_id    uuid not null,
  account_name text not null,
  subject      text not null,
  primary key (ecpd_id, trigger_id, day, nth),
  foreign key (ecpd_id, account_name) references account on delete cascade
);

-- What people are reminded of: all that a trigger fired for in one batch, as they were told of it. Named after the first
-- firing. No reference to the trigger: writing it must not fail because the trigger is deleted at this moment.
create table price_plan_reminder (
  ecpd_id    text not null references profile on delete cascade,
  notice_id  uuid not null,
  trigger_id uuid not null,
  fired_at   timestamptz not null,
  -- Reminders that were sent; written in the transaction that sends one.
  sent       int not null,
  primary key (ecpd_id, notice_id)
);

create table price_plan_reminder_firing (
  ecpd_id      text not null,
  notice_id    uuid not null,
  nth          int not null,
  firing_id    uuid not null,
  account_name text not null,
  subject      text not null,
  -- The end of its cycle: nobody is reminded of it from then on.
  ends_at      timestamptz not null,
  primary key (ecpd_id, notice_id, nth),
  foreign key (ecpd_id, notice_id) references price_plan_reminder on delete cascade,
  foreign key (ecpd_id, account_name) references account on delete cascade
);

-- Lines and pools whose account was told in this billing month that the plan throttles them.
create table price_plan_throttled (
  ecpd_id      text not null,
  -- A device, or a rate plan group.
  subject      text not null,
  plan_code    text not null,
  account_name text not null,
  from_day     date not null,
  primary key (ecpd_id, subject, plan_code, account_name, from_day),
  foreign key (ecpd_id, account_name) references account on delete cascade
);
create index price_plan_throttled_from_day on price_plan_throttled (from_day);
