-- Who pays for a use is decided when it is recorded: the primary account that the account is activated with, or itself.
alter table service_transaction add column billed_to text;
update service_transaction t set billed_to = coalesce((
  select m.paccount_name from managed_account m
  where m.ecpd_id = t.ecpd_id and m.account_name = t.account_name and m.service_name = t.service_name
    and m.state = 'provisioned'), t.account_name);
alter table service_transaction alter column billed_to set not null;

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
select t.ecpd_id, t.billed_to, t.service_name, to_char(t.at at time zone a.time_zone, 'YYYY-MM'), t.account_name, count(*)
from service_transaction t join account a on a.ecpd_id = t.ecpd_id and a.account_name = t.billed_to
group by 1, 2, 3, 4, 5;
insert into service_month (ecpd_id, account_name, service_name, month, transactions)
select t.ecpd_id, a.account_name, t.service_name, to_char(t.at at time zone a.time_zone, 'YYYY-MM'), count(*)
from service_transaction t join account a on a.ecpd_id = t.ecpd_id and a.account_name in (t.account_name, t.billed_to)
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
