-- Who pays for a use is decided when it is recorded: the primary account that the account is activated with, or itself.
-- So are the day where the account is and the month where the one who pays is: a zone that changes later moves nothing.
alter table service_transaction add column billed_to text, add column day date, add column billed_month text;
update service_transaction t set billed_to = coalesce((
  select m.paccount_name from managed_account m
  where m.ecpd_id = t.ecpd_id and m.account_name = t.account_name and m.service_name = t.service_name
    and m.state = 'provisioned'), t.account_name);
update service_transaction t set
  day = (t.at at time zone coalesce((
    select time_zone from account a where a.ecpd_id = t.ecpd_id and a.account_name = t.account_name), 'UTC'))::date,
  billed_month = to_char(t.at at time zone coalesce((
    select time_zone from account a where a.ecpd_id = t.ecpd_id and a.account_name = t.billed_to), 'UTC'), 'YYYY-MM');
alter table service_transaction alter column billed_to set not null, alter column day set not null,
  alter column billed_month set not null;
create index service_transaction_billed on service_transaction (ecpd_id, billed_to, service_name, billed_month);

-- Uses in a calendar month of the account's zone: its own, and those that are billed to it. Whoever records a use holds
-- this row until it commits, so that each sees what the others have added.
create table service_month (
  ecpd_id      text not null,
  account_name text not null,
  service_name text not null check (service_name in ('Location', 'fota')),
  month        text not null check (month ~ '^\d{4}-\d{2}$'),
  transactions bigint not null check (transactions >= 0),
  primary key (ecpd_id, account_name, service_name, month)
) with (fillfactor = 50);

-- What an account is billed for in a month, by the account that used it.
create table service_month_line (
  ecpd_id      text not null,
  billed_to    text not null,
  service_name text not null check (service_name in ('Location', 'fota')),
  month        text not null check (month ~ '^\d{4}-\d{2}$'),
  account_name text not null,
  transactions bigint not null check (transactions >= 0),
  primary key (ecpd_id, billed_to, service_name, month, account_name)
) with (fillfactor = 50);

insert into service_month_line (ecpd_id, billed_to, service_name, month, account_name, transactions)
select ecpd_id, billed_to, service_name, billed_month, account_name, count(*) from service_transaction group by 1, 2, 3, 4, 5;
insert into service_month (ecpd_id, account_name, service_name, month, transactions)
select ecpd_id, account_name, service_name, month, count(*) from (
  select ecpd_id, account_name, service_name, to_char(day, 'YYYY-MM') as month from service_transaction
  union all
  select ecpd_id, billed_to, service_name, billed_month from service_transaction where billed_to <> account_name) counted
group by 1, 2, 3, 4;

-- A service that may not be used beyond what the account subscribed to.
drop table service_closure;
create table service_limit (
  ecpd_id      text not null,
  account_name text not null,
  service_name text not null check (service_name in ('Location', 'fota')),
  primary key (ecpd_id, account_name, service_name),
  foreign key (ecpd_id, account_name) references account on delete cascade
);
insert into service_limit (ecpd_id, account_name, service_name)
select distinct ecpd_id, account_name, service_name from usage_trigger where not allow_excess;
