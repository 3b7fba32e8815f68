create table profile (
  ecpd_id    text primary key,
  foreign_id uuid not null
);

-- Whose an account is, by its name alone: names are unique over all profiles. On several servers each has all of it, so that a
-- request finds its profile, and the service all profiles, whichever server does not answer.
create table account_directory (
  account_name text primary key,
  ecpd_id      text not null,
  unique (ecpd_id, account_name)
);

create table account (
  ecpd_id             text not null references profile on delete cascade,
  account_name        text not null,
  organization_name   text,
  time_zone           text not null,
  bill_cycle_day      int not null check (bill_cycle_day between 1 and 31),
  real_time_rating    boolean not null,
  aggregated_billing  boolean not null,
  location_registered boolean not null,
  contact_email       text,
  created_at          timestamptz not null,
  primary key (ecpd_id, account_name),
  foreign key (ecpd_id, account_name) references account_directory (ecpd_id, account_name)
);
-- Lists of accounts of all profiles are in the order of their names.
create index account_by_name on account (account_name);

-- The primary–managed relation: a managed account's service is billed with its primary account.
create table managed_account (
  ecpd_id       text not null,
  account_name  text not null,
  service_name  text not null,
  paccount_name text not null,
  sku_name      text not null,
  state         text not null check (state in ('added', 'provisioned', 'cancelled')),
  txid          uuid not null,
  updated_at    timestamptz not null,
  -- The transaction id that an activation replaced, read only of an activated account. A client that lost the answer repeats
  -- the call with it, and has to be told "already activated" and not that the id is wrong.
  added_txid    uuid,
  primary key (ecpd_id, account_name, service_name, paccount_name),
  foreign key (ecpd_id, account_name) references account on delete cascade,
  foreign key (ecpd_id, paccount_name) references account on delete cascade,
  check (account_name <> paccount_name)
);
create index managed_account_primary on managed_account (ecpd_id, paccount_name, service_name, account_name);
create unique index managed_account_provisioned on managed_account (ecpd_id, account_name, service_name)
  where state = 'provisioned';

-- From when to when an account was activated with which primary: a use is billed to whom it was activated with when it
-- happened, however late it comes. Half-open; the one that lasts ends at infinity.
create table managed_period (
  ecpd_id       text not null,
  account_name  text not null,
  service_name  text not null,
  from_at       timestamptz not null,
  to_at         timestamptz not null default 'infinity' check (to_at >= from_at),
  paccount_name text not null,
  primary key (ecpd_id, account_name, service_name, from_at),
  foreign key (ecpd_id, account_name) references account (ecpd_id, account_name) on delete cascade,
  foreign key (ecpd_id, paccount_name) references account (ecpd_id, account_name) on delete cascade
);
create index managed_period_primary on managed_period (ecpd_id, paccount_name);
