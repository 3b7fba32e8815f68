-- Plans are the carrier's catalogue, the same for every profile.
create table plan (
  code                      text primary key,
  carrier_service_plan_code text not null,
  name                      text not null,
  kind                      text not null check (kind in ('payAsYouGo', 'share', 'unlimited')),
  allowance_bytes           bigint check (allowance_bytes >= 0),
  rate_per_mb               numeric(18, 6) check (rate_per_mb >= 0),
  fixed_location            boolean not null,
  models                    text[],
  suspend_with_billing      boolean not null,
  throttle_at_percent       int check (throttle_at_percent between 1 and 1000)
);
create index plan_carrier_code on plan (carrier_service_plan_code);

create table rate_plan_group (
  ecpd_id            text not null references profile on delete cascade,
  rate_plan_group_id bigint not null,
  primary key (ecpd_id, rate_plan_group_id)
);

create table rate_plan_group_plan (
  ecpd_id            text not null,
  rate_plan_group_id bigint not null,
  plan_code          text not null references plan,
  position           int not null,
  primary key (ecpd_id, rate_plan_group_id, plan_code),
  foreign key (ecpd_id, rate_plan_group_id) references rate_plan_group on delete cascade
);

create table rate_plan_group_account (
  ecpd_id            text not null,
  rate_plan_group_id bigint not null,
  account_name       text not null,
  primary key (ecpd_id, rate_plan_group_id, account_name),
  foreign key (ecpd_id, rate_plan_group_id) references rate_plan_group on delete cascade,
  foreign key (ecpd_id, account_name) references account on delete cascade
);
create index rate_plan_group_account_name on rate_plan_group_account (ecpd_id, account_name);

-- Where unlimited fixed-location plans can be served.
create table serviceable_zip (
  zip text primary key check (zip ~ '^[0-9]{5}$')
);
