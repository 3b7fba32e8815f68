create table exclusion_list (
  ecpd_id      text not null,
  account_name text not null,
  all_device   boolean not null,
  updated_at   timestamptz not null,
  primary key (ecpd_id, account_name),
  foreign key (ecpd_id, account_name) references account on delete cascade
);
-- By identifier, not by device: an exclusion holds whether or not the device is known already.
create table exclusion (
  ecpd_id      text not null,
  account_name text not null,
  identifier   text not null,
  primary key (ecpd_id, account_name, identifier),
  foreign key (ecpd_id, account_name) references exclusion_list on delete cascade
);

create table consent (
  ecpd_id      text not null,
  account_name text not null,
  level        int not null check (level between 0 and 3),
  updated_at   timestamptz not null,
  primary key (ecpd_id, account_name),
  foreign key (ecpd_id, account_name) references account on delete cascade
);
create table device_consent (
  ecpd_id      text not null,
  account_name text not null,
  device_id    uuid not null,
  level        int not null check (level between 0 and 3),
  primary key (ecpd_id, account_name, device_id),
  foreign key (ecpd_id, device_id) references device on delete cascade
);
-- The foreign key looks devices up without their account.
create index device_consent_device on device_consent (ecpd_id, device_id);

-- Append-only: what was allowed when, and who said so. A deleted device stays named in it.
create table consent_ledger (
  ecpd_id      text not null,
  account_name text not null,
  entry_id     bigint not null generated always as identity,
  at           timestamptz not null,
  actor        text not null,
  device_id    uuid,
  change       text not null check (change in ('level', 'device-level', 'exclude', 'exclude-all', 'allow', 'allow-all')),
  level        int check (level between 0 and 3),
  identifier   text,
  primary key (ecpd_id, account_name, entry_id),
  foreign key (ecpd_id, account_name) references account on delete cascade,
  check ((change in ('level', 'device-level')) = (level is not null)),
  check ((change = 'device-level') = (device_id is not null)),
  check ((change in ('exclude', 'allow')) = (identifier is not null))
);
