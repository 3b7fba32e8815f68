-- What an account used and was charged on a day, by everything that a bill tells apart: a month is a sum of these few rows
-- and not of the ledger's millions. Empty text: not known. The charge is that of records with one of their own
-- (charged_bytes); a plan's rate is applied to the rest when somebody asks. Kept when the ledger's records go.
create table usage_bill_day (
  ecpd_id       text not null,
  account_name  text not null,
  day           date not null,
  plan_code     text not null,
  apn           text not null,
  rating_group  text not null,
  country_code  text not null,
  delayed       boolean not null,
  bytes         bigint not null,
  charged_bytes bigint not null,
  charge_amount numeric not null,
  primary key (ecpd_id, account_name, day, plan_code, apn, rating_group, country_code, delayed),
  check (charged_bytes between 0 and bytes)
) with (fillfactor = 50);

insert into usage_bill_day
select ecpd_id, account_name, day, coalesce(plan_code, ''), coalesce(apn, ''), coalesce(rating_group, ''),
  coalesce(country_code, ''), delayed, sum(bytes), coalesce(sum(bytes) filter (where charge_amount is not null), 0),
  coalesce(sum(charge_amount), 0)
from usage_record where service_name is null
group by 1, 2, 3, 4, 5, 6, 7, 8;
