create table device (
  ecpd_id          text not null,
  device_id        uuid not null,
  account_name     text not null,
  kind             text not null check (kind in ('device', 'gateway', 'sensor')),
  state            text not null check (state in ('pre-active', 'active', 'suspend', 'deactive')),
  service_plan     text references plan,
  plan_since       timestamptz,
  imei             text,
  iccid            text,
  imsi             text,
  msisdn           text,
  mdn              text,
  min              text,
  meid             text,
  esn              text,
  eid              text,
  mac              text,
  deveui           text,
  node_uuid        uuid,
  iot              boolean not null,
  activated_by_sku boolean not null,
  ota_updated      boolean not null,
  labels           jsonb not null,
  record           jsonb not null,
  simulation       jsonb not null,
  foreign_id       uuid not null,
  created_on       timestamptz not null,
  last_updated     timestamptz not null,
  version          bigint not null,
  version_id       uuid not null,
  primary key (ecpd_id, device_id),
  foreign key (ecpd_id, account_name) references account on delete cascade,
  check ((service_plan is null) = (plan_since is null))
);
create index device_of_account on device (ecpd_id, account_name, device_id);

-- The directory: an identifier exists once over all profiles. Keyed by value, it is the one table
-- that does not begin with the tenant, and so it carries no foreign key to one that does.
create table device_identifier (
  kind         text not null,
  value        text not null,
  ecpd_id      text not null,
  account_name text not null,
  device_id    uuid not null,
  primary key (kind, value)
);
create index device_identifier_of_device on device_identifier (ecpd_id, device_id);
create index device_identifier_of_account on device_identifier (ecpd_id, account_name);
