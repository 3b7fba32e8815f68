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
create index rule_of_account on rule (ecpd_id, account_name);
