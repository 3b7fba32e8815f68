-- The day of a use where the one who pays is; it says the month too. A zone that has changed meanwhile moves no use into
-- another month.
alter table service_transaction add column billed_day date;
update service_transaction t set billed_day = least(greatest((t.at at time zone coalesce((
    select time_zone from account a where a.ecpd_id = t.ecpd_id and a.account_name = t.billed_to), 'UTC'))::date,
  (t.billed_month || '-01')::date), ((t.billed_month || '-01')::date + interval '1 month - 1 day')::date);
alter table service_transaction alter column billed_day set not null;
drop index service_transaction_billed;
alter table service_transaction drop column billed_month;
create index service_transaction_billed on service_transaction (ecpd_id, billed_to, service_name, billed_day);

-- What an account is billed for in a day of its zone, by the account that used it: date ranges are sums of days.
create table service_billed_day (
  ecpd_id      text not null,
  billed_to    text not null,
  service_name text not null check (service_name in ('Location', 'fota')),
  day          date not null,
  account_name text not null,
  transactions bigint not null check (transactions >= 0),
  primary key (ecpd_id, billed_to, service_name, day, account_name)
) with (fillfactor = 50);
insert into service_billed_day (ecpd_id, billed_to, service_name, day, account_name, transactions)
select ecpd_id, billed_to, service_name, billed_day, account_name, count(*) from service_transaction
where billed_to <> '' group by 1, 2, 3, 4, 5;

-- Of uses that are no longer kept one by one their months are known, and their days where the account that used it is: where
-- these add up to the month they are the days, else the first of the month stands for what is missing.
insert into service_billed_day (ecpd_id, billed_to, service_name, day, account_name, transactions)
select l.ecpd_id, l.billed_to, l.service_name, d.day, l.account_name, d.transactions
from service_month_line l
join service_day d on d.ecpd_id = l.ecpd_id and d.account_name = l.account_name and d.service_name = l.service_name
  and to_char(d.day, 'YYYY-MM') = l.month
join usage_ledger_start s on s.ecpd_id = d.ecpd_id and d.day < s.starts_on
where l.transactions = (
  select sum(o.transactions) from service_day o where o.ecpd_id = l.ecpd_id and o.account_name = l.account_name
    and o.service_name = l.service_name and to_char(o.day, 'YYYY-MM') = l.month)
on conflict do nothing;
insert into service_billed_day as b (ecpd_id, billed_to, service_name, day, account_name, transactions)
select l.ecpd_id, l.billed_to, l.service_name, (l.month || '-01')::date, l.account_name,
  l.transactions - coalesce(k.transactions, 0)
from service_month_line l
left join (
  select ecpd_id, billed_to, service_name, account_name, to_char(day, 'YYYY-MM') as month, sum(transactions) as transactions
  from service_billed_day group by 1, 2, 3, 4, 5) k using (ecpd_id, billed_to, service_name, account_name, month)
where l.transactions > coalesce(k.transactions, 0)
on conflict (ecpd_id, billed_to, service_name, day, account_name)
do update set transactions = b.transactions + excluded.transactions;

-- `transactions` becomes what is billed to the account, and only that; its own uses, whoever pays, are counted beside it.
alter table service_month add column own_transactions bigint not null default 0 check (own_transactions >= 0);
update service_month m set
  transactions = coalesce((
    select sum(l.transactions) from service_month_line l where l.ecpd_id = m.ecpd_id and l.billed_to = m.account_name
      and l.service_name = m.service_name and l.month = m.month), 0),
  own_transactions = coalesce((
    select sum(d.transactions) from service_day d where d.ecpd_id = m.ecpd_id and d.account_name = m.account_name
      and d.service_name = m.service_name and to_char(d.day, 'YYYY-MM') = m.month), 0);
alter table service_month alter column own_transactions drop default;
