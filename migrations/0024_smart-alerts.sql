-- What a device has told: when last, and the newest value of each field. Whoever looks at the rules of a device holds this
-- row first. `at` is null while it has told nothing.
-- Rows are written again and again, and their index need not be while there is room beside them.
create table device_reading (
  ecpd_id   text not null,
  device_id uuid not null,
  at        timestamptz,
  known     jsonb not null,
  -- What a device told at the moment of its newest reading, as digests: a feed that is sent again is recognised although readings
  -- of one moment contradict each other.
  told_at   text[] not null default '{}',
  primary key (ecpd_id, device_id),
  foreign key (ecpd_id, device_id) references device on delete cascade
) with (fillfactor = 70);

-- How far a rule has come, for the version that it was read in. There is no reference to the rule: what becomes of it is
-- followed by `rule_change`, and a writer of rules never waits for a reading.
create table rule_state (
  ecpd_id     text not null,
  rule_id     uuid not null,
  device_id   uuid not null,
  version_id  uuid not null,
  -- Since when this version is looked at: before that there was no absence of data.
  since       timestamptz not null,
  true_since  timestamptz,
  rests_until timestamptz,
  alert_id    uuid,
  cause       text check (cause in ('condition', 'absence')),
  -- Not after the moment at which the rule would raise an alert without another reading; it may be earlier.
  due_at      timestamptz,
  move_nr     int not null default 0,
  primary key (ecpd_id, rule_id),
  foreign key (ecpd_id, device_id) references device on delete cascade,
  check ((alert_id is null) = (cause is null))
);
create index rule_state_of_device on rule_state (ecpd_id, device_id);
create index rule_state_due on rule_state (due_at, ecpd_id) where due_at is not null;

create table smart_alert (
  ecpd_id         text not null,
  account_name    text not null,
  alert_id        uuid not null,
  rule_id         uuid not null,
  rule_name       text not null,
  device_id       uuid not null,
  cause           text not null check (cause in ('condition', 'absence')),
  message         text not null,
  reading         jsonb not null,
  raised_at       timestamptz not null,
  cleared_at      timestamptz,
  cleared_because text,
  acknowledged_at timestamptz,
  acknowledged_by text,
  foreign_id      uuid not null,
  created_on      timestamptz not null,
  last_updated    timestamptz not null,
  version         bigint not null,
  version_id      uuid not null,
  primary key (ecpd_id, alert_id),
  foreign key (ecpd_id, account_name) references account on delete cascade,
  check ((cleared_at is null) = (cleared_because is null)),
  check ((acknowledged_at is null) = (acknowledged_by is null))
);
create unique index smart_alert_open on smart_alert (ecpd_id, rule_id) where cleared_at is null;
create index smart_alert_of_account on smart_alert (ecpd_id, account_name, alert_id);
create index smart_alert_of_device on smart_alert (ecpd_id, account_name, device_id, alert_id);
create index smart_alert_of_rule on smart_alert (ecpd_id, account_name, rule_id, alert_id);
create index smart_alert_cleared on smart_alert (cleared_at) where cleared_at is not null;
