-- Every primary account that wants an account has an addition of its own, with its own transaction ids. The account is
-- activated with one of them.
alter table managed_account drop constraint managed_account_pkey,
  add primary key (ecpd_id, account_name, service_name, paccount_name);
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

-- Of the time before, only what is activated now is known: since when, where the account did it itself, else since ever.
insert into managed_period (ecpd_id, account_name, service_name, from_at, paccount_name)
select ecpd_id, account_name, service_name, case when added_txid is null then '-infinity' else updated_at end, paccount_name
from managed_account where state = 'provisioned';
