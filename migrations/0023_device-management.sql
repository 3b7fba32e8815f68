create table user_profile (
  ecpd_id      text not null,
  account_name text not null,
  user_id      uuid not null,
  record       jsonb not null,
  foreign_id   uuid not null,
  created_on   timestamptz not null,
  last_updated timestamptz not null,
  version      bigint not null,
  version_id   uuid not null,
  primary key (ecpd_id, user_id),
  foreign key (ecpd_id, account_name) references account on delete cascade
);
create index user_profile_email on user_profile (ecpd_id, account_name, lower(record->>'email'));
-- Users and rules are asked for by any field, as devices are, and listed in the order of their keys.
create index user_profile_record on user_profile using gin (record jsonb_path_ops);
create index user_profile_of_account on user_profile (ecpd_id, account_name, user_id);
create index user_profile_updated on user_profile (ecpd_id, account_name, last_updated);
create index user_profile_created on user_profile (ecpd_id, account_name, created_on);
create index user_profile_version on user_profile (ecpd_id, account_name, version, user_id);
create index user_profile_version_id on user_profile (ecpd_id, version_id);

create table rule (
  ecpd_id      text not null,
  account_name text not null,
  rule_id      uuid not null,
  device_id    uuid not null,
  record       jsonb not null,
  foreign_id   uuid not null,
  created_on   timestamptz not null,
  last_updated timestamptz not null,
  version      bigint not null,
  version_id   uuid not null,
  primary key (ecpd_id, rule_id),
  foreign key (ecpd_id, account_name) references account on delete cascade,
  foreign key (ecpd_id, device_id) references device on delete cascade
);
create index rule_of_device on rule (ecpd_id, device_id);
create index rule_record on rule using gin (record jsonb_path_ops);
create index rule_of_account on rule (ecpd_id, account_name, rule_id);
create index rule_updated on rule (ecpd_id, account_name, last_updated);
create index rule_created on rule (ecpd_id, account_name, created_on);
create index rule_version on rule (ecpd_id, account_name, version, rule_id);
create index rule_version_id on rule (ecpd_id, version_id);

-- Rules that were written or deleted, also before their device is, until what follows from it is done: whoever writes rules
-- adds a row for each. Rows are only added, so that writers meet nobody here.
create table rule_change (
  ecpd_id      text not null,
  change_id    bigint generated always as identity,
  account_name text not null,
  rule_id      uuid not null,
  device_id    uuid not null,
  primary key (ecpd_id, change_id)
);
