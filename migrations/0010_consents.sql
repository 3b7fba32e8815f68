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
  change       text not null,
  level        int check (level between 0 and 3),
  identifier   text,
  primary key (ecpd_id, account_name, entry_id),
  foreign key (ecpd_id, account_name) references account on delete cascade,
  constraint consent_ledger_check2 check ((change in ('exclude', 'allow')) = (identifier is not null)),
  -- 'level-all' is the account's level given by its owner, which ends the levels of single devices; 'level' comes by
  -- import and leaves them.
  constraint consent_ledger_change check (change in
    ('level', 'level-all', 'device-level', 'exclude', 'exclude-all', 'allow', 'allow-all')),
  constraint consent_ledger_level check
    ((change in ('level', 'level-all', 'device-level')) = (level is not null)),
  constraint consent_ledger_device check
    (case when change = 'device-level' then device_id is not null
          when change not in ('exclude', 'allow') then device_id is null else true end)
);
-- What a question about one device reads: the account's own changes, those of the device, those of an identifier.
create index consent_ledger_of_account on consent_ledger (ecpd_id, account_name, change, at, entry_id)
  where device_id is null and identifier is null;
create index consent_ledger_of_device on consent_ledger (ecpd_id, account_name, device_id, identifier, at, entry_id)
  where device_id is not null;
create index consent_ledger_of_identifier on consent_ledger (ecpd_id, account_name, identifier, at, entry_id)
  where identifier is not null;

-- An entry of the list excludes every device of the account that has its identifier now, and each device that it was made
-- for, whatever identifier that one has since. One entry may have been made for several devices, one after the other; what
-- it was made for goes with the device, the entry itself stays: a device that comes back under the identifier is excluded.
create table excluded_device (
  ecpd_id      text not null,
  account_name text not null,
  identifier   text not null,
  device_id    uuid not null,
  primary key (ecpd_id, account_name, identifier, device_id),
  foreign key (ecpd_id, account_name, identifier) references exclusion on delete cascade,
  foreign key (ecpd_id, device_id) references device on delete cascade
);
-- The foreign key looks devices up without their account.
create index excluded_device_device on excluded_device (ecpd_id, device_id);

-- What was allowed when is proof only if nobody can change it afterwards. Rows go with their account and not otherwise.
create function keep_consent_ledger() returns trigger language plpgsql as $$
begin
  -- What a foreign key does is done by a trigger too: this one is then inside another.
  if tg_op = 'UPDATE' or pg_trigger_depth() < 2 then
    raise exception 'consent_ledger is append-only: rows go only with their account';
  end if;
  return null;
end $$;

create trigger consent_ledger_no_update before update on consent_ledger
  for each statement execute function keep_consent_ledger();

create trigger consent_ledger_no_delete before delete on consent_ledger
  for each statement execute function keep_consent_ledger();
