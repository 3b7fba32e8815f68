create table usage_trigger (
  ecpd_id           text not null,
  account_name      text not null,
  trigger_id        uuid not null,
  trigger_name      text not null,
  service_name      text not null check (service_name in ('Location', 'fota')),
  threshold_percent int not null check (threshold_percent between 1 and 1000),
  allow_excess      boolean not null,
  send_sms          boolean not null,
  sms_phone_numbers text[] not null,
  send_email        boolean not null,
  email_addresses   text[] not null,
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  -- Grows with every change: a firing names the version of the rule that it followed.
  version           int not null,
  -- The last month that it fired in, so that triggers that have are not looked at with every use; empty: none, or none with
  -- the present percentage.
  fired_month       text not null default '' check (fired_month ~ '^(\d{4}-\d{2})?$'),
  primary key (ecpd_id, trigger_id),
  unique (ecpd_id, account_name, trigger_name),
  foreign key (ecpd_id, account_name) references account on delete cascade,
  constraint usage_trigger_trigger_name_check check (trigger_name is nfc normalized)
);
create index usage_trigger_threshold on usage_trigger (ecpd_id, account_name, service_name, threshold_percent, fired_month);
